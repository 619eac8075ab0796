from django.apps import AppConfig


class DiceConfig(AppConfig):
    name = "apps.dice"

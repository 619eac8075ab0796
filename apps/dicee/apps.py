from django.apps import AppConfig


class DiceeConfig(AppConfig):
    name = "apps.dicee"

"""``/s/``: short links."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from apps.share import views


class KeyConverter(StringConverter):
    regex = "[1-9A-HJ-NP-Za-km-z]{10,44}"


register_converter(KeyConverter, "key")

app_name = "share"
urlpatterns = [
    path("", views.create, name="create"),
    path("<key:key>/", views.open_link, name="open"),
]

"""``/account/``: sign up, sign in, rename, export, leave."""

from django.urls import path

from apps.accounts import views

app_name = "accounts"
urlpatterns = [
    path("", views.home, name="home"),
    path("sign-in/", views.sign_in, name="sign-in"),
    path("sign-up/", views.sign_up, name="sign-up"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("rename/", views.rename, name="rename"),
    path("export/", views.export, name="export"),
    path("delete/", views.delete, name="delete"),
    path("password/", views.change_password, name="password"),
    path("codes/", views.codes, name="codes"),
    path("recover/", views.recover, name="recover"),
    path("privacy/", views.privacy, name="privacy"),
]

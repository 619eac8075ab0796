"""Forms of the account pages: sign up, sign in, rename."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

# Word characters exclude the invisible marks that make one name look like another or run backwards.
PSEUDONYM = re.compile(r"\w(?:[\w '.-]{0,28}\w)?")


class SignInForm(forms.Form):
    username = forms.CharField(max_length=150, strip=True)
    password = forms.CharField(max_length=200, strip=False, widget=forms.PasswordInput)


class NewPasswordForm(forms.Form):
    """A password twice, so that a slip of the finger is noticed."""

    password = forms.CharField(max_length=200, strip=False, widget=forms.PasswordInput)
    again = forms.CharField(max_length=200, strip=False, widget=forms.PasswordInput)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if "password" in data:
            try:
                validate_password(data["password"], User(username=data.get("username", "")))
            except ValidationError as error:
                self.add_error("password", error)
        if "password" in data and data.get("again", data["password"]) != data["password"]:
            self.add_error("again", "The two are not the same. Type the password again.")
        return data


class SignUpForm(NewPasswordForm):
    username = forms.CharField(
        min_length=3,
        max_length=30,
        error_messages={
            "min_length": "A user name has 3–30 characters; you entered %(show_value)s.",
            "max_length": "A user name has 3–30 characters; you entered %(show_value)s.",
        },
    )
    field_order = ("username", "password", "again")

    def clean_username(self) -> str:
        username = unicodedata.normalize("NFKC", str(self.cleaned_data["username"]))
        User.username_validator(username)
        if User.objects.filter(username__iexact=username).exists():
            raise ValidationError("That user name is taken. Try another.")
        return username


class ChangePasswordForm(NewPasswordForm):
    now = forms.CharField(max_length=200, strip=False, widget=forms.PasswordInput)


class RecoverForm(NewPasswordForm):
    username = forms.CharField(max_length=150)
    code = forms.CharField(max_length=30)


class RenameForm(forms.Form):
    pseudonym = forms.CharField(required=False)

    def clean_pseudonym(self) -> str:
        """Empty means: draw another one for me."""
        pseudonym = unicodedata.normalize("NFC", " ".join(str(self.cleaned_data["pseudonym"]).split()))
        if pseudonym and not PSEUDONYM.fullmatch(pseudonym):
            raise ValidationError(
                f"A name has 1–30 letters, digits, spaces or ' . - and starts and ends with a letter or digit; "
                f"you entered {len(pseudonym)} characters."
            )
        return pseudonym

"""Recovery codes: without an e-mail address, the way back to an account whose password is lost.

Eight codes are made at a time and shown once, to print. Each opens the account once; only their digests are stored.
"""

from __future__ import annotations

import hashlib
import secrets

from django.contrib.auth.models import User
from django.db import transaction

from apps.accounts.models import RecoveryCode

CODES = 8
#: No letter or digit in it is read wrongly.
ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
LENGTH = 12


def make_codes(user: User) -> list[str]:
    """New codes; those made before open nothing any more."""
    codes = [_new_code() for _ in range(CODES)]
    with transaction.atomic():
        RecoveryCode.objects.filter(user=user).delete()
        RecoveryCode.objects.bulk_create([RecoveryCode(user=user, digest=_digest(code)) for code in codes])
    return codes


def codes_left(user: User) -> int:
    return RecoveryCode.objects.filter(user=user).count()


@transaction.atomic
def recover(username: str, code: str, password: str) -> User | None:
    """Set a new password with a code, which is used up; None if the two do not go together."""
    found = (
        RecoveryCode.objects.select_for_update()
        .filter(user__username__iexact=username.strip(), digest=_digest(code))
        .select_related("user")
        .first()
    )
    if found is None:
        return None
    user: User = found.user
    found.delete()
    user.set_password(password)
    user.save(update_fields=["password"])
    return user


def _new_code() -> str:
    letters = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    return "-".join(letters[at : at + 4] for at in range(0, LENGTH, 4))


def _digest(code: str) -> str:
    """Twelve letters of 31 are 59 bits: too many to try, so that a plain digest is enough. Dashes and case are free."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()

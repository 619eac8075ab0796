"""A promise before the dice fall: first the hash of a secret, then dice that follow from it, then the secret itself.

The secret is 32 random bytes, kept for a day under its hash and used once. The n-th die draws its entropy from
HMAC-SHA256(secret, n). Whoever saw the hash before the roll can check that nobody chose the dice afterwards.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from django.core.cache import cache

KEPT_FOR = 24 * 3600
ENTROPY_BYTES = 16


class CommittedSource:
    """Entropy for dice, all of it fixed by a secret."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self.drawn = 0

    def entropy(self) -> bytes:
        self.drawn += 1
        return entropy_of(self.secret, self.drawn)

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()


def entropy_of(secret: bytes, number: int) -> bytes:
    """What the die of this number, counted from 1, is drawn from."""
    return hmac.digest(secret, str(number).encode(), "sha256")[:ENTROPY_BYTES]


def commit() -> str:
    """Fix the dice of the next roll; the hash to show."""
    source = CommittedSource(secrets.token_bytes(32))
    cache.set(_key(source.commitment), source.secret.hex(), KEPT_FOR)
    return source.commitment


def take(commitment: str) -> CommittedSource | None:
    """The dice promised under this hash, once; None where there is no such promise any more."""
    if len(commitment) != 64 or not set(commitment) <= set("0123456789abcdef"):
        return None
    found = cache.get(_key(commitment))
    if found is None or not cache.delete(_key(commitment)):
        return None
    return CommittedSource(bytes.fromhex(found))


def _key(commitment: str) -> str:
    return f"dice-commitment:{commitment}"

"""Random names: two words and a number, none of them personal."""

import re

from apps.accounts.models import Player
from apps.accounts.names import CREATURES, QUALITIES, random_pseudonym


def test_a_name_is_two_words_and_a_number() -> None:
    for _ in range(500):
        quality, creature, number = random_pseudonym().split()
        assert quality in QUALITIES
        assert creature in CREATURES
        assert 100 <= int(number) <= 999


def test_the_lists_hold_distinct_plain_words() -> None:
    for words in (QUALITIES, CREATURES):
        assert len(words) == len(set(words)) > 80
        assert all(re.fullmatch("[A-Z][a-z]{2,10}", word) for word in words)


def test_every_name_fits_its_column() -> None:
    longest = max(map(len, QUALITIES)) + 1 + max(map(len, CREATURES)) + 4
    assert longest <= Player._meta.get_field("pseudonym").max_length


def test_a_player_is_called_by_it() -> None:
    assert str(Player(pseudonym="Calm Otter 123")) == "Calm Otter 123"


def test_names_differ() -> None:
    assert len({random_pseudonym() for _ in range(200)}) > 190

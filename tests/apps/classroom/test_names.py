"""Nicknames: friendly ones are offered, rude ones refused in any spelling, none looks like another."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest

from apps.accounts.models import Player
from apps.classroom.models import Membership
from apps.classroom.services import names
from tests.apps.classroom.lesson import browser, lesson
from tools import lookalikes

RUDE = [
    "Fuck You Ms Walk",
    "fuuuck",
    "F.u.c.k",
    "fu ck",
    "Fuсk",
    "Sh1t Head",
    "Arschloch",
    "Scheisse",
    "puta",
    "merde",
    "kurwa",
]
FINE = [
    "Ada",
    "Ben",
    "Cleo",
    "Dev",
    "Elif",
    "Finn",
    "Ines",
    "Kira",
    "Lena",
    "Mallory",
    "Noor",
    "Olga",
    "Pia",
    "Quentin",
    "Rafael",
    "Sofía",
    "Titus",
    "Ursula",
    "Vera",
    "Wen",
    "Xu",
    "Yusuf",
    "Zoe",
    "Cassandra",
    "Hancock",
    "Assunta",
    "Scunthorpe",
    "Penny",
    "Björn",
    "Łukasz",
    "Иван",
    "Анна",
    "Άννα",
    "李雷",
    "محمد",
    "Müller",
    "O'Neil",
]
ALIKE = [
    ("Ada", "Аda"),
    ("Ada", "ADA"),
    ("Ada", "Adá"),
    ("Lena", "1ena"),
    ("Bo", "B0"),
    ("Mila", "MiIa"),
    ("Tom", "Torn"),
]


@pytest.mark.parametrize("name", RUDE)
def test_a_rude_name_is_recognised_however_it_is_spelt(name: str) -> None:
    assert names.is_rude(name)


@pytest.mark.parametrize("name", FINE)
def test_names_that_people_have_are_fine(name: str) -> None:
    assert not names.is_rude(name)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_have_the_same_skeleton(one: str, other: str) -> None:
    assert names.skeleton(one) == names.skeleton(other)


def test_the_list_of_lookalikes_folds_as_unicodes_own_does() -> None:
    """Every character there is, in both forms that names are brought into before it is looked up."""
    every = [chr(number) for number in range(sys.maxunicode + 1)]
    for form in ("NFKC", "NFKD"):
        left = {part for letter in every for part in unicodedata.normalize(form, letter) if not part.isascii()}
        assert {letter: names._lookalikes().get(letter, letter) for letter in left} == {
            letter: lookalikes.plain(letter) for letter in left
        }
    assert lookalikes.FILE.read_text(encoding="utf-8").splitlines() == lookalikes.lines()


def test_a_process_that_judges_no_name_reads_no_list() -> None:
    """Imported everywhere, used by who lets students in: the lists cost memory only there."""
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from apps.classroom.services import names;"
            "print([name for name in sys.modules if name.startswith(('confusable', 'glin'))]);"
            "print(names._lookalikes.cache_info().misses)",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["[]", "0"]


def test_different_names_have_different_skeletons() -> None:
    assert len({names.skeleton(name) for name in FINE}) == len(FINE)


def test_three_friendly_names_that_nobody_has_are_offered() -> None:
    for _ in range(50):
        offered = names.offer(["Brave Otter"])
        assert len({names.skeleton(name) for name in offered}) == names.OFFERED
        assert all(len(name) <= 24 and not names.is_rude(name) for name in offered)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("nickname", "says"),
    [
        ("Fuck You Ms Walk", "That name is not for a classroom. Take one of those offered."),
        ("Аda", "Аda looks like Ada, who is in this class already. Take another nickname."),
        ("🦊 Fox", "🦊 cannot be part of a nickname"),
        ("x" * 60, "A nickname has at most 24 characters; you entered 60."),
        ("-Ada", "A nickname starts and ends with a letter or a digit."),
        ("A\u202eda", "An invisible character cannot be part of a nickname"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_offers_names(nickname: str, says: str) -> None:
    made = lesson("Ada")
    page = browser(Player.objects.create()).post(f"/classroom/join/{made.classroom.code}/", {"nickname": nickname})
    assert page.status_code == 422
    assert says in page.content.decode()
    assert page.content.decode().count('name="offered"') == names.OFFERED
    assert Membership.objects.count() == 1


@pytest.mark.django_db
def test_an_offered_name_joins_with_one_tap() -> None:
    made = lesson()
    client = browser(Player.objects.create())
    address = f"/classroom/join/{made.classroom.code}/"
    page = client.get(address).content.decode()
    offered = page.split('name="offered" value="')[1].split('"')[0]
    assert client.post(address, {"offered": offered}).status_code == 302
    assert Membership.objects.get().nickname == offered

"""A database made before practice was an app of its own opens unchanged: nothing is created, copied or lost."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from apps.practice.models import Answer, Drill, PlayedGame, SkillProfile

BEFORE = [("practice", None), ("classroom", "0003_slips_guesses_and_one_daily_attempt")]
TABLES = ("classroom_answer", "classroom_drill", "classroom_playedgame", "classroom_skillprofile")


def migrate(targets: list[tuple[str, str | None]]) -> Any:
    executor = MigrationExecutor(connection)
    return executor.migrate(targets).apps


@pytest.fixture
def old(transactional_db: None) -> Iterator[Any]:
    """The models as the version before had them, over the tables it made."""
    yield migrate(BEFORE)
    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())


def schema() -> dict[str, Any]:
    with connection.cursor() as cursor:
        return {table: sorted(connection.introspection.get_constraints(cursor, table)) for table in TABLES}


def test_practice_of_the_version_before_is_still_there(old: Any) -> None:
    player = old.get_model("accounts", "Player").objects.create(pseudonym="Ada")
    teacher = old.get_model("accounts", "Player").objects.create(pseudonym="Ms Walk")
    classroom = old.get_model("classroom", "Classroom").objects.create(teacher=teacher, name="7b", code="K7QF3M")
    member = old.get_model("classroom", "Membership").objects.create(classroom=classroom, player=player, nickname="Ada")
    task = old.get_model("classroom", "Assignment").objects.create(classroom=classroom, title="Five", task="positions")
    work = old.get_model("classroom", "Work").objects.create(assignment=task, member=member)
    game = old.get_model("dicee", "Game").objects.create(host=player, mode="solo", status="completed")
    seat = old.get_model("dicee", "Seat").objects.create(game=game, player=player, player_ref=uuid.uuid4())
    old.get_model("classroom", "Answer").objects.create(
        player=player, work=work, source="work", position="p", choice="555"
    )
    old.get_model("classroom", "Drill").objects.create(player=player, position="p", concept="straights", source="own")
    old.get_model("classroom", "PlayedGame").objects.create(seat=seat, digest={"n": 1}, finished_at=timezone.now())
    old.get_model("classroom", "SkillProfile").objects.create(player=player, profile={"games": 3}, games=3)
    before = schema()

    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())

    assert schema() == before
    answer = Answer.objects.get()
    assert (answer.choice, answer.work.assignment.title) == ("555", "Five")
    assert Drill.objects.get().player.pseudonym == "Ada"
    assert PlayedGame.objects.get().digest == {"n": 1}
    assert SkillProfile.objects.get().profile == {"games": 3}
    with pytest.raises(LookupError):
        migrate(MigrationExecutor(connection).loader.graph.leaf_nodes()).get_model("classroom", "Drill")

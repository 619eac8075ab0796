"""The lane for computed questions: bounded in all, for each caller, and in how many compute at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from apps.core import lane
from apps.core.lane import Lane, LaneFullError, computed


def test_as_many_compute_at_once_as_it_says_and_the_others_wait() -> None:
    small = Lane(places=6, at_once=2, each=6)
    inside, most, lock = [0], [0], threading.Lock()
    both = threading.Barrier(2)

    def question(number: int) -> None:
        with small.place("someone"):
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            if number < 2:
                both.wait(30)  # the first two are inside together
            with lock:
                inside[0] -= 1

    with ThreadPoolExecutor(6) as people:
        list(people.map(question, range(6)))
    assert most == [2]
    assert small._inside.total() == 0


@pytest.fixture
def held() -> Callable[[Lane, str], threading.Event]:
    def hold(one: Lane, who: str) -> threading.Event:
        done, begun = threading.Event(), threading.Event()

        def question() -> None:
            with one.place(who):
                begun.set()
                done.wait(30)

        threading.Thread(target=question, daemon=True).start()
        assert begun.wait(30)
        return done

    return hold


def test_nobody_takes_every_place(held: Callable[[Lane, str], threading.Event]) -> None:
    small = Lane(places=3, at_once=3, each=2)
    ends = [held(small, "greedy"), held(small, "greedy")]
    with pytest.raises(LaneFullError, match="2 of your questions"), small.place("greedy"):
        pass
    ends.append(held(small, "another"))
    with pytest.raises(LaneFullError, match="Many long questions"), small.place("a third"):
        pass
    for end in ends:
        end.set()


def test_who_waits_too_long_is_told_and_leaves_no_trace(held: Callable[[Lane, str], threading.Event]) -> None:
    small = Lane(places=3, at_once=1, each=2)
    end = held(small, "first")
    with pytest.raises(LaneFullError), small.place("second", patience=0.05):
        pass
    assert small._inside == {"first": 1}
    end.set()


@pytest.mark.django_db
def test_a_full_lane_refuses_questions_and_lets_play_through(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch, held: Callable[[Lane, str], threading.Event]
) -> None:
    monkeypatch.setattr(lane, "LANE", Lane(places=1, at_once=1, each=1))
    end = held(lane.LANE, "192.0.2.7")
    answer = computed(lambda request: HttpResponse("answered"))
    for address in ("/api/v1/compute/dicee.simulate", "/killteam/fight/"):
        refused = answer(rf.get(address, headers={"Accept": "application/json"}))
        assert refused.status_code == 429
        assert refused["Retry-After"] == "5"
    for address in ("/dicee/", "/", "/api/v1/games/x/roll"):
        assert answer(rf.get(address)).content == b"answered"
    end.set()

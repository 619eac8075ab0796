"""Cards and positions for tests: from reference rows, and drawn by Hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.dicee.analysis import Position
from engine.dicee.boxes import BOXES, Scorecard, Variant, possible_points

REFERENCE_VARIANT = {"standard": "standard", "forced_joker": "forced_dicee", "free_joker": "joker_rules"}


def card_points(row: dict) -> dict[str, int]:
    """Some points that leave the boxes, the upper total and the Dicee box of a reference row."""
    filled = [box for box in BOXES if box not in row["open"]]
    ways: dict[int, list[int]] = {0: []}
    upper = [box for box in filled if box in BOXES[:6]]
    for box in upper:
        face = BOXES.index(box) + 1
        ways = {total + face * count: [*way, face * count] for total, way in ways.items() for count in range(6)}
    points = next(way for total, way in ways.items() if min(total, 63) == row["upper"])
    card = dict.fromkeys(filled, 0) | dict(zip(upper, points, strict=True))
    if "chance" in card:
        card["chance"] = 20
    if "dicee" in card:
        card["dicee"] = 50 * row["bonus_flag"]
    return card


def position(row: dict) -> Position:
    card = Scorecard.from_wire(card_points(row))
    return Position(card, Variant(REFERENCE_VARIANT[row["variant"]]), tuple(row["dice"]), row["rolls_left"])


faces = st.integers(1, 6)
five_dice = st.tuples(faces, faces, faces, faces, faces)
variants = st.sampled_from(Variant)


@st.composite
def scorecards(draw, least_open: int = 1) -> Scorecard:
    open_boxes = draw(st.sets(st.sampled_from(BOXES), min_size=least_open))
    points = tuple(
        None if box in open_boxes else draw(st.sampled_from(sorted(possible_points(number))))
        for number, box in enumerate(BOXES)
    )
    filled = 13 - len(open_boxes)
    most = max(0, filled - 1) if points[BOXES.index("dicee")] == 50 else 0
    return Scorecard(points, 100 * draw(st.integers(0, most)))


@st.composite
def positions(draw) -> Position:
    return Position(draw(scorecards()), draw(variants), draw(five_dice), draw(st.integers(0, 2)))

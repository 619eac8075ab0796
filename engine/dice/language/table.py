"""What is read off dice lying on the table: plain definitions over the faces rolled, one die after the other.

Rolling uses them as they are. The exact algorithms of ``pools`` give the same answers for all rolls at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.dice.language import syntax


def ranks(keep: syntax.Keep | syntax.Trim, size: int) -> tuple[int, int]:
    """How many dice are left out at the high end and at the low end, of ``size`` dice.

    >>> pool = syntax.Dice(syntax.Number(4), syntax.Number(6))
    >>> ranks(syntax.Keep(pool, "highest", 3), 4), ranks(syntax.Keep(pool, "middle", 2), 4)
    ((0, 1), (1, 1))
    """
    if isinstance(keep, syntax.Trim):
        high = min(keep.high, size)
        return high, min(keep.low, size - high)
    number = min(keep.number, size)
    left_out = number if keep.drop else size - number
    if keep.which == "middle":
        return (left_out // 2, left_out - left_out // 2)
    return (left_out, 0) if (keep.which == "highest") == keep.drop else (0, left_out)


def kept(faces: Sequence[int], high: int, low: int) -> int:
    """The sum without the ``high`` highest and the ``low`` lowest.

    >>> kept([3, 6, 1, 5], 0, 1)
    14
    """
    return sum(sorted(faces, reverse=True)[high : len(faces) - low])


def counted(count: syntax.Count, faces: Sequence[int], top: int) -> int:
    """The result of a count; ``top`` is the highest face of the dice.

    >>> pool = syntax.Dice(syntax.Number(3), syntax.Number(6))
    >>> counted(syntax.Count(pool, syntax.Faces(">=", 5), minus=syntax.Faces(listed=(1,))), [6, 5, 1], 6)
    1
    """
    botch = count.botch
    failed = botch is not None and not any(succeeds(count, face, top) for face in faces)
    if failed and botch is not None and any(botch.include(face, top) for face in faces):
        return -1
    total = sum(score(count, face, top) for face in faces)
    return max(0, total) if count.cancel is not None else total


def succeeds(count: syntax.Count, face: int, top: int) -> bool:
    return count.faces.include(face, top) or (count.twice is not None and count.twice.include(face, top))


def score(count: syntax.Count, face: int, top: int) -> int:
    """What one die adds to a count."""
    points = 2 if count.twice is not None and count.twice.include(face, top) else int(count.faces.include(face, top))
    for taken in (count.minus, count.cancel):
        points -= int(taken is not None and taken.include(face, top))
    return points


def asked(question: syntax.PoolQuestion, size: int, faces: Sequence[int]) -> int:
    """A question about all dice together. Of the highest die and how many show it, the two as one number.

    >>> asked("largest_set", 0, [2, 5, 2, 2]), asked("longest_run", 0, [2, 5, 3, 4]), asked("sets", 2, [1, 1, 2, 2])
    (3, 4, 2)
    """
    numbers = Counter(faces)
    if question == "sum":
        return sum(faces)
    if question == "sets":
        return sum(number >= size for number in numbers.values())
    if question == "largest_set":
        return max(numbers.values(), default=0)
    if question == "different":
        return len(numbers)
    if question == "highest_count":
        return highest_code(max(faces), numbers[max(faces)]) if faces else highest_code(0, 0)
    return longest_run(numbers)


def longest_run(numbers: Counter[int]) -> int:
    longest = 0
    for face in numbers:
        if face - 1 not in numbers:
            end = face
            while end + 1 in numbers:
                end += 1
            longest = max(longest, end - face + 1)
    return longest


#: The highest die and how many show it, as one number: more than any pool has dice.
HIGHEST_STEP = 1024


def highest_code(face: int, number: int) -> int:
    return face * HIGHEST_STEP + number


def highest_label(code: int) -> str:
    """
    >>> highest_label(highest_code(6, 2))
    '6 ×2'
    """
    face, number = divmod(code, HIGHEST_STEP)
    return f"{face} ×{number}"


def paired_off(left: Sequence[int], right: Sequence[int], ties_to_left: bool) -> int:
    """How many pairs the left wins, both laid out from the highest down.

    >>> paired_off([6, 3, 1], [5, 3], ties_to_left=False)
    1
    """
    pairs = zip(sorted(left, reverse=True), sorted(right, reverse=True), strict=False)
    return sum(a > b or (ties_to_left and a == b) for a, b in pairs)


def divided(left: int, right: int, rounding: syntax.Rounding) -> int:
    """A quotient rounded down, up, or to the nearest (halves up).

    >>> divided(7, 2, "down"), divided(7, 2, "up"), divided(7, 2, "nearest"), divided(-7, 2, "down")
    (3, 4, 4, -4)
    """
    if rounding == "down":
        return left // right
    if rounding == "up":
        return -(-left // right)
    if right < 0:
        left, right = -left, -right
    return (2 * left + right) // (2 * right)


def band(bands: syntax.Bands, value: int) -> str:
    """The name of the band a value falls in.

    >>> band(syntax.Bands(syntax.Number(0), (5, 50), ("critical", "success", "failure")), 6)
    'success'
    """
    for end, label in zip(bands.ends, bands.labels, strict=False):
        if value <= end:
            return label
    return bands.labels[-1]

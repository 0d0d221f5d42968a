"""How often each face of the dice came up in a game, compared with fair dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from sheets.dice_sequence import FACES
from sheets.stats import binomial_p_value, binomial_range, find_significant

MIN_DICE: Final = 60
"""Minimum number of dice for a comparison: about 10 of each face."""


class FaceCount(NamedTuple):
    """How often a face came up; ``is_usual`` is whether that is in the range of fair dice."""

    face: int
    times: int
    is_usual: bool


class FaceCounts(NamedTuple):
    """Counts of all faces.

    Attributes:
        total: number of dice.
        faces: the counts, from 1 to 6.
        expected: rounded count of each face that is expected with fair dice.
        low, high: range in which the count of a face lies at 95 % with fair dice.
        finding: ``few`` for fewer dice than `MIN_DICE`; ``rare`` if fair dice yield such counts in
            fewer than 5 of 100 games, by Holm's correction for six faces; else ``usual``.
    """

    total: int
    faces: tuple[FaceCount, ...]
    expected: int
    low: int
    high: int
    finding: Literal["few", "rare", "usual"]


def count_faces(dice: Iterable[int]) -> FaceCounts:
    """Return the counts of dice."""
    counted = Counter(dice)
    total, share = counted.total(), 1 / FACES
    low, high = binomial_range(total, share)
    faces = tuple(
        FaceCount(face, counted[face], low <= counted[face] <= high) for face in range(1, FACES + 1)
    )
    if total < MIN_DICE:
        return FaceCounts(total, faces, round(total * share), low, high, "few")
    p_values = [binomial_p_value(one.times, total, share) for one in faces]
    finding: Literal["rare", "usual"] = "rare" if any(find_significant(p_values)) else "usual"
    return FaceCounts(total, faces, round(total * share), low, high, finding)

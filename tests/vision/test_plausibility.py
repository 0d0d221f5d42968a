"""Plausibility check: marks that no legal game can produce are asked about, and not changed."""

from __future__ import annotations

import pytest

from sheets.levels import shipped_levels
from sheets.rules.documents.level import parse_level
from sheets.vision.mark_kinds import CROSS, EMPTY
from sheets.vision.plausibility import find_implausible

LEVEL = shipped_levels()["level-1"]


def best(*crosses: str) -> dict[str, str]:
    return {one.name: CROSS if one.name in crosses else EMPTY for one in LEVEL.fields}


def chain(count: int) -> list[str]:
    """So many crosses that begin at a printed one, without locks."""
    reached, found = LEVEL.printed, []
    while len(found) < count:
        new = LEVEL.touching(reached) & ~reached & ~LEVEL.by_symbol["lock"]
        name = LEVEL.names(new)[0]
        found.append(name)
        reached |= LEVEL.mask([name])
    return found


def test_a_legal_sheet_raises_no_question() -> None:
    assert find_implausible(LEVEL, best(*chain(12))) == set()


def test_a_cross_that_touches_no_other_is_doubted() -> None:
    crosses = chain(12)
    around = LEVEL.touching(LEVEL.mask(crosses) | LEVEL.printed)
    free = LEVEL.crossable & ~around & ~LEVEL.mask(crosses) & ~LEVEL.by_symbol["lock"]
    lonely = LEVEL.names(free)[-1]
    assert find_implausible(LEVEL, best(*crosses, lonely)) == {lonely}


def test_scattered_marks_everywhere_raise_no_question() -> None:
    everywhere = [one.name for i, one in enumerate(LEVEL.fields) if i % 3 == 0]
    assert find_implausible(LEVEL, best(*everywhere)) == set()


@pytest.mark.parametrize(("first", "doubted"), [("1x", {"b1"}), ("1", set())])
def test_a_level_without_printed_crosses_is_not_checked(first: str, doubted: set[str]) -> None:
    grid = [f"{first} 2R 3 4 5 6 1 2 3 4P"]
    small = {"format": "dizzle-level/1", "id": "small", "name": "Small", "grid": grid, "points": {}}
    level = parse_level(small)
    crosses = level.crossable & ~level.planets
    read = {
        one: CROSS if one in level.names(crosses) else EMPTY for one in level.names(level.crossable)
    }
    assert find_implausible(level, read) == doubted

"""Plausibility check: marks that cannot result from a legal game are asked about, never changed.

The check applies only to sheets that are legal except for a few marks. A player who marks fields at
will plays another game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sheets.rules.doubts import find_doubts
from sheets.rules.level import SHAPES, Level
from sheets.rules.paper_scoring import Paper
from sheets.rules.sheet import finished_sheet
from sheets.vision.mark_kinds import CROSS, EXPLODED, LAVA

MAX_DOUBTED_SHARE: Final = 0.15
"""Maximum share of doubted marks on a sheet; above it, the sheet is not checked."""

ALWAYS_REPORTED: Final = 2
"""Number of doubted marks that are always reported, on sheets with few marks."""


def find_implausible(level: Level, best: Mapping[str, str]) -> set[str]:
    """Return the fields whose marks, or missing marks, break the rules.

    Args:
        best: the most likely kind of each field, one of `sheets.vision.mark_kinds.MARK_KINDS`.
    """

    def mask(*kinds: str) -> int:
        return level.mask(name for name, kind in best.items() if kind in kinds)

    sheet = finished_sheet(
        level,
        crosses=mask(CROSS, *SHAPES),
        exploded=mask(EXPLODED),
        lava=mask(LAVA),
        tracks={name: kind for name, kind in best.items() if kind in SHAPES},
    )
    doubts = find_doubts(Paper(level, "", ("",), (sheet,), is_solo=False, unclear=()))
    if any(doubt.name == "no-start" for doubt in doubts):
        return set()  # without a start, legality cannot be decided
    found = {name for doubt in doubts for name in doubt.fields} & set(best)
    marked = sum(kind in (CROSS, EXPLODED, LAVA, *SHAPES) for kind in best.values())
    return found if len(found) <= max(ALWAYS_REPORTED, MAX_DOUBTED_SHARE * marked) else set()

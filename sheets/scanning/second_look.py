"""Can what was read have come about in a legal game? What cannot is asked about, never changed.

Only a sheet that is legal but for a few marks tells anything: whoever has marked fields as they
liked has not broken the rules here and there, but plays something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sheets.rules.doubts import find_doubts
from sheets.rules.level import SHAPES, Level
from sheets.rules.paper import Paper
from sheets.rules.sheet import finished_sheet
from sheets.scanning.kinds import CROSS, EXPLODED, LAVA

MOST_DOUBTED: Final = 0.15
"""The share of a sheet's marks up to which doubts are about single marks."""

ALWAYS_TOLD: Final = 2


def find_illegal(level: Level, best: Mapping[str, str]) -> set[str]:
    """The fields whose marks, or missing marks, cannot be.

    Args:
        best: by field what was read, one of `sheets.scanning.kinds.KINDS`.
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
        return set()  # whether it was a legal game cannot be told
    found = {name for doubt in doubts for name in doubt.fields} & set(best)
    marked = sum(kind in (CROSS, EXPLODED, LAVA, *SHAPES) for kind in best.values())
    return found if len(found) <= max(ALWAYS_TOLD, MOST_DOUBTED * marked) else set()

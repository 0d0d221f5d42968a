"""Factory for scored games of groups with a given result, without drawing sheets."""

from __future__ import annotations

from collections.abc import Mapping

from sheets.levels import find_level
from sheets.models import Scoring
from sheets.scoring import store


def create_scoring(crosses: Mapping[str, int], level: str = "level-1") -> tuple[str, Scoring]:
    """Create a settled scoring with these numbers of crosses by player; return its key and it."""
    key = store.create(find_level(level), list(crosses))
    access = store.find(key)
    for sheet, count in zip(access.resource.sheets.all(), crosses.values(), strict=True):
        names = [field.name for field in find_level(level).fields if not field.printed]
        for at in names[:count]:
            sheet.marks.create(at=at, value="cross")
        store.confirm_blank(access, sheet.number)
    return key, store.find(key).resource

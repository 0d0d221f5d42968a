"""Cached levels of tables and scorings, as they were when the game began."""

from __future__ import annotations

import json
from functools import lru_cache

from sheets.models.scorings import Scoring
from sheets.models.tables import Table
from sheets.rules import Level, parse_level


@lru_cache(maxsize=256)
def kept_level(kind: type[Scoring] | type[Table], **which: object) -> Level:
    """Return the level of a scoring or table; it never changes, so it is cached.

    Args:
        which: primary key, and a unique value that a database restored from a backup does not
            assign to another row: ``pk=3, key_digest="5f…"``.

    Raises:
        ObjectDoesNotExist: there is no such row.
    """
    level = kind._default_manager.values_list("level", flat=True).get(**which)
    return _parse(json.dumps(level, sort_keys=True))


@lru_cache(maxsize=64)
def _parse(text: str) -> Level:
    """Return the same object for equal levels, so that each is drawn once."""
    return parse_level(json.loads(text))

"""Cached levels of stored games, as they were when the game began."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sheets.models.scorings import Scoring
from sheets.models.tables import Table
from sheets.rules import Level, parse_level


@lru_cache(maxsize=256)
def stored_level(kind: type[Scoring] | type[Table], **which: object) -> Level:
    """Return the level of a scoring or table; it never changes, so it is cached.

    Args:
        which: the row: ``pk=3, key_digest="5f…"``. The primary key alone is not enough, because a
            database restored from a backup can assign it to another row.

    Raises:
        ObjectDoesNotExist: there is no such row.
    """
    return parse_stored(kind._default_manager.values_list("level", flat=True).get(**which))


def parse_stored(document: Mapping[str, Any]) -> Level:
    """Return the level of a stored document, cached: the same object for equal documents."""
    return _parse(json.dumps(document, sort_keys=True))


@lru_cache(maxsize=64)
def _parse(text: str) -> Level:
    return parse_level(json.loads(text))

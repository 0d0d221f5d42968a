"""Which level is a table or a scoring of? As it was when that began, however its file changes."""

from __future__ import annotations

import json
from functools import lru_cache

from sheets.models.scorings import Scoring
from sheets.models.tables import Table
from sheets.rules import Level, parse_level


@lru_cache(maxsize=256)
def kept_level(kind: type[Scoring] | type[Table], **which: object) -> Level:
    """The level of a scoring or table, which never changes: it is read from the database once.

    Args:
        which: its number, and something that no other has and that a database restored from a
            backup does not give anew: ``pk=3, key_digest="5f…"``.

    Raises:
        ObjectDoesNotExist: there is none.
    """
    level = kind._default_manager.values_list("level", flat=True).get(**which)
    return _parse(json.dumps(level, sort_keys=True))


@lru_cache(maxsize=64)
def _parse(text: str) -> Level:
    """One level for all that are of the same, so that what is drawn of it is drawn once."""
    return parse_level(json.loads(text))

"""Content digests (SHA-256) that identify a game, as a log or as finished sheets.

The same game has the same digest as a document, at its table and in a scoring, regardless of the
document's formatting and the level's name.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from sheets.rules.dice2.record import Dice2Record, RelayRecord, format_dice2, format_relay
from sheets.rules.documents.game import Record, format_action
from sheets.rules.documents.level import format_level
from sheets.rules.documents.sheets import format_sheets
from sheets.rules.level import Level
from sheets.rules.paper_scoring import Paper

IGNORED_KEYS: Final = ("id", "name", "about")
"""The keys of a level document that do not affect play."""


def level_content(level: Level) -> str:
    """Return everything of a level that affects play, as canonical JSON text."""
    document = {k: v for k, v in format_level(level).items() if k not in IGNORED_KEYS}
    return json.dumps(document, sort_keys=True, default=str)


def paper_digest(paper: Paper, names: Sequence[str]) -> str:
    """Return the digest of finished sheets, 64 hex digits; ``names`` are the players' names."""
    sheets = [sheet | {"player": ""} for sheet in format_sheets(paper)["sheets"]]
    return _digest("sheets", level_content(paper.level), names, [paper.is_solo, sheets])


def record_digest(record: Record, names: Sequence[str]) -> str:
    """Return the digest of a recorded game, 64 hex digits; ``names`` are the players' names."""
    actions = [format_action(action) for action in record.actions]
    return _digest("game", level_content(record.level), names, [record.is_tracked, actions])


def dice2_digest(record: Dice2Record | RelayRecord, names: Sequence[str]) -> str:
    """Return the digest of a Dice² game or relay, 64 hex digits.

    ``names`` are the players' names.
    """
    record = record._replace(dice_proof=None)
    document = format_relay(record) if isinstance(record, RelayRecord) else format_dice2(record)
    return _digest("dice2", "", names, [document | {"players": []}])


def _digest(kind: str, level: str, names: Sequence[str], played: list[Any]) -> str:
    content = [kind, level, [name.casefold() for name in names], played]
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

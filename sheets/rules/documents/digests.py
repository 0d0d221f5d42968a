"""What tells a game from all others, wherever it comes from: as a log, or as finished sheets?

The same game has the same digest as a document, at its table and in a scoring, however the document
was written, and whatever its level is called.
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
from sheets.rules.paper import Paper

SAYS_NOTHING: Final = ("id", "name", "about")
"""What of a level may differ while it is the same to play."""


def level_content(level: Level) -> str:
    """All of a level that matters to who plays it, as text."""
    document = {k: v for k, v in format_level(level).items() if k not in SAYS_NOTHING}
    return json.dumps(document, sort_keys=True, default=str)


def paper_digest(paper: Paper, names: Sequence[str]) -> str:
    """The digest of finished sheets, 64 letters; ``names`` are those of their players."""
    sheets = [sheet | {"player": ""} for sheet in format_sheets(paper)["sheets"]]
    return _digest("sheets", level_content(paper.level), names, [paper.is_solo, sheets])


def record_digest(record: Record, names: Sequence[str]) -> str:
    """The digest of a recorded game, 64 letters; ``names`` are those of its players."""
    actions = [format_action(action) for action in record.actions]
    return _digest("game", level_content(record.level), names, [record.is_tracked, actions])


def dice2_digest(record: Dice2Record | RelayRecord, names: Sequence[str]) -> str:
    """The digest of a game of Dice² or a relay, 64 letters; ``names`` are those of its players."""
    document = format_relay(record) if isinstance(record, RelayRecord) else format_dice2(record)
    return _digest("dice2", "", names, [document | {"players": []}])


def _digest(kind: str, level: str, names: Sequence[str], played: list[Any]) -> str:
    told = [kind, level, [name.casefold() for name in names], played]
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()

"""Storage of opened game files: keep, find by key.

A game file is opened for viewing and is stored unchanged. Its key follows from its content, so only
a holder of the file can know it, and storing is idempotent: the same game always has the same key.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.utils.translation import gettext as _

from sheets.access.keys import derive_key, digest, find_by_edit_key, note_visit
from sheets.models import GameFile
from sheets.names.confusables import shown_names
from sheets.rules import RuleViolation
from sheets.rules.documents.game import Record, format_game, parse_game, replay_actions
from sheets.text.refusals import explain


class BrokenGame(ValueError):
    """A game that breaks a rule.

    Attributes:
        position: number of the action that breaks it, counted from 1.
        violation: the broken rule.
        players: the players' names.
    """

    def __init__(self, position: int, violation: RuleViolation, players: Sequence[str]) -> None:
        super().__init__(f"act {position}: {violation}")
        self.position = position
        self.violation = violation
        self.players = players

    @property
    def sentence(self) -> str:
        """Which act breaks which rule."""
        why = explain(self.violation, self.players)
        return _("Move %(position)d breaks a rule: %(why)s") % {
            "position": self.position,
            "why": why,
        }


def store_game(record: Record) -> str:
    """Store a game unless it is stored already, and return its key. Raises BrokenGame."""
    _game, applied, violation = replay_actions(record.start(), record.actions)
    if violation:
        raise BrokenGame(applied + 1, violation, shown_names(record.players))
    # A shipped level may change later; without its id the game keeps the level it was played on.
    document = json.dumps(format_game(record._replace(level_id="")))
    key = derive_key("sheets.game_files", document)
    file, is_new = GameFile.objects.get_or_create(
        key_digest=digest(key), defaults={"document": document}
    )
    if not is_new:
        note_visit(file)
    return key


def find(key: str) -> Record:
    """Return the game stored under a key, and mark it as visited. Raises UnknownKey.

    The players have the names by which they are shown everywhere.
    """
    file = file_of(key)
    note_visit(file)
    record = parse_game(json.loads(file.document))
    return record._replace(players=tuple(shown_names(record.players)))


def file_of(key: str) -> GameFile:
    """Return the row stored under a key. Raises UnknownKey."""
    return find_by_edit_key(GameFile.objects.all(), key)

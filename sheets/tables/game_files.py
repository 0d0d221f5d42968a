"""Use cases of opened game files: keep one, find it again by its key, forget the old ones.

A game file is opened to be looked at, so it is kept as it came, under a key that only who has the
file can ask for: the same game has the same key, however often and by whomever it is opened.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from sheets.access.keys import digest, key_of, note_visit, only_with_key
from sheets.models import GameFile
from sheets.people.alike import shown_names
from sheets.rules import RuleViolation
from sheets.rules.documents.game import Record, format_game, parse_game, replay_actions
from sheets.texts.refusals import explain


class BrokenGame(ValueError):
    """A game that breaks a rule; ``position`` is the act that does, counted from 1.

    ``players`` is what its people are called.
    """

    def __init__(self, position: int, violation: RuleViolation, players: Sequence[str]) -> None:
        super().__init__(f"act {position}: {violation}")
        self.position = position
        self.violation = violation
        self.players = players

    @property
    def sentence(self) -> str:
        """Where the game breaks which rule."""
        why = explain(self.violation, self.players)
        return _("Move %(position)d breaks a rule: %(why)s") % {
            "position": self.position,
            "why": why,
        }


def keep(record: Record) -> str:
    """Keep a game, unless it is kept already, and give its key. Raises BrokenGame."""
    _game, applied, violation = replay_actions(record.start(), record.actions)
    if violation:
        raise BrokenGame(applied + 1, violation, shown_names(record.players))
    # A level of ours may change; the game was played on it as it is now.
    document = json.dumps(format_game(record._replace(level_id="")))
    key = _key_of(document)
    file, is_new = GameFile.objects.get_or_create(
        key_digest=digest(key), defaults={"document": document}
    )
    if not is_new:
        note_visit(file)
    return key


def find(key: str) -> Record:
    """The game kept under a key, its players as names are shown everywhere. Raises UnknownKey.

    It counts as looked at today.
    """
    file = only_with_key(GameFile.objects.all(), key)
    note_visit(file)
    record = parse_game(json.loads(file.document))
    return record._replace(players=tuple(shown_names(record.players)))


def file_of(key: str) -> GameFile:
    """What is kept under a key. Raises UnknownKey."""
    return only_with_key(GameFile.objects.all(), key)


def prune(before: datetime) -> int:
    """Forget the games nobody has looked at since; gives how many."""
    return GameFile.objects.filter(touched__lt=before).delete()[0]


def _key_of(document: str) -> str:
    """The key of a game, 192 bits that follow from it and from the secret of this site."""
    made = salted_hmac("sheets.game_files", document, algorithm="sha256").digest()
    return key_of(made)

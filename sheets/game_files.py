"""Use cases of opened game files: keep one, find it again by its key, forget the old ones.

A game file is opened to be looked at, so it is kept as it came, under a key nobody can guess.
"""

from __future__ import annotations

import json
import secrets
from datetime import datetime, timedelta

from django.utils import timezone

from sheets.keys import digest
from sheets.models import GameFile
from sheets.rules import RuleViolation
from sheets.rules.record import Record, format_game, parse_game, replay_actions


class UnknownFile(LookupError):
    """No game is kept under this key."""


class BrokenGame(ValueError):
    """A game that breaks a rule; ``position`` is the act that does, counted from 1."""

    def __init__(self, position: int, violation: RuleViolation) -> None:
        super().__init__(f"act {position}: {violation}")
        self.position = position
        self.violation = violation


def keep(record: Record) -> str:
    """Keep a game and give its key. Raises BrokenGame."""
    _game, applied, violation = replay_actions(record.start(), record.actions)
    if violation:
        raise BrokenGame(applied + 1, violation)
    key = secrets.token_urlsafe(24)
    # A level of ours may change; the game was played on it as it is now.
    document = json.dumps(format_game(record._replace(level_id="")))
    GameFile.objects.create(key_digest=digest(key), document=document)
    return key


def find(key: str) -> Record:
    """The game kept under a key, which counts as looked at today. Raises UnknownFile."""
    file = GameFile.objects.filter(key_digest=digest(key)).first()
    if file is None:
        raise UnknownFile
    now = timezone.now()
    if now - file.touched > timedelta(days=1):
        GameFile.objects.filter(pk=file.pk).update(touched=now)
    return parse_game(json.loads(file.document))


def prune(before: datetime) -> int:
    """Forget the games nobody has looked at since; gives how many."""
    return GameFile.objects.filter(touched__lt=before).delete()[0]

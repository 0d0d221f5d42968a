"""`manage.py replay`: replay recorded games of Dizzle and print their state."""

from __future__ import annotations

from functools import partial
from typing import Any

from sheets.documents.structure import read_game
from sheets.levels import find_level
from sheets.management.replay_command import ReplayCommand
from sheets.rules.documents.game import replay_record
from sheets.text.refusals import explain


class Command(ReplayCommand):
    """``replay GAME`` or ``replay --lines FILE``."""

    help = "Replays a dizzle-game/1 document and prints its state as JSON."

    def result_of(self, text: bytes) -> dict[str, Any]:
        """Return the result document of a game. Raises DocumentError."""
        record = read_game(text, find_level)
        return replay_record(record, partial(explain, players=record.players))

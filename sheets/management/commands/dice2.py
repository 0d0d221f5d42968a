"""`manage.py dice2`: replay recorded games of Dice² and print their state."""

from __future__ import annotations

from functools import partial
from typing import Any

from sheets.documents.dice2 import read_dice2
from sheets.management.replay_command import ReplayCommand
from sheets.rules.dice2.record import replay_dice2
from sheets.text.dice2.refusals import explain_dice2


class Command(ReplayCommand):
    """``dice2 GAME`` or ``dice2 --lines FILE``."""

    help = "Replays a dice2-game/1 document and prints its state as JSON."

    def result_of(self, text: bytes) -> dict[str, Any]:
        """Return the result document of a game. Raises DocumentError."""
        record = read_dice2(text)
        return replay_dice2(record, partial(explain_dice2, players=record.players))

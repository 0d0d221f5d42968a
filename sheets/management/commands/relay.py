"""`manage.py relay`: replay a recorded relay of Dice² and print its state."""

from __future__ import annotations

from functools import partial
from typing import Any

from sheets.documents.dice2 import read_relay
from sheets.management.document_command import BREAKS_A_RULE, DocumentCommand, read_bytes
from sheets.rules.dice2.record import replay_relay
from sheets.text.dice2.refusals import explain_dice2


class Command(DocumentCommand):
    """``relay FILE``."""

    help = "Replays a dice2-relay/1 document and prints its state as JSON."

    def run(self, **options: Any) -> None:
        """Print points, next starter and winners; exit status 1 if the relay breaks a rule."""
        record = read_relay(read_bytes(options["file"]))
        result = replay_relay(record, partial(explain_dice2, players=record.players))
        self.print_document(result)
        if not result["ok"]:
            raise SystemExit(BREAKS_A_RULE)

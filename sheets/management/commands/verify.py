"""`manage.py verify`: compute the dice of a recorded game again."""

from __future__ import annotations

from typing import Any

from sheets.dice_sequence import SHARED_DICE, DiceCheck, DieMismatch, check_dice, thrown_dice
from sheets.documents.dice2 import read_dice2, read_relay
from sheets.documents.opened import DICE2_FORMATS, format_of
from sheets.documents.structure import read_game
from sheets.levels import find_level
from sheets.management.command_errors import CommandRefused
from sheets.management.document_command import BREAKS_A_RULE, DocumentCommand, read_bytes
from sheets.rules.dice2.record import Dice2Record, RelayRecord
from sheets.rules.documents.game import Record


class Command(DocumentCommand):
    """``verify GAME``."""

    help = (
        "Computes the dice of a dizzle-game/1, dice2-game/1 or dice2-relay/1 document again from "
        "the seed in it, and prints what agrees as JSON."
    )

    def run(self, **options: Any) -> None:
        """Print the result of the check; exit status 1 if anything differs."""
        record = _record_in(read_bytes(options["file"]))
        if record.dice_proof is None:
            raise CommandRefused(
                "contains no “dice_proof”: only the files of finished games whose dice the app "
                "rolled have one"
            )
        check = check_dice(record.dice_proof, thrown_dice(record))
        self.print_document(_format(check, record.dice_proof.commitment))
        if not check.is_good:
            raise SystemExit(BREAKS_A_RULE)


def _record_in(text: bytes) -> Record | Dice2Record | RelayRecord:
    """Parse the document of a game of any kind. Raises DocumentError."""
    written = format_of(text)
    if written not in DICE2_FORMATS:
        return read_game(text, find_level)
    return read_relay(text) if written == "dice2-relay/1" else read_dice2(text)


def _format(check: DiceCheck, commitment: str) -> dict[str, Any]:
    """Return the output of the command."""
    return {
        "ok": check.is_good,
        "commitment": commitment,
        "keeps_commitment": check.keeps_commitment,
        "agree": check.agreeing,
        "differ": check.differing,
        "later": check.thrown_after_reveal,
        "error": _format_error(check),
    }


def _format_error(check: DiceCheck) -> dict[str, Any] | None:
    """Return what differs: the commitment, else the first die; None for nothing."""
    if not check.keeps_commitment:
        message = "The commitment is not the SHA-256 of the seed."
        return {"action": None, "message": message}
    return _format_die(check.first_mismatch) if check.first_mismatch else None


def _format_die(other: DieMismatch) -> dict[str, Any]:
    thrown = other.thrown
    whose = "" if other.player == SHARED_DICE else f" of player {other.player}"
    game = {} if thrown.game is None else {"game": thrown.game}
    message = f"Die {other.position}{whose} is {thrown.number}; the seed gives {other.expected}."
    return {**game, "action": thrown.action, "message": message}

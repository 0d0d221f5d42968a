"""Export of games of Dice² and relays to documents, and tables that continue a document."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from sheets.documents.dice2 import read_dice2, read_relay
from sheets.documents.opened import format_of
from sheets.names.confusables import shown_names
from sheets.rules import DocumentError, RuleViolation
from sheets.rules.dice2.record import (
    Dice2Record,
    RelayRecord,
    format_dice2,
    format_relay,
    replay_dice2,
    replay_relay,
)
from sheets.rules.dice2.sitting import Sitting, actions_of, record_sitting
from sheets.rules.documents.dice_proof import DiceProof
from sheets.tables import acts, event_loader, seating
from sheets.tables.access import Refused, TableAccess, find_access
from sheets.tables.table_settings import RELAY, TYPED, is_dice2
from sheets.text.dice2.refusals import explain_dice2


class BrokenFile(Exception):
    """A well-formed document that breaks a rule; the message names the move and the reason."""


RECENT_TABLES: Final = 6
"""Maximum number of a device's latest tables that may already continue an opened file."""


def format_played(access: TableAccess, proof: DiceProof | None = None) -> dict[str, Any]:
    """Return the game or relay of a table as ``dice2-game/1`` or ``dice2-relay/1``."""
    return _format(played_record(access)._replace(dice_proof=proof))


def played_record(access: TableAccess) -> Dice2Record | RelayRecord:
    """Return the record of the game or relay of a table."""
    start = event_loader.load_game(access, Sitting).start
    return record_sitting(start, event_loader.actions_of(access))


def read_record(text: bytes) -> Dice2Record | RelayRecord:
    """Parse a document and check it by the rules. Raises DocumentError, BrokenFile."""
    is_relay = format_of(text) == "dice2-relay/1"
    record: Dice2Record | RelayRecord = read_relay(text) if is_relay else read_dice2(text)
    _check(record)
    return record


def go_on_with(text: bytes, token: str) -> str:
    """Open a table with real dice that continues a document, and return its code.

    The device with the ``token`` gets the first player's seat. The other seats are free; the host
    moves for them until players take them. Opening the same file again from the same device returns
    the same table as long as there were no moves since.

    Raises:
        DocumentError: the document is malformed, or has too many actions for a table.
        BrokenFile: the document breaks a rule.
    """
    record = read_record(text)
    if code := _same_table(record, token):
        return code
    code = seating.open_dice2_table(
        RELAY if isinstance(record, RelayRecord) else record.kind.name,
        players=len(record.players),
        dice=TYPED,
        name=record.players[0],
        token=token,
        target=record.target if isinstance(record, RelayRecord) else 0,
        has_handicap=isinstance(record, RelayRecord) and record.has_handicap,
    )
    seating.name_seats(code, record.players)
    try:
        acts.take_over(find_access(code, token), actions_of(record))
    except Refused:
        raise DocumentError("too-many-actions") from None
    return code


def _same_table(record: Dice2Record | RelayRecord, token: str) -> str:
    """Return the code of a device's table whose game equals a document; empty if there is none."""
    names = tuple(shown_names(record.players))
    wanted = _format(record._replace(dice_proof=None)) | {"players": ()}
    for table in seating.tables_of(token)[:RECENT_TABLES]:
        if is_dice2(table) and table.has_started and table.dice == TYPED:
            access = find_access(table.code)
            if access.names == names and format_played(access) | {"players": ()} == wanted:
                return table.code
    return ""


def _format(record: Dice2Record | RelayRecord) -> dict[str, Any]:
    return format_relay(record) if isinstance(record, RelayRecord) else format_dice2(record)


def _check(record: Dice2Record | RelayRecord) -> None:
    def explain(violation: RuleViolation) -> str:
        return explain_dice2(violation, record.players)

    if isinstance(record, RelayRecord):
        error = replay_relay(record, explain)["error"]
    else:
        error = replay_dice2(record, explain)["error"]
    if error:
        place = []
        if "game" in error:
            place.append(_("game %(number)d") % {"number": error["game"] + 1})
        if error["action"] is not None:
            place.append(_("move %(number)d") % {"number": error["action"] + 1})
        raise BrokenFile(
            _("This breaks a rule (%(place)s): %(why)s")
            % {"place": ", ".join(place), "why": error["message"]}
        )

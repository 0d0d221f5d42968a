"""Seeds of the app's dice at a table: commitment, contributions of the players' devices, proof.

The seed is drawn when a table is opened, and its commitment is shown from then on. Then devices
send contributions, in the lobby or before the first throw of the game, which fixes them. The seed
is shown when the game is over. `docs/security.md` describes the scheme.
"""

from __future__ import annotations

import secrets

from sheets.dice_sequence import SEED_BYTES, SHARED_DICE, commitment
from sheets.models import Seat, Table
from sheets.rules.documents.dice_proof import DiceProof
from sheets.tables.access import TableAccess, renew
from sheets.tables.event_loader import load
from sheets.tables.event_writer import changing
from sheets.tables.family import family_of
from sheets.tables.seat_order import starting_with
from sheets.tables.table_settings import is_dice2


def new_seed() -> str:
    """Return a new secret seed, in hexadecimal digits."""
    return secrets.token_hex(SEED_BYTES)


def commitment_of(table: Table) -> str:
    """Return the commitment to the seed of a table; empty if it has no seed."""
    return commitment(bytes.fromhex(table.dice_seed)) if table.dice_seed else ""


def may_contribute(access: TableAccess) -> bool:
    """Return whether a device has a seat, has not contributed yet, and does not come too late."""
    held = [seat for seat in access.all_seats if seat.number in access.seats]
    if not held or not access.table.dice_seed or any(seat.contribution for seat in held):
        return False
    return not (access.table.has_started and load(access).state.thrown)


def contribute(access: TableAccess, contribution: str) -> None:
    """Store the contribution of a device at one of its seats.

    Nothing changes if the device may not contribute (`may_contribute`). A throw at the same time is
    either seen here, or decided again: it was decided for an older revision of the table.
    """
    if not may_contribute(access):
        return
    with changing(access.table):
        access = renew(access)
        if may_contribute(access):
            first = access.all_seats[min(access.seats)]
            Seat.objects.filter(pk=first.pk).update(contribution=contribution)
            if access.table.has_started:
                fix_contributions(access.table)


def fix_contributions(table: Table) -> None:
    """Store the contributions of all seats with the table, in the order of its document.

    Must run in a transaction that has locked the table, when the seats have their final order and
    before the first throw.
    """
    sent = list(table.seats.order_by("number").values_list("contribution", flat=True))
    order = starting_with(family_of(table).first_seat(table), len(sent))
    fixed = ",".join(sent[number] for number in order)
    Table.objects.filter(pk=table.pk).update(contributions=fixed)


def proof_of(access: TableAccess) -> DiceProof | None:
    """Return the proof of a finished game's dice; None before the end, and without a seed."""
    table, state = access.table, load(access).state
    if not table.dice_seed or not state.game.is_finished:
        return None
    revealed = state.revealed or {}
    seats = starting_with(family_of(table).first_seat(table), len(access.all_seats))
    keys = seats if is_dice2(table) else [SHARED_DICE]
    has_later = any(state.throws.get(key, 0) > revealed.get(key, 0) for key in keys)
    return DiceProof(
        commitment_of(table),
        table.dice_seed,
        tuple(table.contributions.split(",")),
        tuple(revealed.get(key, 0) for key in keys) if has_later else (),
    )

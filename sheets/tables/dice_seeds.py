"""Seeds of the app's dice at a table: commitment, contributions of the players' devices, proof.

The seed is drawn when a table is opened, and its commitment is shown from then on. Devices in the
lobby send contributions, which are fixed when the game begins. The seed is shown when the game is
over. `docs/security.md` describes the scheme.
"""

from __future__ import annotations

import secrets

from sheets.dice_sequence import SEED_BYTES, SHARED_DICE, commitment
from sheets.models import Seat, Table
from sheets.rules.documents.dice_proof import DiceProof
from sheets.tables.access import TableAccess
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
    """Return whether a device in the lobby has a seat and has not contributed yet."""
    held = [seat for seat in access.all_seats if seat.number in access.seats]
    is_open = access.table.dice_seed and not access.table.has_started
    return bool(held and is_open) and not any(seat.contribution for seat in held)


def contribute(access: TableAccess, contribution: str) -> None:
    """Store the contribution of a device at one of its seats.

    Nothing changes if the device may not contribute (`may_contribute`): the contributions are fixed
    when the game begins.
    """
    if not may_contribute(access):
        return
    with changing(access.table):
        if not Table.objects.filter(pk=access.table.pk, has_started=True).exists():
            first = access.all_seats[min(access.seats)]
            held = Seat.objects.filter(pk=first.pk, token_digest=first.token_digest)
            held.filter(contribution="").update(contribution=contribution)


def fix_contributions(table: Table) -> None:
    """Store the contributions of all seats with the table, in the order of its document.

    Must run in the transaction that begins the game, when the seats have their final order.
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

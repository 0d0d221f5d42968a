"""Order of the seats at a table, which is the order of play; it is fixed once the game begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F

from sheets.models import Table


def reorder(table: Table, order: Sequence[int]) -> None:
    """Renumber the seats of a table whose game has not begun.

    The host, the proposed starter and the seats in log entries are renumbered, too. Must run in a
    transaction that has locked the table (`event_writer.changing`).

    Args:
        table: the table.
        order: the old numbers of the seats, in the new order.
    """
    new = {old: number for number, old in enumerate(order)}
    seats = table.seats
    seats.update(number=F("number") + len(order))  # no two seats may share a number in between
    for old, number in new.items():
        seats.filter(number=old + len(order)).update(number=number)
    for entry in table.entries.all():
        entry.action = _renumbered(entry.action, new)
        entry.seat = None if entry.seat is None else new[entry.seat]
        entry.save(update_fields=["action", "seat"])
    locked = Table.objects.get(pk=table.pk)
    Table.objects.filter(pk=table.pk).update(host=new[locked.host], starter=new[locked.starter])


def starting_with(starter: int, seats: int) -> list[int]:
    """Return the order in which a seat comes first and the others follow clockwise."""
    return [*range(starter, seats), *range(starter)]


def _renumbered(action: Mapping[str, Any], new: Mapping[int, int]) -> dict[str, Any]:
    """Return an entry with new seat numbers; it must be from before the game."""
    changed: dict[str, Any] = {
        key: new[action[key]] for key in ("player", "to", "from") if key in action
    }
    if "for" in action:
        changed["for"] = sorted(new[number] for number in action["for"])
    return {**action, **changed}

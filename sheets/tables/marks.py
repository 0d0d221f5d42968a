"""What stands on the fields of the sheets of a running game, as pages and pictures draw it?

By field name: ``die-1`` to ``die-6``, ``cross``, ``rocket`` (a planet crossed by a rocket),
``exploded``, ``lava``, ``exploded-lava`` or a shape of track. What is printed is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sheets.rules import Game, Level, Sheet
from sheets.rules.level import bits

Reached = frozenset[tuple[int, str]]
"""The planets that rockets have crossed, each with its player."""


def marks_of_game(game: Game, reached: Reached = frozenset()) -> list[dict[str, str]]:
    """The marks of every sheet of a game; ``reached`` tells a rocket's crosses from dice's."""
    return [
        dict(_marks(game.level, sheet, {at for who, at in reached if who == player}))
        for player, sheet in enumerate(game.sheets)
    ]


def find_reached(entries: Sequence[Mapping[str, Any]], applied: Sequence[int]) -> Reached:
    """The planets crossed by rockets in the entries of a log that hold (counted from 1)."""
    holding = (entries[number - 1] for number in applied)
    return frozenset((e["player"], e["at"]) for e in holding if e["do"] == "rocket")


def opened_colours(sheet: Sheet) -> list[str]:
    """The colours of which the locks are open."""
    return [
        colour
        for colour, locks in sheet.level.by_colour["lock"].items()
        if not sheet.closed & locks
    ]


def _marks(level: Level, sheet: Sheet, reached: set[str]) -> Iterator[tuple[str, str]]:
    covered = sheet.dice | sheet.crosses | sheet.exploded | sheet.lava
    for index in bits(covered & ~level.printed):
        name, bit = level.fields[index].name, 1 << index
        if sheet.exploded & bit:
            yield name, "exploded-lava" if sheet.lava & bit else "exploded"
        elif sheet.lava & bit:
            yield name, "lava"
        elif index in sheet.tracks:
            yield name, sheet.tracks[index]
        elif sheet.dice & bit or level.rails:
            # A die stays until its player has chosen the track it leaves.
            yield name, f"die-{level.numbers[index]}"
        else:
            yield name, "rocket" if name in reached else "cross"

"""Marks: the names of everything that can be on a field of a sheet.

Storage, drawing, printing and texts share this closed list of names. The marks of a field are a
tuple, lowest first; stored data and scripts use the single word that `format_marks` returns.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from sheets.rules.level import SHAPES, Level, bits
from sheets.rules.sheet import Sheet, finished_sheet

PRINTED_TRACKS: Final[Mapping[str, str]] = {shape: f"printed-{shape}" for shape in SHAPES}
"""The mark of a printed piece of track, by its shape."""

PRINTED: Final = ("printed", *PRINTED_TRACKS.values())
"""The printed marks: a printed cross (``printed``) or a printed track."""

CROSSES: Final = ("cross", "rocket", *SHAPES)
"""The marks players cross fields with: a cross, a cross by a rocket, a piece of track."""

CROSSED: Final = frozenset((*PRINTED, *CROSSES))
"""All marks that make a field a crossed one, printed or drawn by a player."""

DICE: Final = tuple(f"die-{number}" for number in range(1, 7))
"""The marks of dice that lie on fields, for the numbers 1 to 6."""

MARKS: Final = (*PRINTED, "lava", *CROSSES, "exploded", *DICE)
"""All marks, lowest first; ``exploded`` is the scribble over a bomb."""

STACKS: Final = ((), *((mark,) for mark in MARKS), ("lava", "exploded"))
"""The possible combinations of marks on one field: none, one, or an exploded bomb over lava."""

Marks = Mapping[str, Sequence[str]]
"""The marks of a sheet, lowest first, by field name."""

RocketCrosses = frozenset[tuple[int, str]]
"""The planets crossed by rockets in a game, each as ``(player index, field name)``."""


def format_marks(marks: Sequence[str]) -> str:
    """Return the single word for the marks of a field, the topmost first; empty for none.

    Scorings store it, so the format must never change.

    >>> format_marks(("lava", "exploded"))
    'exploded-lava'
    """
    return "-".join(reversed(marks))


_STACK_BY_WORD: Final = {format_marks(stack): stack for stack in STACKS}
"""Each combination of marks by its single word."""


def parse_marks(word: str) -> tuple[str, ...]:
    """Return the marks of a word; the inverse of `format_marks`.

    Raises:
        KeyError: for a word that stands for no marks.

    >>> parse_marks("exploded-lava"), parse_marks("die-4")
    (('lava', 'exploded'), ('die-4',))
    """
    return _STACK_BY_WORD[word]


def printed_marks(level: Level) -> dict[str, tuple[str, ...]]:
    """Return the printed marks of a level, by field name."""
    found: dict[str, tuple[str, ...]] = {
        field.name: ("printed",) for field in level.fields if field.printed
    }
    for name, shape in level.printed_tracks.items():
        found[name] = (PRINTED_TRACKS[shape],)
    return found


def possible_stacks(level: Level, at: str) -> tuple[tuple[str, ...], ...]:
    """Return the non-empty combinations of marks a field can have at the end of a game.

    Empty for a printed mark, a volcano, or a field the level does not have.
    """
    index = level.index.get(at)
    if index is None or level.printed >> index & 1 or not level.crossable >> index & 1:
        return ()
    is_bomb = level.by_symbol["bomb"] >> index & 1
    return _stacks(level.rails, bool(is_bomb), bool(level.by_symbol["volcano"]))


@cache
def _stacks(rails: bool, is_bomb: bool, has_volcano: bool) -> tuple[tuple[str, ...], ...]:
    marks = set(SHAPES if rails else ("cross",))
    if is_bomb:
        marks.add("exploded")
    if has_volcano:
        marks.add("lava")
    return tuple(stack for stack in STACKS if stack and marks.issuperset(stack))


def possible_marks(level: Level) -> list[str]:
    """Return the marks that can be on any field at the end of a game, lowest first."""
    found = {
        mark
        for field in level.fields
        for stack in possible_stacks(level, field.name)
        for mark in stack
    }
    return [mark for mark in MARKS if mark in found]


def marks_of(sheet: Sheet, by_rocket: Container[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the marks of a sheet by field name, without the printed ones.

    Args:
        sheet: the sheet.
        by_rocket: the names of the planets crossed by rockets, which the sheet does not record.
    """
    level = sheet.level
    marked = sheet.dice | sheet.crosses | sheet.exploded | sheet.lava
    found: dict[str, tuple[str, ...]] = {}
    for index in bits(marked & ~level.printed):
        name, bit = level.fields[index].name, 1 << index
        if (sheet.exploded | sheet.lava) & bit:
            lava = ("lava",) if sheet.lava & bit else ()
            found[name] = (*lava, "exploded") if sheet.exploded & bit else lava
        elif index in sheet.tracks:
            found[name] = (sheet.tracks[index],)
        elif sheet.dice & bit or level.rails:
            # On rails a die stays until its player has chosen the shape of its track.
            found[name] = (DICE[level.numbers[index] - 1],)
        else:
            found[name] = ("rocket" if name in by_rocket else "cross",)
    return found


def marks_of_all(sheets: Iterable[Sheet], by_rocket: RocketCrosses = frozenset()) -> list[Marks]:
    """Return the marks of each sheet of a game; ``by_rocket``: planets crossed by rockets."""
    return [
        marks_of(sheet, {at for owner, at in by_rocket if owner == player})
        for player, sheet in enumerate(sheets)
    ]


def crossed_fields(level: Level, marks: Marks) -> int:
    """Return the mask of the crossed fields on a sheet with these marks, printed ones included."""
    return level.printed | fields_with(level, marks, CROSSES)


def fields_with(level: Level, marks: Marks, wanted: Iterable[str]) -> int:
    """Return the mask of the fields with any of the wanted marks."""
    found = set(wanted)
    return level.mask(name for name, stack in marks.items() if not found.isdisjoint(stack))


def read_marks(level: Level, marks: Marks) -> Sheet:
    """Return the final sheet with these marks and no number circled; dice are ignored."""
    return finished_sheet(
        level,
        crosses=fields_with(level, marks, CROSSES),
        exploded=fields_with(level, marks, ("exploded",)),
        lava=fields_with(level, marks, ("lava",)),
        tracks={name: m for name, stack in marks.items() for m in stack if m in SHAPES},
    )

"""What lies on the fields of a sheet?

One closed list of names for everybody who stores, draws, prints or says it. The marks of a field
are a tuple, lowest first; where one word has to stand for them, in what is stored and in what
scripts are told, it is that of `format_marks`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from sheets.rules.level import SHAPES, Level, bits
from sheets.rules.sheet import Sheet, finished_sheet

PRINTED_TRACKS: Final[Mapping[str, str]] = {shape: f"printed-{shape}" for shape in SHAPES}
"""The mark of each piece of track that is printed."""

PRINTED: Final = ("printed", *PRINTED_TRACKS.values())
"""What comes from the pad: a printed cross (``printed``) or track."""

CROSSES: Final = ("cross", "rocket", *SHAPES)
"""What players cross fields with: a cross, one that a rocket brought, a piece of track."""

CROSSED: Final = frozenset((*PRINTED, *CROSSES))
"""All that a crossed field shows, by whomever it was."""

DICE: Final = tuple(f"die-{number}" for number in range(1, 7))

MARKS: Final = (*PRINTED, "lava", *CROSSES, "exploded", *DICE)
"""Everything that can lie on a field, lowest first; ``exploded`` is a bomb's scribble."""

STACKS: Final = ((), *((mark,) for mark in MARKS), ("lava", "exploded"))
"""What can lie on one field together: nothing, one mark, or the scribble of a bomb over lava."""

Marks = Mapping[str, Sequence[str]]
"""The marks of a sheet, lowest first, by the name of the field they lie on."""

Reached = frozenset[tuple[int, str]]
"""The planets that rockets have crossed, each with its player."""


def format_marks(marks: Sequence[str]) -> str:
    """The one word for the marks of a field, the topmost first; empty for none.

    Scorings store it, so it never changes.

    >>> format_marks(("lava", "exploded"))
    'exploded-lava'
    """
    return "-".join(reversed(marks))


_STACKS: Final = {format_marks(stack): stack for stack in STACKS}


def parse_marks(word: str) -> tuple[str, ...]:
    """The marks that a word stands for; KeyError for another word.

    >>> parse_marks("exploded-lava"), parse_marks("die-4")
    (('lava', 'exploded'), ('die-4',))
    """
    return _STACKS[word]


def printed_marks(level: Level) -> dict[str, tuple[str, ...]]:
    """What is printed on a level's sheets, by the name of the field."""
    found: dict[str, tuple[str, ...]] = {
        field.name: ("printed",) for field in level.fields if field.printed
    }
    for name, shape in level.printed_tracks.items():
        found[name] = (PRINTED_TRACKS[shape],)
    return found


def possible_stacks(level: Level, at: str) -> tuple[tuple[str, ...], ...]:
    """What players can leave on a field until a game is over, besides nothing.

    Empty for what is printed, a volcano, or a field the level does not have.
    """
    index = level.index.get(at)
    if index is None or level.printed >> index & 1 or not level.crossable >> index & 1:
        return ()
    is_bomb = level.fields[index].symbol == "bomb"
    return _stacks(level.rails, is_bomb, bool(level.by_symbol["volcano"]))


@cache
def _stacks(rails: bool, is_bomb: bool, has_volcano: bool) -> tuple[tuple[str, ...], ...]:
    marks = set(SHAPES if rails else ("cross",))
    if is_bomb:
        marks.add("exploded")
    if has_volcano:
        marks.add("lava")
    return tuple(stack for stack in STACKS if stack and marks.issuperset(stack))


def possible_marks(level: Level) -> list[str]:
    """What players can leave on any field of the level until a game is over, lowest first."""
    found = {
        mark
        for field in level.fields
        for stack in possible_stacks(level, field.name)
        for mark in stack
    }
    return [mark for mark in MARKS if mark in found]


def marks_of(sheet: Sheet, by_rocket: Container[str] = ()) -> dict[str, tuple[str, ...]]:
    """What a player has put on a sheet; what is printed is left out.

    Args:
        sheet: the sheet.
        by_rocket: the names of the planets that rockets have crossed: the sheet does not know it.
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
            # A die stays until its player has chosen the track it leaves.
            found[name] = (DICE[level.numbers[index] - 1],)
        else:
            found[name] = ("rocket" if name in by_rocket else "cross",)
    return found


def marks_of_all(sheets: Iterable[Sheet], reached: Reached = frozenset()) -> list[Marks]:
    """The marks of every sheet of a game; ``reached`` tells a rocket's crosses from dice's."""
    return [
        marks_of(sheet, {at for who, at in reached if who == player})
        for player, sheet in enumerate(sheets)
    ]


def crossed_fields(level: Level, marks: Marks) -> int:
    """The mask of the fields that are crossed on a sheet with these marks, printed ones too."""
    return level.printed | fields_with(level, marks, CROSSES)


def fields_with(level: Level, marks: Marks, wanted: Iterable[str]) -> int:
    """The mask of the fields on which one of the wanted marks lies."""
    found = set(wanted)
    return level.mask(name for name, stack in marks.items() if not found.isdisjoint(stack))


def read_marks(level: Level, marks: Marks) -> Sheet:
    """The sheet on which these marks lie, as it is when a game is over: `marks_of` turned round."""
    return finished_sheet(
        level,
        crosses=fields_with(level, marks, CROSSES),
        exploded=fields_with(level, marks, ("exploded",)),
        lava=fields_with(level, marks, ("lava",)),
        tracks={name: m for name, stack in marks.items() for m in stack if m in SHAPES},
    )

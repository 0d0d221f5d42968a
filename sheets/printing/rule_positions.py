"""Positions of the examples on the rules page, built by playing them with the real rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from sheets.rules import Action, Game, Level, Sheet, blank_sheet, new_game, parse_level, targets
from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game
from sheets.rules.dice2 import new_game as new_dice2_game
from sheets.rules.dice2.board import NAMES
from sheets.rules.sheet import finished_sheet

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Position(NamedTuple):
    """One sheet of an example.

    Attributes:
        sheet: the sheet with its dice and crosses.
        label: text above the sheet; may be empty.
        pool: the dice next to the sheet.
        allowed: all fields where a die of the pool may go, or where lava may flow.
        refused: some other fields, each with the name of the rule that refuses a die there.
        by_rocket: the planets that a rocket has crossed.
        numbers: the number track of a flag. Other players have taken the numbers before
            ``circled``; these are struck out.
        circled: the number that this player has circled, 0 for none.
    """

    sheet: Sheet
    label: _StrPromise | str = ""
    pool: tuple[int, ...] = ()
    allowed: tuple[str, ...] = ()
    refused: Mapping[str, str] = MappingProxyType({})
    by_rocket: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    circled: int = 0


class Row(NamedTuple):
    """Positions next to each other; in a sequence, each one results from the one before it."""

    positions: tuple[Position, ...]
    is_sequence: bool = True


class BoardPosition(NamedTuple):
    """Part of the board of Dice², from its top left field ``first`` to ``last``.

    ``die`` is the number that the player to move has rolled, 0 for none. `Position` describes
    ``allowed`` and ``refused``.
    """

    game: Dice2Game
    first: str
    last: str
    die: int = 0
    allowed: tuple[str, ...] = ()
    refused: Mapping[str, str] = MappingProxyType({})


def _level(*grid: str, **keys: Any) -> Level:
    return parse_level({"id": "example", "name": "Example", "grid": list(grid), **keys})


def _open_game(level: Level, players: int = 2) -> Game:
    return new_game(level, [str(number) for number in range(players)], tracked=False)


def _play(game: Game, *acts: Action) -> Game:
    for act in acts:
        game = game.apply(act)
    return game


def _with_pool(sheet: Sheet, *pool: int, refused: Mapping[str, str] | None = None) -> Position:
    """Return a position with its pool, and with all fields where a die of the pool may go."""
    level = sheet.level
    fields = sum(targets(sheet) & level.with_number[die] for die in set(pool))
    return Position(sheet, "", pool, tuple(level.names(fields)), refused or {})


def _first_die() -> Sequence[Row]:
    sheet = blank_sheet(_level("5 3 6", "2 4x 5", "1 5 2"))
    return [Row((_with_pool(sheet, 5, refused={"a1": "not-next-to-cross"}),))]


def _next_die() -> Sequence[Row]:
    game = _open_game(_level("5 3 6 1", "2 4x 5 3", "6 1 2 4"))
    game = game.apply(Action("place", 0, "c2"))
    return [Row((_with_pool(game.sheets[0], 3, refused={"b1": "not-next-to-die"}),))]


def _jump() -> Sequence[Row]:
    game = _open_game(_level("3 1x 6 2", "5 2 4x 3x", "4 6 1 5"))
    game = _play(game, Action("place", 0, "c1"), Action("place", 0, "d1"))
    return [Row((_with_pool(game.sheets[0], 5, refused={"a2": "not-next-to-cross"}),))]


def _reroll() -> Sequence[Row]:
    """Build a pass in which two players place two dice each, then no die fits the first player."""
    game = new_game(_level("4x 2 5", "3 1 6", dice={"2": 6}), ["0", "1"], tracked=True)
    game = game.apply(Action("roll", dice=(1, 1, 2, 2, 4, 4)))
    for at in ("b1", "b2"):
        game = _play(game, Action("place", 0, at), Action("place", 1, at))
    rerolled = game.apply(Action("reroll", 0, dice=(2, 4)))
    returned = rerolled.apply(Action("return", 0, "b2"))
    return [
        Row(
            (
                Position(game.sheets[0], _("Nothing fits"), game.pool),
                Position(rerolled.sheets[0], _("New roll"), rerolled.pool),
                Position(returned.sheets[0], _("One die back"), returned.pool),
            )
        )
    ]


def _locks() -> Sequence[Row]:
    game = _open_game(_level("2x 4Kr 5Lr")).apply(Action("place", 0, "b1"))
    crossed = game.apply(Action("end_pass"))
    before = _with_pool(game.sheets[0], 5, refused={"c1": "locked"})
    return [Row((before, _with_pool(crossed.sheets[0], 5)))]


def _bombs() -> Sequence[Row]:
    game = _open_game(_level("4x 2B 5", points={"bomb": -2})).apply(Action("place", 0, "b1"))
    ended = game.apply(Action("end_pass"))
    return [
        Row((Position(game.sheets[player], label), Position(ended.sheets[player])))
        for player, label in enumerate((_("Your sheet"), _("All others")))
    ]


def _flags() -> Sequence[Row]:
    numbers = [10, 6, 3, 1]
    game = _open_game(_level("4x 2Fr", "1 5", points={"flag": {"red": numbers}}), players=3)
    game = _play(game, Action("place", 0, "b1"), Action("place", 1, "b1"), Action("end_pass"))
    game = _play(game, Action("place", 2, "b1"), Action("end_pass"))
    labels = (_("1st pass"), _("1st pass"), _("2nd pass"))
    positions = (
        Position(sheet, label, numbers=tuple(numbers), circled=sheet.flags["red"])
        for sheet, label in zip(game.sheets, labels, strict=True)
    )
    return [Row(tuple(positions), is_sequence=False)]


def _rockets() -> Sequence[Row]:
    game = _open_game(_level("4x 3R 1 5P", "1 6 4 2")).apply(Action("place", 0, "b1"))
    flown = _play(game, Action("end_pass"), Action("rocket", 0, "d1"))
    return [Row((Position(game.sheets[0]), Position(flown.sheets[0], by_rocket=("d1",))))]


def _volcano() -> Sequence[Row]:
    game = _open_game(_level("2 3 -V 3", "3 1 3 4", "5 3 6 3"))
    game = _play(game, Action("erupt", die=3), Action("lava", 0, "c2"), Action("lava", 1, "c2"))
    game = _play(game, Action("end_pass"), Action("erupt", die=3))
    fields = next(owed.at for owed in game.pending() if owed.player == 0)
    refused = {"d3": "not-a-choice"}
    return [Row((Position(game.sheets[0], "", (3,), fields, refused),))]


def _tracks() -> Sequence[Row]:
    level = _level("3 4 1 5", "2 5S 2 6", "6 1 4 3", marks="tracks", points={"stop": 4})
    tracks = {"a1": "ES", "b1": "EW", "c1": "SW", "a2": "NE", "b2": "EW", "c2": "NW"}
    tracks |= {"c3": "EW", "d3": "NW"}
    sheet = finished_sheet(level, crosses=level.mask(tracks), exploded=0, lava=0, tracks=tracks)
    return [Row((Position(sheet),))]


DIZZLE_EXAMPLES: Final = {
    "first-die": _first_die,
    "next-die": _next_die,
    "jump": _jump,
    "reroll": _reroll,
    "locks": _locks,
    "bombs": _bombs,
    "flags": _flags,
    "rockets": _rockets,
    "volcano": _volcano,
    "tracks": _tracks,
}
"""Function that builds each example, by the name of its rule (`sheets.text.rulebook.short`)."""


def _dice2_game(kind: str, players: int, *dice: tuple[str, int]) -> Dice2Game:
    """Return the game after dice (field, number) were placed in turn."""
    game = new_dice2_game(KINDS[kind], players)
    for at, die in dice:
        game = game.apply(Dice2Action("place", game.player, die, at))
    return game


def _with_die(
    game: Dice2Game, first: str, last: str, die: int, refused: Mapping[str, str]
) -> BoardPosition:
    """Return a position with a rolled die, and with all shown fields where it may go."""
    shown = fields_between(first, last)
    allowed = tuple(name for name in game.legal()[die] if name in shown)
    return BoardPosition(game, first, last, die, allowed, refused)


def fields_between(first: str, last: str) -> list[str]:
    """Return the fields of a rectangle from its top left field to its bottom right one."""
    return [
        name for name in NAMES if first[0] <= name[0] <= last[0] and first[1] <= name[1] <= last[1]
    ]


def _centre() -> BoardPosition:
    game = _dice2_game("four-wins", 2, ("e5", 3))
    return _with_die(game, "d4", "f6", 4, {"f6": "not-next-to-die"})


def _order() -> BoardPosition:
    game = _dice2_game("four-wins", 2, ("e5", 3), ("e6", 4), ("f6", 4), ("g6", 6))
    return _with_die(game, "d5", "g7", 2, {"g5": "row-order", "e7": "column-order"})


def _four_wins() -> BoardPosition:
    dice = {"e5": 1, "e4": 1, "f4": 3, "e6": 3, "d6": 2, "d7": 4, "c7": 2}
    return BoardPosition(_dice2_game("four-wins", 2, *dice.items()), "c4", "f7")


def _square() -> BoardPosition:
    dice = {"e5": 1, "f5": 2, "g5": 3, "h5": 4, "e6": 1, "e7": 1, "e8": 1, "f7": 2, "g6": 3}
    return BoardPosition(_dice2_game("square", 1, *dice.items()), "e5", "h8")


def _last_man() -> BoardPosition:
    game = _dice2_game("last-man", 2, ("e5", 3), ("f5", 4))
    return _with_die(game, "e5", "g6", 5, {"g5": "own-colour"})


def _major() -> BoardPosition:
    dice = {"e5": 3, "f5": 4, "d5": 2, "g5": 5, "c5": 1}
    game = _dice2_game("major", 2, *dice.items())
    return _with_die(game, "b5", "h6", 6, {"b5": "six-in-a-row", "h5": "six-in-a-row"})


DICE2_EXAMPLES: Final = {
    "placing": _centre,
    "order": _order,
    "square": _square,
    "four-wins": _four_wins,
    "last-man": _last_man,
    "major": _major,
}
"""Function that builds each example of Dice², by the name of its rule."""

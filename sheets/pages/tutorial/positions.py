"""Positions of the tutorial: a part of level-1, and a game on it that the rules replay."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from sheets.levels import find_level
from sheets.rules import Action, Game, Level, new_game, parse_level

WHOLE_LEVEL: Final = "level-1"
"""Id of the level that the sheet is a part of."""

KEPT: Final = {5: "bcdef", 6: "bcdef", 7: "bcdef", 8: "bcdef", 9: "bc"}
"""Columns of `WHOLE_LEVEL` that the sheet has, by the number of the row."""

OWN: Final = 0
"""Index of the user in the game."""

OPPONENT: Final = 1
"""Index of the other player."""

OPPONENT_NAME: Final = "Ben"
"""Name of the other player."""


class Turn(NamedTuple):
    """A turn of the user: ``meanwhile`` are the opponent's acts before it, ``act`` the user's."""

    meanwhile: tuple[Action, ...]
    act: Action


def _own(at: str, die: int) -> Action:
    return Action("place", OWN, at, die)


def _other(at: str, die: int) -> Action:
    return Action("place", OPPONENT, at, die)


EARLIER: Final = (
    Action("roll", dice=(1, 2, 3, 4, 5, 6, 6)),
    *(_own("b2", 6), _other("e2", 1), _own("b3", 4), _other("e3", 3)),
    *(_own("b4", 6), _other("d3", 5), _own("c3", 2)),
    Action("roll", dice=(2, 3, 4, 4, 5, 6, 6)),
    *(_other("c3", 2), _own("d3", 5), _other("b3", 4), _own("e3", 3)),
    *(_other("b2", 6), _own("d2", 4), _other("b4", 6)),
    Action("roll", dice=(1, 2, 3, 3, 4, 5, 6)),
)
"""Acts before the tutorial: two passes, and the roll of the third."""

TURNS: Final = (
    Turn((), _own("a2", 5)),
    Turn((_other("e4", 1),), _own("a1", 3)),
    Turn((_other("d4", 3),), _own("b5", 2)),
    Turn((_other("c4", 4),), Action("reroll", OWN, dice=(1,))),
    Turn((), _own("a5", 1)),
)
"""The user's turns in the third pass, which the last one ends."""


@cache
def tutorial_level() -> Level:
    """Return the level of the tutorial's sheet, cut out of `WHOLE_LEVEL`.

    It lacks the puzzle pieces: some of them lie outside, so they could never pay.
    """
    whole = find_level(WHOLE_LEVEL)
    rows = {number: whole.document["grid"][number - 1].split() for number in KEPT}
    columns = sorted(set("".join(KEPT.values())))
    kept = {f"{column}{number}" for number, letters in KEPT.items() for column in letters}
    lines = [
        {"row": int(line.which) - min(KEPT) + 1, "points": line.points}
        for line in whole.lines
        if line.kind == "row" and kept.issuperset(whole.names(line.fields))
    ]
    points = {
        symbol: amount
        for symbol, amount in whole.document["points"].items()
        if symbol in ("gem", "bomb")
    }
    grid = [
        " ".join(
            _without_puzzle(rows[number][ord(column) - ord("a")]) if column in letters else "."
            for column in columns
        )
        for number, letters in KEPT.items()
    ]
    return parse_level(
        {"id": "tutorial", "name": "Tutorial", "grid": grid, "lines": lines, "points": points}
    )


def _without_puzzle(token: str) -> str:
    return re.sub("J[a-z]", "", token)


@cache
def positions() -> tuple[Game, ...]:
    """Return the game before each of `TURNS`, and after the last of them."""
    game = _play(new_game(tutorial_level(), ("", OPPONENT_NAME), tracked=True), EARLIER)
    found = []
    for turn in TURNS:
        game = _play(game, turn.meanwhile)
        found.append(game)
        game = game.apply(turn.act)
    return (*found, game)


def _play(game: Game, acts: tuple[Action, ...]) -> Game:
    for act in acts:
        game = game.apply(act)
    return game

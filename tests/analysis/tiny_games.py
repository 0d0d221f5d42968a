"""Games on levels of four fields and one pass, small enough for an exhaustive search."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from sheets.bots import BOTS, deciding_players
from sheets.bots.dice_rolls import throw, throw_next
from sheets.rules import Game, Level, new_game, parse_level
from sheets.rules.documents.game import Record

FIELDS: Final = (
    *("Gy   ", "Gy Gr Jb Jb", "B Gy  ", "Fr Fr Gy "),
    *("Kr Lr Gy ", "R P Gy ", "H Gy  "),
)
"""Symbols on the fields of tiny levels."""


def tiny_level(random: Random) -> Level:
    """Return a random level of four fields and a printed cross, played in one round."""
    symbols = (random.choice(FIELDS).split() + [""] * 4)[:4]
    fields = [f"{random.randint(1, 6)}{symbol}" for symbol in symbols]
    random.shuffle(fields)
    a, b, c, d = fields
    grid = random.choice([[f"{a} {b} 3x", f"{c} {d} ."], [f"{a} {b} 3x {c} {d}"]])
    document: dict[str, Any] = {
        "format": "dizzle-level/1",
        "id": "tiny",
        "name": "Tiny",
        "grid": grid,
        "points": {
            "gem": {"yellow": random.randint(1, 6), "red": 3},
            "puzzle": {"blue": 7},
            "flag": {"red": [5, 2]},
            "bomb": -3,
            "heap": -2,
        },
        "lines": [{"row": 1, "points": random.randint(3, 9)}],
        "dice": {"1": 2, "2": 2},
        "rounds": {"1": 1, "2": 1},
    }
    return parse_level(document)


def play_tiny_game(
    level: Level, names: tuple[str, ...], random: Random, by_chance: float = 0.5
) -> Record:
    """Return a finished game in which some actions are chosen at random."""
    bots = [BOTS["greedy"](random), BOTS["random"](random)]
    game: Game = new_game(level, names, tracked=True)
    actions = []
    while not game.is_finished:
        if deciding := deciding_players(game):
            action = bots[random.random() < by_chance].choose(game, deciding[0])
            if action.do == "reroll":
                action = action._replace(dice=throw(random, len(game.pool)))
        else:
            action = throw_next(game, random)
        actions.append(action)
        game = game.apply(action)
    return Record(level, "", names, True, tuple(actions))

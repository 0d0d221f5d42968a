"""The bots at a table of Dice²: one overlooks much, one looks one throw ahead, one plays it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

import numpy as np

from sheets.bots.dice2.playouts import GreedyPolicy, Policy
from sheets.bots.dice2.policy import AgainstGreedyPolicy, ThoughtfulPolicy
from sheets.bots.dice2.search import Expected, Options, Round, decide
from sheets.bots.dice2.simple_bots import DICE2_BOTS, Dice2Bot, worth
from sheets.bots.playouts.arrays import Ints, where
from sheets.rules.dice2 import Dice2Action, Dice2Game
from sheets.rules.dice2.board import NAMES

EXPECTED: Final[Mapping[str, Expected]] = {
    "square": lambda _: ThoughtfulPolicy(),
    "four-wins": lambda _: GreedyPolicy(),
    "last-man": AgainstGreedyPolicy,
    "major": lambda _: GreedyPolicy(),
}
"""How an expert expects everybody to play on, in each game …"""

ROUNDS: Final[Mapping[str, Sequence[Round]]] = {
    "square": (Round(99, 150), Round(4, 600), Round(2, 1000)),
    "four-wins": (Round(99, 100), Round(4, 300)),
    "last-man": (Round(99, 150), Round(6, 500), Round(3, 1000)),
    "major": (Round(99, 60), Round(4, 120)),
}
"""… and how often that is played."""

SEEN: Final = 3
"""How many fields come to a beginner's mind."""


class BeginnerDice2Bot:
    """Looks at a few of the fields that take the die, and takes the best of these."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """What the player to move does with a die."""
        actions = options(game, die)
        seen = self._random.sample(actions, min(SEEN, len(actions)))
        return max(seen, key=lambda action: worth(game.apply(action), game.player))


class PlayerDice2Bot:
    """Takes what looks best once the die lies (`ThoughtfulPolicy`)."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """What the player to move does with a die."""
        policy = ThoughtfulPolicy()
        question = Question(policy, [game], [die])
        worths = policy.worths(question.options.after, question.options.players)
        best = where(worths == worths.max(initial=-np.inf))
        if best.size:
            best = best[[self._random.randrange(len(best))]]
        return question.answer(best)[0]


class ExpertDice2Bot:
    """Plays the rest of the game out many times for each field (`search`)."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """What the player to move does with a die."""
        return decide_all([game], [die], [self._random])[0]


def decide_all(
    games: Sequence[Dice2Game], dice: Sequence[int], randoms: Sequence[Random]
) -> list[Dice2Action]:
    """What experts do in each of some games of one kind, for as many players.

    Args:
        games: the positions.
        dice: what the players to move have thrown.
        randoms: all the chance that each may use.
    """
    name = games[0].kind.name
    expected = EXPECTED[name]
    question = Question(expected(games[0].player), games, dice)
    seeds = [random.getrandbits(32) for random in randoms]
    return question.answer(decide(question.options, expected, ROUNDS[name], seeds))


class Question:
    """Where may a die go in each of some games? ``options`` has the positions that follow."""

    def __init__(self, policy: Policy, games: Sequence[Dice2Game], dice: Sequence[int]) -> None:
        self._games, self._dice = games, dice
        lanes = policy.lanes(games)
        thrown = np.array(dice)
        rows, self._fields = lanes.choices(np.arange(len(games)), thrown)
        players = lanes.player.take(rows)
        after = lanes.taken(rows)
        after.place(np.arange(len(rows)), self._fields, thrown.take(rows))
        self.options = Options(after, players, rows)
        self._names = [NAMES[index] for index in lanes.layout.fields]

    def answer(self, chosen: Ints) -> list[Dice2Action]:
        """The actions that lead to these options; a skip where there is none."""
        pairs = zip(self._games, self._dice, strict=True)
        actions = [Dice2Action("skip", game.player, die) for game, die in pairs]
        for option in chosen.tolist():
            row = self.options.rows[option]
            at = self._names[self._fields[option]]
            actions[row] = actions[row]._replace(do="place", at=at)
        return actions


def options(game: Dice2Game, die: int) -> list[Dice2Action]:
    """What the player to move can do with a die: put it down somewhere, or skip."""
    player = game.player
    places = [Dice2Action("place", player, die, at) for at in game.legal()[die]]
    return places or [Dice2Action("skip", player, die)]


DICE2_STRENGTHS: Final[Mapping[str, Callable[[Random], Dice2Bot]]] = {
    "beginner": BeginnerDice2Bot,
    "player": PlayerDice2Bot,
    "expert": ExpertDice2Bot,
}
"""Constructors of the bots offered at tables, by strength, the weakest first."""

ALL_DICE2_BOTS: Final[Mapping[str, Callable[[Random], Dice2Bot]]] = {
    **DICE2_BOTS,
    **DICE2_STRENGTHS,
}
"""Constructors of all bots of Dice², by name."""

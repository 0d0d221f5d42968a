"""Bots of Dice² by strength: beginner, player and expert."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from sheets.bots.dice2.playouts import GreedyPolicy, Lanes, Policy
from sheets.bots.dice2.policy import AgainstGreedyPolicy, ThoughtfulPolicy
from sheets.bots.dice2.random_bot import Dice2Bot, RandomDice2Bot
from sheets.bots.dice2.search import find_best
from sheets.bots.halving import Round
from sheets.rules.dice2 import Dice2Action, Dice2Game
from sheets.rules.dice2.board import NAMES

EXPECTED_POLICIES: Final[Mapping[str, Callable[[int], Policy]]] = {
    "square": lambda _: ThoughtfulPolicy(),
    "four-wins": lambda _: GreedyPolicy(),
    "last-man": AgainstGreedyPolicy,
    "major": lambda _: GreedyPolicy(),
}
"""Constructors of the policy by which an expert expects all players to play, by game. The argument
is the player who decides."""

ROUNDS: Final[Mapping[str, Sequence[Round]]] = {
    "square": (Round(99, 300), Round(4, 900), Round(2, 900)),
    "four-wins": (Round(99, 500), Round(4, 1000)),
    "last-man": (Round(99, 300), Round(6, 800), Round(3, 1000)),
    "major": (Round(99, 300), Round(4, 400)),
}
"""The rounds of an expert's search, by game."""

BEGINNER_OPTIONS: Final = 3
"""Number of fields that a beginner considers."""


class PolicyDice2Bot:
    """Bot that takes the field after which its policy values the position most; ties are random.

    Args:
        policy: values positions.
        random: the only source of chance.
        max_options: the bot considers only that many of the fields, chosen at random; 0 for all.
    """

    def __init__(self, policy: Policy, random: Random, max_options: int = 0) -> None:
        self._policy = policy
        self._random = random
        self._max_options = max_options

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """Return what the player to move does with a die: place it, or skip if it fits nowhere."""
        actions, after = find_options(self._policy, game, die)
        if not actions:
            return Dice2Action("skip", game.player, die)
        values = self._policy.values(after, np.full(len(after), game.player)).tolist()
        options: Sequence[int] = range(len(actions))
        if 0 < self._max_options < len(actions):
            options = self._random.sample(options, self._max_options)
        most = max(values[option] for option in options)
        best = [option for option in options if values[option] == most]
        return actions[self._random.choice(best)]


class ExpertDice2Bot:
    """Bot that plays out many games after each field, and takes the best field (`search`)."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """Return what the player to move does with a die: place it, or skip if it fits nowhere."""
        name, player = game.kind.name, game.player
        policy = EXPECTED_POLICIES[name](player)
        seed = self._random.getrandbits(32)
        actions, after = find_options(policy, game, die)
        if not actions:
            return Dice2Action("skip", player, die)
        return actions[find_best(after, player, policy, ROUNDS[name], seed)]


class Options(NamedTuple):
    """The legal placements of a die, and ``after``: the positions after them, one lane for each."""

    actions: list[Dice2Action]
    after: Lanes


def find_options(policy: Policy, game: Dice2Game, die: int) -> Options:
    """Return the options of the player to move with a die; none if it fits nowhere."""
    lanes = policy.lanes([game])
    rows, fields = lanes.choices(np.array([0]), np.array([die]))
    after = lanes.taken(rows)
    after.place(np.arange(len(rows)), fields, np.full(len(rows), die))
    names = [NAMES[lanes.layout.fields[field]] for field in fields.tolist()]
    return Options([Dice2Action("place", game.player, die, at) for at in names], after)


DICE2_STRENGTHS: Final[Mapping[str, Callable[[Random], Dice2Bot]]] = {
    "beginner": lambda random: PolicyDice2Bot(GreedyPolicy(), random, BEGINNER_OPTIONS),
    "player": lambda random: PolicyDice2Bot(ThoughtfulPolicy(), random),
    "expert": ExpertDice2Bot,
}
"""Constructors of the bots offered at tables, by strength, the weakest first."""

ALL_DICE2_BOTS: Final[Mapping[str, Callable[[Random], Dice2Bot]]] = {
    "random": RandomDice2Bot,
    "greedy": lambda random: PolicyDice2Bot(GreedyPolicy(), random),
    **DICE2_STRENGTHS,
}
"""Constructors of all bots of Dice², by name. A bot takes all random numbers from its argument."""

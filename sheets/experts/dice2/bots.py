"""The bots at a table of Dice²: one overlooks much, one looks one throw ahead, one plays it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import numpy as np

from sheets.bots.dice2 import worth
from sheets.experts.dice2.policy import ThoughtfulPolicy
from sheets.experts.dice2.search import Round, Rounds, best_of
from sheets.playouts.arrays import where
from sheets.playouts.dice2 import GreedyPolicy, Policy
from sheets.rules.dice2 import Dice2Action, Dice2Game
from sheets.rules.dice2.board import NAMES

POLICIES: Final[Mapping[str, Callable[[], Policy]]] = {
    "square": ThoughtfulPolicy,
    "four-wins": ThoughtfulPolicy,
    "last-man": ThoughtfulPolicy,
    "major": GreedyPolicy,
}
"""How an expert expects everybody to play on, in each game …"""

ROUNDS: Final[Mapping[str, Rounds]] = {
    "square": (Round(99, 60), Round(4, 120)),
    "four-wins": (Round(99, 60), Round(4, 120)),
    "last-man": (Round(99, 100), Round(4, 200)),
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
        question = Question(policy, game, die)
        if not question.fields.size:
            return Dice2Action("skip", game.player, die)
        worths = policy.worths(question.after, question.players)
        return question.answer(self._random.choice(where(worths == worths.max()).tolist()))


class ExpertDice2Bot:
    """Plays the rest of the game out many times for each field (`search`)."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Dice2Game, die: int) -> Dice2Action:
        """What the player to move does with a die."""
        name = game.kind.name
        policy = POLICIES[name]()
        question = Question(policy, game, die)
        if not question.fields.size:
            return Dice2Action("skip", game.player, die)
        seed = self._random.getrandbits(32)
        rounds = ROUNDS[name]
        return question.answer(best_of(question.after, question.players, policy, rounds, seed))


class Question:
    """Where a die may go: ``fields``, and for each the position ``after`` it lies there."""

    def __init__(self, policy: Policy, game: Dice2Game, die: int) -> None:
        lanes = policy.lanes([game])
        self._game, self._die = game, die
        rows, self.fields = lanes.choices(np.array([0]), np.array([die]))
        self.after = lanes.taken(rows)
        self.after.place(np.arange(len(rows)), self.fields, np.full(len(rows), die))
        self.players = np.full(len(rows), game.player)
        self._names = [NAMES[index] for index in lanes.layout.fields]

    def answer(self, number: int) -> Dice2Action:
        """The action that leads to one of the positions."""
        at = self._names[self.fields[number]]
        return Dice2Action("place", self._game.player, self._die, at)


def options(game: Dice2Game, die: int) -> list[Dice2Action]:
    """What the player to move can do with a die: put it down somewhere, or skip."""
    player = game.player
    places = [Dice2Action("place", player, die, at) for at in game.legal()[die]]
    return places or [Dice2Action("skip", player, die)]

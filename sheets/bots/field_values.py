"""Heuristic values of fields for a player.

Points that need several fields are worth more the fewer of them are missing and the more passes are
left. All values are in points; later points count less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from sheets.bots.loops import MAX_LOOP_FIELDS, Loop, open_loops
from sheets.rules import Game, Level
from sheets.rules.level import bits
from sheets.rules.scoring import SOLO_BOMB_POINTS
from sheets.rules.symbols import (
    COLOURED_PAYING_ALL,
    COLOURED_PAYING_EACH,
    PLAIN_PAYING_EACH,
    SYMBOLS,
)
from sheets.rules.tracks import place_of

ODDS_PER_PASS: Final = 0.8
"""Increase of the odds to cross one more field of a goal, for each pass that is left."""

LOCK_VALUE: Final = 1.5
"""Value of opening one lock."""

ROCKET_VALUE: Final = 2.0
"""Value of a rocket's free choice of a planet, in addition to the value of the best planet."""

NEW_FIELD_VALUE: Final = 0.1
"""Value of one more field to choose from in later passes."""

RIVALRY_FACTOR: Final = 1.5
"""Factor of the value of a bomb or flag in games in which other players compete for it."""


class Goal(NamedTuple):
    """A goal: ``fields`` (a mask) that pay ``points`` when all of them are crossed."""

    fields: int
    points: int


class LevelGoals(NamedTuple):
    """The goals of a level, and the goals of each field.

    ``goals_of`` has for each field the indexes of the goals that contain it.
    """

    goals: tuple[Goal, ...]
    goals_of: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def find_goals(level: Level) -> LevelGoals:
    """Return the goals of a level."""
    goals = [Goal(line.fields, line.points) for line in level.lines]
    goals += [
        Goal(fields, level.points_by_colour[symbol][colour])
        for symbol in COLOURED_PAYING_ALL
        for colour, fields in level.by_colour[symbol].items()
    ]
    goals += [Goal(area.fields, area.points or area.race[0]) for area in level.areas]
    goals_of = tuple(
        tuple(number for number, goal in enumerate(goals) if goal.fields >> field & 1)
        for field in range(len(level.fields))
    )
    return LevelGoals(tuple(goals), goals_of)


def add_in_order(values: Iterable[float]) -> float:
    """Return the sum of floats, added one by one: `sum` rounds differently from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total


def goal_gain(points: int, steps: int, hope: float) -> float:
    """Return how many expected points one more crossed field of a goal is worth.

    ``steps`` is the number of steps that the goal still needs, and ``hope`` the probability that
    one of them succeeds in time.
    """
    return points * float(hope**steps) * (1 - hope) / hope


def goal_loss(points: int, steps: int, hope: float) -> float:
    """Return how many expected points are lost if a goal can no longer be reached.

    ``steps`` and ``hope`` are as for `goal_gain`.
    """
    return points * float(hope**steps)


class FieldValues:
    """The values of one player's fields in a position.

    ``hope`` is the estimated probability that one more wanted field is crossed in time.
    """

    def __init__(self, game: Game, player: int) -> None:
        self._game = game
        self._level = game.level
        self._sheet = sheet = game.sheets[player]
        self._taken = sheet.crosses | sheet.dice
        self._spoilt = sheet.exploded | sheet.lava
        self._layout = find_goals(game.level)
        passes = game.level.rounds[len(game.players)] * len(game.players)
        self.hope = 1 - 1 / (1 + ODDS_PER_PASS * (passes - game.passes_done))
        self._gains: dict[int, float] = {}

    def gain(self, field: int) -> float:
        """Return the gain of a mark on a field, or the value of the player's die there."""
        value = self._goals_gain(field)
        if self._level.rails:
            value += self._loop_gain(field)
        value += self._symbol_gain(field)
        opened = self._level.neighbours[field] & ~(self._taken | self._spoilt | self._reached)
        return value + NEW_FIELD_VALUE * opened.bit_count() * self.hope

    def loss(self, field: int) -> float:
        """Return the loss if the field can no longer be crossed."""
        goals = self._layout.goals
        value = add_in_order(
            goal_loss(goals[number].points, steps, self.hope)
            for number in self._layout.goals_of[field]
            if (steps := self._steps(goals[number].fields & ~self._taken)) is not None
        )
        return value + self._symbol_gain(field)

    @cached_property
    def loops(self) -> list[tuple[float, Loop]]:
        """The loops that can still be laid, each with the gain of one more crossed field."""
        # There are hundreds of loops: bots on rails spend most of their time here.
        hopes = [self.hope ** max(missing - 1, 0) for missing in range(MAX_LOOP_FIELDS + 1)]
        free = ~self._taken
        return [
            (loop.points * hopes[(loop.fields & free).bit_count()], loop)
            for loop in open_loops(self._sheet)
        ]

    @cached_property
    def _best_loops(self) -> list[tuple[float, Loop]]:
        """`loops` by descending gain."""
        return sorted(self.loops, key=itemgetter(0), reverse=True)

    @cached_property
    def _reached(self) -> int:
        return self._sheet.near_crosses | self._sheet.near_dice

    @cached_property
    def _can_fly(self) -> bool:
        """Whether a rocket can still be launched, or is about to land."""
        landing = self._game.phase == "marking"
        return landing or bool(self._level.rockets & ~(self._taken | self._spoilt))

    def _goal_gain(self, number: int) -> float:
        """Return the gain of crossing one more field of a goal, the same for all its fields."""
        gain = self._gains.get(number)
        if gain is None:
            goal = self._layout.goals[number]
            steps = self._steps(goal.fields & ~self._taken)
            gain = 0 if steps is None else goal_gain(goal.points, steps, self.hope)
            self._gains[number] = gain
        return gain

    def _steps(self, missing: int) -> int | None:
        """Return how many steps cross all these fields, or None if they cannot all be crossed."""
        if missing & self._spoilt:
            return None
        sheet = self._sheet
        by_rocket = missing & self._level.with_number[0]
        if by_rocket and not self._can_fly:
            return None
        # Closed locks and planets without a number need another field first.
        return missing.bit_count() + by_rocket.bit_count() + bool(missing & sheet.closed)

    def _loop_gain(self, field: int) -> float:
        best = next((gain for gain, loop in self._best_loops if loop.fields >> field & 1), 0.0)
        return best * (1 - self.hope)

    def _symbol_gain(self, field: int) -> float:
        symbol = self._level.fields[field].symbol
        if not symbol:
            return 0
        worth = SYMBOL_VALUES.get(symbol)
        return worth(self, field) if worth else 0

    def _each(self, field: int) -> float:
        at, level = self._level.fields[field], self._level
        by_colour = level.points_by_colour.get(at.symbol)
        points = by_colour[at.colour] if by_colour else level.points[at.symbol]
        return points if SYMBOLS[at.symbol].costs else points * (1 - self.hope)

    def _bomb(self, field: int) -> float:
        if self._level.house_rules.no_bombs:
            return 0
        if self._game.is_solo:
            return SOLO_BOMB_POINTS * (1 - self.hope)
        return -self._level.points["bomb"] * RIVALRY_FACTOR * (1 - self.hope)

    def _flag(self, field: int) -> float:
        track = self._level.number_tracks[place_of("flag", self._level.fields[field].colour)]
        if track.circled(self._sheet) is not None or self._sheet.dice & track.fields:
            return 0
        points = track.number_after(self._game.struck.get(track.place, 0))
        return points * (1 - self.hope) * (1 if self._game.is_solo else RIVALRY_FACTOR)

    def _key(self, field: int) -> float:
        colour = self._level.fields[field].colour
        if self._sheet.dice & self._level.by_colour["key"][colour]:
            return 0
        locks = self._level.by_colour["lock"].get(colour, 0) & self._sheet.closed
        return LOCK_VALUE * locks.bit_count() * self.hope

    def _rocket(self, field: int) -> float:
        planets = self._sheet.planets_left & ~self._sheet.dice
        if not planets:
            return 0
        best = max(self._goals_gain(planet) for planet in bits(planets))
        return ROCKET_VALUE * (1 - self.hope) + best

    def _goals_gain(self, field: int) -> float:
        return add_in_order(self._goal_gain(number) for number in self._layout.goals_of[field])


STEADY_SYMBOL_VALUES: Final[dict[str, Callable[[FieldValues, int], float]]] = {
    **dict.fromkeys((*COLOURED_PAYING_EACH, *PLAIN_PAYING_EACH), FieldValues._each),
    "bomb": FieldValues._bomb,
}
"""Methods that return the gain of a symbol, for symbols whose gain does not change in a pass."""

SYMBOL_VALUES: Final[dict[str, Callable[[FieldValues, int], float]]] = {
    **STEADY_SYMBOL_VALUES,
    "flag": FieldValues._flag,
    "key": FieldValues._key,
    "rocket": FieldValues._rocket,
    "rocket-planet": FieldValues._rocket,
}

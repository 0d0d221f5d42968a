"""Heuristic values of fields for a player.

Points that need several fields are worth more the fewer of them are missing and the more passes are
left. All values are in points; later points count less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from sheets.bots.loops import LONGEST, Loop, open_loops
from sheets.rules import Game, Level
from sheets.rules.level import bits
from sheets.rules.scoring import SOLO_BOMB
from sheets.rules.symbols import ALL_OF_COLOUR, EACH, EACH_OF_COLOUR, SYMBOLS
from sheets.rules.tracks import place_of

HURRY: Final = 0.8
"""Increase of the odds to cross one more field of a goal, for each pass that is left."""

KEY: Final = 1.5
"""Value of opening one lock."""

ROCKET: Final = 2.0
"""Value of the free choice of a planet, in addition to that of the planet."""

NEW_FIELD: Final = 0.1
"""Value of one more field to choose from in later passes."""

RIVALRY: Final = 1.5
"""Factor of the value of a bomb or flag that others want, too."""


class Goal(NamedTuple):
    """Fields that pay when all of them are crossed."""

    fields: int
    points: int


class Layout(NamedTuple):
    """The goals of a level, and by field the numbers of the goals that contain it."""

    goals: tuple[Goal, ...]
    goals_of: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def study(level: Level) -> Layout:
    """Return the goals of a level."""
    goals = [Goal(line.fields, line.points) for line in level.lines]
    goals += [
        Goal(fields, level.points_by_colour[symbol][colour])
        for symbol in ALL_OF_COLOUR
        for colour, fields in level.by_colour[symbol].items()
    ]
    goals += [Goal(area.fields, area.points or area.race[0]) for area in level.areas]
    goals_of = tuple(
        tuple(number for number, goal in enumerate(goals) if goal.fields >> field & 1)
        for field in range(len(level.fields))
    )
    return Layout(tuple(goals), goals_of)


def add(values: Iterable[float]) -> float:
    """Add floats one by one: `sum` rounds differently from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total


def goal_gain(points: int, steps: int, hope: float) -> float:
    """Return the gain of one more field of a goal, by the steps that are missing."""
    return points * float(hope**steps) * (1 - hope) / hope


def goal_loss(points: int, steps: int, hope: float) -> float:
    """Return the loss of a field of a goal, by the steps that are missing."""
    return points * float(hope**steps)


class Worth:
    """The values of one player's fields in a position.

    ``hope`` is the estimated probability that one more wanted field is crossed in time.
    """

    def __init__(self, game: Game, player: int) -> None:
        self._game = game
        self._level = game.level
        self._sheet = sheet = game.sheets[player]
        self._taken = sheet.crosses | sheet.dice
        self._spoilt = sheet.exploded | sheet.lava
        self._layout = study(game.level)
        passes = game.level.rounds[len(game.players)] * len(game.players)
        self.hope = 1 - 1 / (1 + HURRY * (passes - game.passes_done))
        self._gains: dict[int, float] = {}

    def gain(self, field: int) -> float:
        """Return the gain of a mark on a field that is not taken."""
        value = self._goals_gain(field)
        if self._level.rails:
            value += self._loop_gain(field)
        value += self._symbol_gain(field)
        opened = self._level.neighbours[field] & ~(self._taken | self._spoilt | self._reached)
        return value + NEW_FIELD * opened.bit_count() * self.hope

    def loss(self, field: int) -> float:
        """Return the loss if the field can no longer be crossed."""
        goals = self._layout.goals
        value = add(
            goal_loss(goals[number].points, steps, self.hope)
            for number in self._layout.goals_of[field]
            if (steps := self._steps(goals[number].fields & ~self._taken)) is not None
        )
        return value + self._symbol_gain(field)

    @cached_property
    def loops(self) -> list[tuple[float, Loop]]:
        """The loops that can still be laid, each with the gain of one more of its fields."""
        # There are hundreds of loops: bots on rails spend most of their time here.
        hopes = [self.hope ** max(missing - 1, 0) for missing in range(LONGEST + 1)]
        free = ~self._taken
        return [
            (loop.points * hopes[(loop.fields & free).bit_count()], loop)
            for loop in open_loops(self._sheet)
        ]

    @cached_property
    def _best_loops(self) -> list[tuple[float, Loop]]:
        """The same, the largest gain first."""
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
        """Return the gain of one more field of a goal, the same for all its fields."""
        gain = self._gains.get(number)
        if gain is None:
            goal = self._layout.goals[number]
            steps = self._steps(goal.fields & ~self._taken)
            gain = 0 if steps is None else goal_gain(goal.points, steps, self.hope)
            self._gains[number] = gain
        return gain

    def _steps(self, missing: int) -> int | None:
        """Return the steps until all these fields are crossed; None if they cannot be."""
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
        worth = SYMBOL_WORTHS.get(symbol)
        return worth(self, field) if worth else 0

    def _each(self, field: int) -> float:
        at, level = self._level.fields[field], self._level
        by_colour = level.points_by_colour.get(at.symbol)
        points = by_colour[at.colour] if by_colour else level.points[at.symbol]
        return points if SYMBOLS[at.symbol].costs else points * (1 - self.hope)

    def _bomb(self, field: int) -> float:
        if self._game.is_solo:
            return SOLO_BOMB * (1 - self.hope)
        return -self._level.points["bomb"] * RIVALRY * (1 - self.hope)

    def _flag(self, field: int) -> float:
        track = self._level.number_tracks[place_of("flag", self._level.fields[field].colour)]
        if track.circled(self._sheet) is not None or self._sheet.dice & track.fields:
            return 0
        points = track.number_after(self._game.struck.get(track.place, 0))
        return points * (1 - self.hope) * (1 if self._game.is_solo else RIVALRY)

    def _key(self, field: int) -> float:
        colour = self._level.fields[field].colour
        if self._sheet.dice & self._level.by_colour["key"][colour]:
            return 0
        locks = self._level.by_colour["lock"].get(colour, 0) & self._sheet.closed
        return KEY * locks.bit_count() * self.hope

    def _rocket(self, field: int) -> float:
        planets = self._sheet.planets_left & ~self._sheet.dice
        if not planets:
            return 0
        best = max(self._goals_gain(planet) for planet in bits(planets))
        return ROCKET * (1 - self.hope) + best

    def _goals_gain(self, field: int) -> float:
        return add(self._goal_gain(number) for number in self._layout.goals_of[field])


STEADY_WORTHS: Final[dict[str, Callable[[Worth, int], float]]] = {
    **dict.fromkeys((*EACH_OF_COLOUR, *EACH), Worth._each),
    "bomb": Worth._bomb,
}
"""Gains by symbol that stay the same during a pass, whatever dice lie on the sheet."""

SYMBOL_WORTHS: Final[dict[str, Callable[[Worth, int], float]]] = {
    **STEADY_WORTHS,
    "flag": Worth._flag,
    "key": Worth._key,
    "rocket": Worth._rocket,
    "rocket-planet": Worth._rocket,
}

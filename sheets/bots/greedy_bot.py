"""Greedy bot: looks one step ahead for the most points."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Final

from sheets.bots.field_values import FieldValues, add_in_order
from sheets.rules import Action, Game, Sheet
from sheets.rules.level import SHAPES, bits
from sheets.rules.placement import free_fields, targets
from sheets.rules.rails import OPPOSITE

NEXT_NUMBER_VALUE: Final = 0.25
"""Value of each number that the player can place next; doubled if the pool has a die with it."""

NEW_ACCESS_VALUE: Final = 0.4
"""Value of each free field that only becomes reachable by crossing a certain planet."""


class GreedyBot:
    """Bot that chooses the legal action with the highest value; ties are random."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def choose(self, game: Game, player: int) -> Action:
        """Return what the player does now (`sheets.bots.Bot`)."""
        return DECISIONS[game.phase](self, game, player)

    def _take_turn(self, game: Game, player: int) -> Action:
        sheet = game.sheets[player]
        worth = FieldValues(game, player)
        fields = targets(sheet)
        fitting = 0
        for die in set(game.pool):
            fitting |= fields & game.level.with_number[die]
        if fitting:
            best = self._best(bits(fitting), lambda field: self._rate(game, worth, sheet, field))
            return Action("place", player, game.level.fields[best].name, game.level.numbers[best])
        if self._dares_reroll(game, worth, sheet, fields):
            return Action("reroll", player)
        return Action("drop", player)

    def _rate(self, game: Game, worth: FieldValues, sheet: Sheet, field: int) -> float:
        """Return the value of a die on a field: the gain, and the choice for the next die."""
        level = game.level
        pool = list(game.pool)
        if level.numbers[field] in pool:
            pool.remove(level.numbers[field])
        after = (sheet.near_dice | level.neighbours[field]) & free_fields(sheet) & ~(1 << field)
        choice = sum(
            NEXT_NUMBER_VALUE * (2 if number in pool else 1)
            for number in range(1, 7)
            if after & level.with_number[number]
        )
        return worth.gain(field) + choice

    def _dares_reroll(self, game: Game, worth: FieldValues, sheet: Sheet, fields: int) -> bool:
        """Return whether the expected gain of a reroll exceeds its expected loss.

        If a rerolled die fits, the player gains a field. If none fits, the player loses the die on
        the least valuable field. A player has nothing to lose without dice on the sheet, or by the
        house rule `keep-dice`.
        """
        if not sheet.dice or game.level.house_rules.keep_dice:
            return True
        gains = [
            max(worth.gain(field) for field in bits(fitting))
            for number in range(1, 7)
            if (fitting := fields & game.level.with_number[number])
        ]
        if not gains:
            return False
        miss = (1 - len(gains) / 6) ** len(game.pool)
        price = min(worth.gain(field) for field in bits(sheet.dice))
        return (1 - miss) * add_in_order(gains) / len(gains) > miss * price

    def _best(self, fields: Iterable[int], rate: Callable[[int], float]) -> int:
        return max(fields, key=lambda field: (rate(field), self._random.random()))

    def _return_die(self, game: Game, player: int) -> Action:
        sheet = game.sheets[player]
        worth = FieldValues(game, player)
        least = self._best(bits(sheet.dice), lambda field: -worth.gain(field))
        return Action("return", player, game.level.fields[least].name)

    def _choose_lava(self, game: Game, player: int) -> Action:
        worth = FieldValues(game, player)
        least = self._best(bits(game.owed[player]), lambda field: -worth.loss(field))
        return Action("lava", player, game.level.fields[least].name)

    def _mark(self, game: Game, player: int) -> Action:
        if game.level.rails:
            return self._draw_track(game, player)
        sheet = game.sheets[player]
        worth = FieldValues(game, player)

        def rate(planet: int) -> float:
            beyond = game.level.neighbours[planet] & free_fields(sheet) & ~sheet.near_crosses
            return worth.gain(planet) + NEW_ACCESS_VALUE * beyond.bit_count()

        best = self._best(bits(sheet.planets_left), rate)
        return Action("rocket", player, game.level.fields[best].name)

    def _draw_track(self, game: Game, player: int) -> Action:
        """Return the action that draws a piece of the best loop through an owed field.

        Without such a loop, it is the piece that joins the most tracks.
        """
        owed = game.owed[player]
        loops = [
            (gain, loop) for gain, loop in FieldValues(game, player).loops if loop.fields & owed
        ]
        if loops:
            _, loop = max(loops, key=lambda rated: (rated[0], self._random.random()))
            field = next(iter(bits(loop.fields & owed)))
            shape = loop.shapes[field]
        else:
            field = next(iter(bits(owed)))
            shape = max(SHAPES, key=lambda shape: self._count_joints(game, player, field, shape))
        return Action("track", player, game.level.fields[field].name, shape=shape)

    def _count_joints(self, game: Game, player: int, field: int, shape: str) -> int:
        tracks = game.sheets[player].tracks
        beyond = game.level.track_neighbours[field]
        return sum(OPPOSITE[edge] in tracks.get(beyond.get(edge, -1), "") for edge in shape)


DECISIONS: Final[dict[str, Callable[[GreedyBot, Game, int], Action]]] = {
    "turn": GreedyBot._take_turn,
    "return": GreedyBot._return_die,
    "lava": GreedyBot._choose_lava,
    "marking": GreedyBot._mark,
}

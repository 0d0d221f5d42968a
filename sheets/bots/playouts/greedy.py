"""Decisions of greedy bots in a batch of games, and the values of fields.

They are those of `sheets.bots.GreedyBot` with the same random numbers: values of
`sheets.bots.worth` are read from tables, and added in the same order, so that roundings are equal.
"""

from __future__ import annotations

import numpy as np

from sheets.bots.greedy_bot import CHOICE, ISLAND
from sheets.bots.playouts.arrays import (
    Bools,
    Floats,
    Ints,
    Sets,
    first_of_rows,
    groups_in,
    has_some,
    members,
    sizes,
    some,
    where,
)
from sheets.bots.playouts.dice import Pools, count_dice, numbers_in
from sheets.bots.playouts.lanes import NO_NUMBER, Lanes
from sheets.bots.playouts.rails import Rails
from sheets.bots.worth import KEY, NEW_FIELD, RIVALRY, ROCKET


class Worths:
    """Values of fields for one player of each of some games (`sheets.bots.worth.Worth`).

    The methods take pairs of a row, which is one of these players, and a field.
    """

    def __init__(self, lanes: Lanes, games: Ints, sheets: Ints, *, is_landing: bool = False):
        board = lanes.board
        self._lanes, self._board = lanes, board
        self._games, self._sheets = games, sheets
        self._done = lanes.passes_done.take(games)
        self.hopes = board.hopes.take(self._done)
        self._dice = lanes.dice.take(sheets, 0)
        taken = lanes.crosses.take(sheets, 0) | self._dice
        spoilt = lanes.exploded.take(sheets, 0) | lanes.lava.take(sheets, 0)
        reached = lanes.near_crosses.take(sheets, 0) | lanes.near_dice.take(sheets, 0)
        self._new = ~(taken | spoilt | reached)
        self._steps = lanes.steps.take(sheets, 0)
        if board.needs_rockets and not is_landing:
            stranded = ~some(board.rockets & ~(taken | spoilt))
            lost = (lanes.by_rocket.take(sheets, 0) > 0) & stranded[:, None]
            # A goal that is spoilt already does not count twice.
            self._steps += board.hopeless * (lost & (self._steps < board.hopeless))
        self._goal_gains = self._by_goal(board.goal_gains)
        self._by_loop: Floats | None = None

    def gain(self, rows: Ints, fields: Ints) -> Floats:
        """Return the gain of a mark on each field that is not taken."""
        value = self._goals(self._goal_gains, rows, fields)
        if self._board.rails:
            value += self._loops(self._board.rails, rows, fields)
        value += self._symbols(rows, fields)
        opened = sizes(self._board.near.take(fields, 0) & self._new.take(rows, 0))
        value += NEW_FIELD * opened * self.hopes.take(rows)
        return value

    def loss(self, rows: Ints, fields: Ints) -> Floats:
        """Return the loss if the field can no longer be crossed."""
        losses = self._by_goal(self._board.goal_losses)
        return self._goals(losses, rows, fields) + self._symbols(rows, fields)

    def _by_goal(self, table: Floats) -> Floats:
        """Look up each row and goal in a table; 0 for the goal after the last."""
        _, goals, steps = table.shape
        found = np.zeros((len(self._done), goals))
        at = (self._done[:, None] * goals + np.arange(goals - 1)) * steps + self._steps
        found[:, : goals - 1] = table.reshape(-1).take(at)
        return found.reshape(-1)

    def _goals(self, by_goal: Floats, rows: Ints, fields: Ints) -> Floats:
        begins = rows * (len(self._board.goals) + 1)
        value = np.zeros(len(rows))
        for goals in self._board.goals_of:
            value += by_goal.take(begins + goals.take(fields))
        return value

    def loop_gains(self, rails: Rails) -> Floats:
        """Return for each row the gain of one more field of each loop."""
        lacks = self._lanes.missing.take(self._sheets, 0) + self._lanes.spoilt.take(self._sheets, 0)
        return rails.loop_gains(self._done, lacks)

    def _loops(self, rails: Rails, rows: Ints, fields: Ints) -> Floats:
        if self._by_loop is None:
            self._by_loop = self.loop_gains(rails).reshape(-1)
        loops = rows * len(rails.fields) + rails.loops_of.take(fields, 1)
        best = self._by_loop.take(loops).max(axis=0, initial=-np.inf)
        return np.where(best == -np.inf, 0, best * (1 - self.hopes.take(rows)))

    def _symbols(self, rows: Ints, fields: Ints) -> Floats:
        board = self._board
        value = board.symbol_gains.reshape(-1).take(self._done.take(rows) * board.size + fields)
        for numbers, worth in (
            (board.flag_of, self._flag),
            (board.key_of, self._key),
            (board.is_rocket, self._rocket),
        ):
            found = numbers.take(fields)
            some_of = where(found >= 0)
            if some_of.size:
                value[some_of] = worth(rows.take(some_of), found.take(some_of))
        return value

    def _flag(self, rows: Ints, tracks: Ints) -> Floats:
        lanes, board = self._lanes, self._board
        sheets, games = self._sheets.take(rows), self._games.take(rows)
        has = lanes.circled[sheets, tracks] != NO_NUMBER
        has |= some(self._dice.take(rows, 0) & board.flags.take(tracks, 0))
        points = board.track_numbers[tracks, lanes.struck[games, tracks]]
        worth = points * (1 - self.hopes.take(rows)) * (1 if board.players == 1 else RIVALRY)
        return np.where(has, 0, worth)

    def _key(self, rows: Ints, colours: Ints) -> Floats:
        lanes, board = self._lanes, self._board
        has = some(self._dice.take(rows, 0) & board.keys.take(colours, 0))
        locks = board.locks.take(colours, 0) & lanes.closed.take(self._sheets.take(rows), 0)
        return np.where(has, 0, KEY * sizes(locks) * self.hopes.take(rows))

    def _rocket(self, rows: Ints, _kinds: Ints) -> Floats:
        flying = rows.take(first_of_rows(rows))
        planets = planets_left(self._lanes, self._sheets.take(flying)) & ~self._dice.take(flying, 0)
        at, fields = members(planets)
        worth = np.zeros(len(self._sheets))
        if at.size:
            starts = first_of_rows(at)
            gains = self._goals(self._goal_gains, flying.take(at), fields)
            found = flying.take(at.take(starts))
            worth[found] = ROCKET * (1 - self.hopes.take(found))
            worth[found] += np.maximum.reduceat(gains, starts)
        return worth.take(rows)


def planets_left(lanes: Lanes, sheets: Ints) -> Sets:
    """Return the planets a rocket could still fly to."""
    return lanes.board.planets & ~(lanes.crosses.take(sheets, 0) | lanes.lava.take(sheets, 0))


def choose_placing(lanes: Lanes, games: Ints, sheets: Ints, fitting: Sets) -> Ints:
    """Choose the field of each player's next die, of those that it fits."""
    board = lanes.board
    rows, fields = members(fitting)
    rates = Worths(lanes, games, sheets).gain(rows, fields)
    near = lanes.near_dice.take(sheets, 0).take(rows, 0) | board.near.take(fields, 0)
    after = near & lanes.free.take(sheets, 0).take(rows, 0) & ~board.bit.take(fields, 0)
    rates += CHOICE * _numbers_next(lanes.pool.take(games), rows, board.numbers.take(fields), after)
    return _best(lanes, games, fitting, rows, fields, rates)


def _numbers_next(pools: Pools, rows: Ints, numbers: Ints, after: Sets) -> Ints:
    """Count the numbers that can be placed after each die; twice those that the pool still has."""
    shown = pools.view(np.uint8).reshape(-1, 8)
    in_pool = numbers_in(pools)
    alone = np.packbits(shown == 1, bitorder="little")
    last = alone.take(rows) & (1 << numbers).astype(np.uint8)
    found = groups_in(after)
    return np.bitwise_count(found) + np.bitwise_count(found & in_pool.take(rows) & ~last)


def dares_reroll(lanes: Lanes, games: Ints, sheets: Ints, targets: Sets) -> Bools:
    """Return whether the expected gain of one more die exceeds that of a die to give back."""
    board = lanes.board
    dice = lanes.dice.take(sheets, 0)
    dares = ~some(dice)
    risking = where(~dares)
    if not risking.size:
        return dares
    worths = Worths(lanes, games.take(risking), sheets.take(risking))
    rows, fields = members(targets.take(risking, 0))
    gains = worths.gain(rows, fields)
    keys = rows * 8 + board.numbers.take(fields)
    starts = first_of_rows(keys)
    best = np.zeros(len(risking) * 8)
    best[keys.take(starts)] = np.maximum.reduceat(gains, starts)
    total = np.zeros(len(risking))
    for number in range(1, 7):
        total += best[number::8]
    kinds = np.bincount(rows.take(starts), minlength=len(risking))
    miss = board.misses[kinds, count_dice(lanes.pool.take(games.take(risking)))]
    rows, fields = members(dice.take(risking, 0))
    price = np.minimum.reduceat(worths.gain(rows, fields), first_of_rows(rows))
    dares[risking] = (1 - miss) * total / kinds > miss * price
    return dares


def choose_return(lanes: Lanes, games: Ints, sheets: Ints) -> Ints:
    """Choose the die that each player gives back: the one of least gain."""
    dice = lanes.dice.take(sheets, 0)
    rows, fields = members(dice)
    rates = -Worths(lanes, games, sheets).gain(rows, fields)
    return _best(lanes, games, dice, rows, fields, rates)


def choose_lava(lanes: Lanes, games: Ints, sheets: Ints) -> Ints:
    """Choose the field that each player gives to the lava: the one of least loss."""
    owed = lanes.owed.take(sheets, 0)
    rows, fields = members(owed)
    rates = -Worths(lanes, games, sheets).loss(rows, fields)
    return _best(lanes, games, owed, rows, fields, rates)


def choose_planet(lanes: Lanes, games: Ints, sheets: Ints) -> Ints:
    """Choose the planet that each player's rocket flies to."""
    planets = planets_left(lanes, sheets)
    rows, fields = members(planets)
    beyond = lanes.free.take(sheets, 0) & ~lanes.near_crosses.take(sheets, 0)
    islands = sizes(lanes.board.near.take(fields, 0) & beyond.take(rows, 0))
    rates = Worths(lanes, games, sheets, is_landing=True).gain(rows, fields) + ISLAND * islands
    return _best(lanes, games, planets, rows, fields, rates)


def choose_track(lanes: Lanes, rails: Rails, games: Ints, sheets: Ints) -> tuple[Ints, Ints]:
    """Choose a field on which each player draws track, and the shape that the best loop needs."""
    owed = lanes.owed.take(sheets, 0)
    gains = Worths(lanes, games, sheets).loop_gains(rails)
    touches = has_some(rails.fields[:, w] & owed[:, w, None] for w in range(owed.shape[1]))
    gains = np.where(touches, gains, -np.inf)
    choices = gains > -np.inf
    rows, loops = ((gains == gains.max(axis=1, initial=-np.inf)[:, None]) & choices).nonzero()
    ranks = np.cumsum(choices, axis=1)[rows, loops] - 1
    best = _toss(lanes, games, rows, ranks)
    rows, loops = rows.take(best), loops.take(best)
    lanes.random.use_coins(games, choices.sum(axis=1))
    owed[rows] &= rails.fields.take(loops, 0)
    fields = _first(lanes, owed)
    shapes = rails.best_joined(lanes.tracks.take(sheets, 0), fields)
    shapes[rows] = rails.shapes[loops, fields.take(rows)]
    return fields, shapes


def _first(lanes: Lanes, sets: Sets) -> Ints:
    """Return the first field of each set in reading order."""
    rows, fields = members(sets)
    order = lanes.board.reading_order.take(fields)
    return lanes.board.bits.take(np.minimum.reduceat(order, first_of_rows(rows)))


def _best(
    lanes: Lanes, games: Ints, choices: Sets, rows: Ints, fields: Ints, rates: Floats
) -> Ints:
    """Return for each row the field of the best rate.

    Ties are decided by coins, one for each choice in reading order.
    """
    counts = np.bincount(rows, minlength=len(games))
    starts = np.cumsum(counts) - counts
    best = where(rates == np.repeat(np.maximum.reduceat(rates, starts), counts))
    if len(best) > len(starts):
        tied = rows.take(best)
        before = choices.take(tied, 0) & lanes.board.before.take(fields.take(best), 0)
        best = best.take(_toss(lanes, games, tied, sizes(before)))
    lanes.random.use_coins(games, counts)
    return fields.take(best)


def _toss(lanes: Lanes, games: Ints, rows: Ints, ranks: Ints) -> Ints:
    """Return for each row the choice with the highest coin; ranks are those among all choices."""
    coins = lanes.random.coins(games.take(rows), ranks)
    order = np.lexsort((~coins, rows))
    return order.take(first_of_rows(rows.take(order)))

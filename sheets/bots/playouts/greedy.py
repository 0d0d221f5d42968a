"""Decisions of greedy bots in a batch of games, and the values of fields.

The decisions are those of `sheets.bots.GreedyBot` with the same random numbers: the values of
`sheets.bots.field_values` are read from tables, and added in the same order, so that rounding is
the same.
"""

from __future__ import annotations

import numpy as np

from sheets.bots.field_values import LOCK_VALUE, NEW_FIELD_VALUE, RIVALRY_FACTOR, ROCKET_VALUE
from sheets.bots.greedy_bot import NEW_ACCESS_VALUE, NEXT_NUMBER_VALUE
from sheets.bots.playouts.arrays import (
    Bools,
    Floats,
    Ints,
    Sets,
    count_fields,
    first_of_rows,
    groups_in,
    has_fields,
    has_some,
    members,
    where,
)
from sheets.bots.playouts.batch_state import NO_NUMBER, Lanes
from sheets.bots.playouts.dice import Pools, count_dice, numbers_in
from sheets.bots.playouts.rails import Rails


class BatchFieldValues:
    """Values of fields as in `FieldValues`, for one sheet of each of some games.

    A row is an index in ``games`` and ``sheets``. The methods take arrays ``rows`` and ``fields``
    of the same length, and return one value for each pair of a row and a field.
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
            stranded = ~has_fields(board.rockets & ~(taken | spoilt))
            lost = (lanes.by_rocket.take(sheets, 0) > 0) & stranded[:, None]
            # A goal that is spoilt already does not count twice.
            self._steps += board.hopeless * (lost & (self._steps < board.hopeless))
        self._goal_gains = self._by_goal(board.goal_gains)
        self._by_loop: Floats | None = None

    def gain(self, rows: Ints, fields: Ints) -> Floats:
        """Return the gain of a mark on each field, or the value of the player's die there."""
        value = self._goals(self._goal_gains, rows, fields)
        if self._board.rails:
            value += self._loops(self._board.rails, rows, fields)
        value += self._symbols(rows, fields)
        opened = count_fields(self._board.near.take(fields, 0) & self._new.take(rows, 0))
        value += NEW_FIELD_VALUE * opened * self.hopes.take(rows)
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
        """Return the gain of one more field of each loop, by row and loop."""
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
            (board.rocket_of, self._rocket),
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
        has |= has_fields(self._dice.take(rows, 0) & board.flags.take(tracks, 0))
        points = board.track_numbers[tracks, lanes.struck[games, tracks]]
        worth = points * (1 - self.hopes.take(rows)) * (1 if board.players == 1 else RIVALRY_FACTOR)
        return np.where(has, 0, worth)

    def _key(self, rows: Ints, colours: Ints) -> Floats:
        lanes, board = self._lanes, self._board
        has = has_fields(self._dice.take(rows, 0) & board.keys.take(colours, 0))
        locks = board.locks.take(colours, 0) & lanes.closed.take(self._sheets.take(rows), 0)
        return np.where(has, 0, LOCK_VALUE * count_fields(locks) * self.hopes.take(rows))

    def _rocket(self, rows: Ints, _kinds: Ints) -> Floats:
        flying = rows.take(first_of_rows(rows))
        planets = planets_left(self._lanes, self._sheets.take(flying)) & ~self._dice.take(flying, 0)
        at, fields = members(planets)
        worth = np.zeros(len(self._sheets))
        if at.size:
            starts = first_of_rows(at)
            gains = self._goals(self._goal_gains, flying.take(at), fields)
            found = flying.take(at.take(starts))
            worth[found] = ROCKET_VALUE * (1 - self.hopes.take(found))
            worth[found] += np.maximum.reduceat(gains, starts)
        return worth.take(rows)


def planets_left(lanes: Lanes, sheets: Ints) -> Sets:
    """Return the planets to which a rocket can still fly."""
    return lanes.board.planets & ~(lanes.crosses.take(sheets, 0) | lanes.lava.take(sheets, 0))


def choose_placing(lanes: Lanes, games: Ints, sheets: Ints, fitting: Sets) -> Ints:
    """Choose for each player the field for the next die among the ``fitting`` fields."""
    board = lanes.board
    rows, fields = members(fitting)
    rates = BatchFieldValues(lanes, games, sheets).gain(rows, fields)
    near = lanes.near_dice.take(sheets, 0).take(rows, 0) | board.near.take(fields, 0)
    after = near & lanes.free.take(sheets, 0).take(rows, 0) & ~board.bit.take(fields, 0)
    rates += NEXT_NUMBER_VALUE * _numbers_next(
        lanes.pool.take(games), rows, board.numbers.take(fields), after
    )
    return _best(lanes, games, fitting, rows, fields, rates)


def _numbers_next(pools: Pools, rows: Ints, numbers: Ints, after: Sets) -> Ints:
    """Count the numbers that the player can place after each possible die.

    A number counts twice if the pool has another die with it.
    """
    shown = pools.view(np.uint8).reshape(-1, 8)
    in_pool = numbers_in(pools)
    alone = np.packbits(shown == 1, bitorder="little")
    last = alone.take(rows) & (1 << numbers).astype(np.uint8)
    found = groups_in(after)
    return np.bitwise_count(found) + np.bitwise_count(found & in_pool.take(rows) & ~last)


def dares_reroll(lanes: Lanes, games: Ints, sheets: Ints, targets: Sets) -> Bools:
    """Return for each player whether the expected gain of a reroll exceeds its expected loss.

    See `sheets.bots.greedy_bot`.
    """
    board = lanes.board
    dice = lanes.dice.take(sheets, 0)
    dares = ~has_fields(dice) | board.level.house_rules.keep_dice
    risking = where(~dares)
    if not risking.size:
        return dares
    worths = BatchFieldValues(lanes, games.take(risking), sheets.take(risking))
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
    """Choose the die with the least gain for each player who has to return a die."""
    dice = lanes.dice.take(sheets, 0)
    rows, fields = members(dice)
    rates = -BatchFieldValues(lanes, games, sheets).gain(rows, fields)
    return _best(lanes, games, dice, rows, fields, rates)


def choose_lava(lanes: Lanes, games: Ints, sheets: Ints) -> Ints:
    """Choose the field that each player gives to the lava: the one of least loss."""
    owed = lanes.owed.take(sheets, 0)
    rows, fields = members(owed)
    rates = -BatchFieldValues(lanes, games, sheets).loss(rows, fields)
    return _best(lanes, games, owed, rows, fields, rates)


def choose_planet(lanes: Lanes, games: Ints, sheets: Ints) -> Ints:
    """Choose the planet that each player's rocket flies to."""
    planets = planets_left(lanes, sheets)
    rows, fields = members(planets)
    beyond = lanes.free.take(sheets, 0) & ~lanes.near_crosses.take(sheets, 0)
    islands = count_fields(lanes.board.near.take(fields, 0) & beyond.take(rows, 0))
    rates = (
        BatchFieldValues(lanes, games, sheets, is_landing=True).gain(rows, fields)
        + NEW_ACCESS_VALUE * islands
    )
    return _best(lanes, games, planets, rows, fields, rates)


def choose_track(lanes: Lanes, rails: Rails, games: Ints, sheets: Ints) -> tuple[Ints, Ints]:
    """Choose for each player a field to draw track on, and its shape for the best loop."""
    owed = lanes.owed.take(sheets, 0)
    gains = BatchFieldValues(lanes, games, sheets).loop_gains(rails)
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
    """Return for each row the field with the best rate.

    ``rows``, ``fields`` and ``rates`` have one element for each choice. Coins decide ties, one coin
    for each choice in reading order.
    """
    counts = np.bincount(rows, minlength=len(games))
    starts = np.cumsum(counts) - counts
    best = where(rates == np.repeat(np.maximum.reduceat(rates, starts), counts))
    if len(best) > len(starts):
        tied = rows.take(best)
        before = choices.take(tied, 0) & lanes.board.before.take(fields.take(best), 0)
        best = best.take(_toss(lanes, games, tied, count_fields(before)))
    lanes.random.use_coins(games, counts)
    return fields.take(best)


def _toss(lanes: Lanes, games: Ints, rows: Ints, ranks: Ints) -> Ints:
    """Return for each row the index of the choice with the highest coin.

    ``rows`` and ``ranks`` have one element for each tied choice; a rank is the choice's index among
    all choices of the row.
    """
    coins = lanes.random.coins(games.take(rows), ranks)
    order = np.lexsort((~coins, rows))
    return order.take(first_of_rows(rows.take(order)))

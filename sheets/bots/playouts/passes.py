"""The phases of a pass in a batch of games: rules of `sheets.rules.turns`, `effects`, `volcano`.

Each function moves games from one phase to a later one, with the choices of greedy bots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from sheets.bots.playouts.arrays import (
    Bools,
    Ints,
    Sets,
    count_fields,
    first_of_rows,
    groups_in,
    has_fields,
    members,
    where,
)
from sheets.bots.playouts.batch_state import (
    CLOSING,
    ENDING,
    ERUPT,
    EXTRA,
    FINISHED,
    LAVA,
    MARKING,
    NO_NUMBER,
    REROLL,
    RETURN,
    ROLL,
    TURN,
    Lanes,
)
from sheets.bots.playouts.dice import count_dice, numbers_in, one_die
from sheets.bots.playouts.greedy import (
    choose_lava,
    choose_placing,
    choose_planet,
    choose_return,
    choose_track,
    dares_reroll,
    planets_left,
)
from sheets.bots.playouts.rails import Rails
from sheets.bots.playouts.scores import score
from sheets.rules.state import EXTRA_DICE


def erupt(lanes: Lanes, games: Ints) -> None:
    """Throw the eruption die, and find the fields on each sheet that the lava can take."""
    board = lanes.board
    lanes.begin_pass(games)
    shown = numbers_in(lanes.random.throw(games, np.ones(len(games), np.intp)))
    sheets = lanes.sheets_of(games)
    near = lanes.near_lava.take(sheets.ravel(), 0) & np.repeat(
        board.groups.take(shown, 0), board.players, axis=0
    )
    gone = (lanes.crosses | lanes.exploded | lanes.lava).take(sheets.ravel(), 0)
    lanes.owed[sheets.ravel()] = near & ~gone
    lanes.phase[games] = LAVA


def let_lava_flow(lanes: Lanes, games: Ints) -> None:
    """Let the first player who owes lava choose its field; if none does, go on to the roll."""
    board = lanes.board
    by_game = lanes.sheets_of(games)
    owing = has_fields(lanes.owed.take(by_game.ravel(), 0)).reshape(by_game.shape)
    choosing = where(np.any(owing, axis=1))
    lanes.phase[games] = ROLL
    if choosing.size:
        chosen = by_game[choosing, owing.take(choosing, 0).argmax(axis=1)]
        games = games.take(choosing)
        fields = choose_lava(lanes, games, chosen)
        lanes.lava[chosen] |= board.bit.take(fields, 0)
        lanes.near_lava[chosen] |= board.near.take(fields, 0)
        lanes.owed[chosen] = 0
        lanes.refresh(chosen)
        lanes.phase[games] = LAVA


def roll(lanes: Lanes, games: Ints) -> None:
    """Roll all dice, and begin the turn of the start player."""
    board = lanes.board
    if not board.has_volcano:
        lanes.begin_pass(games)
    lanes.pool[games] = lanes.random.throw(games, np.full(len(games), board.dice))
    _begin_turn(lanes, games, lanes.start_player.take(games))


def take_turn(lanes: Lanes, games: Ints) -> None:
    """Place a die for each player who can; the others reroll or drop out."""
    players = lanes.player.take(games)
    sheets = games * lanes.board.players + players
    targets = lanes.targets(sheets)
    fitting = targets & lanes.board.groups.take(numbers_in(lanes.pool.take(games)), 0)
    can = has_fields(fitting)
    placing, others = where(can), where(~can)
    if placing.size:
        _place(lanes, games.take(placing), sheets.take(placing), fitting.take(placing, 0))
    if others.size:
        games, sheets = games.take(others), sheets.take(others)
        dares = dares_reroll(lanes, games, sheets, targets.take(others, 0))
        if dares.any():
            _reroll(lanes, games[dares], sheets[dares], targets.take(others[dares], 0))
        stays_out = ~dares
        left = _leave(lanes, games[stays_out], players.take(others[stays_out]))
        _begin_turn(lanes, *left)


def reroll(lanes: Lanes, games: Ints) -> None:
    """Throw the dice of a reroll that the player chose before the play-out began."""
    sheets = games * lanes.board.players + lanes.player.take(games)
    lanes.phase[games] = TURN
    _reroll(lanes, games, sheets, lanes.targets(sheets))


def return_die(lanes: Lanes, games: Ints) -> None:
    """Put a die of each player whose reroll did not fit back into the pool."""
    board = lanes.board
    sheets = games * board.players + lanes.player.take(games)
    fields = choose_return(lanes, games, sheets)
    bit = board.bit.take(fields, 0)
    dice = lanes.dice.take(sheets, 0) & ~bit
    lanes.dice[sheets] = dice
    lanes.near_dice[sheets] = 0
    rows, lying = members(dice)
    if rows.size:
        starts = first_of_rows(rows)
        near = np.bitwise_or.reduceat(board.near.take(lying, 0), starts, axis=0)
        lanes.near_dice[sheets.take(rows.take(starts))] = near
    lanes.refresh(sheets)
    lanes.pool[games] += one_die(board.numbers.take(fields))
    _end_turn(lanes, games)


def roll_extra(lanes: Lanes, games: Ints) -> None:
    """Solo: throw two extra dice, and remove dice of their numbers from the pool."""
    thrown = lanes.random.throw(games, np.full(len(games), EXTRA_DICE))
    pool = lanes.pool.take(games).view(np.uint8)
    pools = (pool - np.minimum(pool, thrown.view(np.uint8))).view(np.uint64)
    lanes.pool[games] = pools
    is_empty = pools == 0
    lanes.phase[games[is_empty]] = ENDING
    going_on = games[~is_empty]
    _begin_turn(lanes, going_on, np.zeros(len(going_on), np.intp))


def end_pass(lanes: Lanes, games: Ints) -> None:
    """Turn dice into crosses, apply effects, and note the rockets or track that players owe."""
    board = lanes.board
    by_game = lanes.sheets_of(games)
    sheets = by_game.ravel()
    lying = lanes.dice.take(sheets, 0)
    lanes.crosses[sheets] |= lying
    lanes.near_crosses[sheets] |= lanes.near_dice.take(sheets, 0)
    lanes.dice[sheets] = 0
    lanes.near_dice[sheets] = 0
    _open_locks(lanes, sheets)
    _explode_bombs(lanes, sheets, lying)
    _award(lanes, games, by_game, range(len(board.flags)))
    if board.rails:
        lanes.owed[sheets] = lying
    if board.has_rockets:
        launched = count_fields(lying & board.rockets)
        lanes.rockets[sheets] = np.minimum(launched, count_fields(planets_left(lanes, sheets)))
    lanes.refresh(sheets)
    lanes.phase[games] = MARKING


def fly_rocket(lanes: Lanes, games: Ints) -> None:
    """Fly a rocket of the first player who has one left; if none has, close the pass."""
    board = lanes.board
    by_game = lanes.sheets_of(games)
    owing = lanes.rockets.take(by_game) > 0
    flying = where(np.any(owing, axis=1))
    lanes.phase[games] = CLOSING
    if flying.size:
        chosen = by_game[flying, owing.take(flying, 0).argmax(axis=1)]
        games = games.take(flying)
        fields = choose_planet(lanes, games, chosen)
        lanes.crosses[chosen] |= board.bit.take(fields, 0)
        lanes.near_crosses[chosen] |= board.near.take(fields, 0)
        lanes.rockets[chosen] -= 1
        lanes.refresh(chosen)
        lanes.phase[games] = MARKING


def draw_track(lanes: Lanes, rails: Rails, games: Ints) -> None:
    """Draw a piece of track of the first player who owes one; if none does, close the pass."""
    by_game = lanes.sheets_of(games)
    owing = has_fields(lanes.owed.take(by_game.ravel(), 0)).reshape(by_game.shape)
    drawing = where(np.any(owing, axis=1))
    lanes.phase[games] = CLOSING
    if drawing.size:
        chosen = by_game[drawing, owing.take(drawing, 0).argmax(axis=1)]
        games = games.take(drawing)
        fields, shapes = choose_track(lanes, rails, games, chosen)
        lanes.tracks[chosen, fields] = shapes
        lanes.spoilt[chosen] |= rails.spoils[shapes, fields]
        lanes.owed[chosen] &= ~lanes.board.bit.take(fields, 0)
        lanes.phase[games] = MARKING


def mark(lanes: Lanes, games: Ints) -> None:
    """Make one choice at the end of a pass: a planet, or a piece of track."""
    if lanes.board.rails:
        draw_track(lanes, lanes.board.rails, games)
    else:
        fly_rocket(lanes, games)


def close_pass(lanes: Lanes, games: Ints) -> None:
    """Score races, then finish the game or begin the next pass."""
    board = lanes.board
    by_game = lanes.sheets_of(games)
    _award(lanes, games, by_game, range(len(board.flags), len(board.tracks)))
    lanes.passes_done[games] += 1
    sheets = by_game.ravel()
    marked = (lanes.crosses | lanes.exploded | lanes.lava).take(sheets, 0)
    is_full = ~has_fields(board.crossable & ~marked).reshape(by_game.shape)
    ends = (lanes.passes_done.take(games) == board.passes) | is_full.any(axis=1)
    lanes.pool[games] = 0
    lanes.phase[games] = FINISHED
    going_on = games[~ends]
    lanes.out[going_on] = 0
    lanes.is_last_turn[going_on] = False
    lanes.start_player[going_on] = _find_starters(lanes, going_on)
    lanes.phase[going_on] = ERUPT if board.has_volcano else ROLL


def _find_starters(lanes: Lanes, games: Ints) -> Ints:
    """Return the player who starts the next pass (`start-order`, `starter`)."""
    count, rule = lanes.board.players, lanes.board.level.house_rules.starter
    if rule == "same-player":
        return np.zeros(len(games), np.intp)
    after = lanes.passes_done.take(games) % count
    if rule == "fewest-points" and games.size:
        totals = score(lanes).totals.take(games, 0)
        turns_away = (np.arange(count) - after[:, None]) % count
        starters: Ints = (totals * count + turns_away).argmin(axis=1)
        return starters
    return after


def _place(lanes: Lanes, games: Ints, sheets: Ints, fitting: Sets) -> None:
    board = lanes.board
    fields = choose_placing(lanes, games, sheets, fitting)
    bit = board.bit.take(fields, 0)
    lanes.dice[sheets] |= bit
    lanes.near_dice[sheets] |= board.near.take(fields, 0)
    lanes.free[sheets] &= ~bit
    lanes.steps[sheets] -= board.in_goals.take(fields, 0)
    if board.rails:
        lanes.missing[sheets] -= board.rails.of_loops.take(fields, 0)
    lanes.pool[games] -= one_die(board.numbers.take(fields))
    ends = (lanes.pool.take(games) == 0) | lanes.is_last_turn.take(games)
    lanes.phase[games[ends]] = ENDING
    going_on = games[~ends]
    if board.players == 1:
        lanes.phase[going_on] = EXTRA
    else:
        _begin_turn(lanes, going_on, _next(lanes, going_on))


def _reroll(lanes: Lanes, games: Ints, sheets: Ints, targets: Sets) -> None:
    """Reroll the pool: a die that fits is placed in the same turn; else one is returned, if any."""
    pools = lanes.random.throw(games, count_dice(lanes.pool.take(games)))
    lanes.pool[games] = pools
    misses = (groups_in(targets) & numbers_in(pools)) == 0
    returns = has_fields(lanes.dice.take(sheets, 0)) & (not lanes.board.level.house_rules.keep_dice)
    lanes.phase[games[misses & returns]] = RETURN
    _end_turn(lanes, games[misses & ~returns])


def _end_turn(lanes: Lanes, games: Ints) -> None:
    """End the turn of players who stay in."""
    ends = lanes.is_last_turn.take(games)
    lanes.phase[games[ends]] = ENDING
    going_on = games[~ends]
    _begin_turn(lanes, going_on, _next(lanes, going_on))


def _begin_turn(lanes: Lanes, games: Ints, players: Ints) -> None:
    """Begin the players' turns; a player without any target is out (`stuck`)."""
    while games.size:
        has_target = has_fields(lanes.targets(games * lanes.board.players + players))
        lanes.phase[games[has_target]] = TURN
        lanes.player[games[has_target]] = players[has_target]
        games, players = _leave(lanes, games[~has_target], players[~has_target])


def _leave(lanes: Lanes, games: Ints, players: Ints) -> tuple[Ints, Ints]:
    """Drop players out of the pass; return the games that go on, and their next players."""
    board = lanes.board
    out = lanes.out.take(games) | 1 << players
    lanes.out[games] = out
    left = board.players - np.bitwise_count(out)
    ends = (left == 0) | lanes.is_last_turn.take(games)
    lanes.phase[games[ends]] = ENDING
    going_on = games[~ends]
    lanes.is_last_turn[going_on] = (left[~ends] == 1) & (not board.level.house_rules.play_on)
    return going_on, board.next_in[out[~ends], players[~ends]]


def _next(lanes: Lanes, games: Ints) -> Ints:
    """Return the next player clockwise who is still in."""
    return lanes.board.next_in[lanes.out.take(games), lanes.player.take(games)]


def _open_locks(lanes: Lanes, sheets: Ints) -> None:
    board = lanes.board
    crosses = lanes.crosses.take(sheets, 0)
    closed = np.repeat(board.shut[None], len(sheets), axis=0)
    for keys, locks in zip(board.keys, board.locks, strict=True):
        closed |= np.where(has_fields(crosses & keys)[:, None], 0, locks)
    lanes.closed[sheets] = closed


def _explode_bombs(lanes: Lanes, sheets: Ints, lying: Sets) -> None:
    """Explode each bomb under a die on all sheets without a die there."""
    board = lanes.board
    if board.has_bombs and board.players > 1:
        hit = (lying & board.bombs).reshape(-1, board.players, board.words)
        hit = np.bitwise_or.reduce(hit, axis=1)
        lanes.exploded[sheets] |= np.repeat(hit, board.players, axis=0) & ~lying


def _award(lanes: Lanes, games: Ints, by_game: Ints, tracks: range) -> None:
    """Circle a number for each player who reaches a flag or completes a race area."""
    board = lanes.board
    crosses = lanes.crosses.take(by_game.ravel(), 0)
    for track in tracks:
        circled = lanes.circled[by_game, track]
        takes = _reached(lanes, track, crosses).reshape(by_game.shape) & (circled == NO_NUMBER)
        gone = lanes.struck[games, track]
        numbers = board.track_numbers[track].take(gone)
        lanes.circled[by_game, track] = np.where(takes, numbers[:, None], circled)
        lanes.struck[games, track] = gone + takes.sum(axis=1)


def _reached(lanes: Lanes, track: int, crosses: Sets) -> Bools:
    """Return `NumberTrack.is_reached` for sheets with these crosses."""
    board = lanes.board
    if board.tracks[track].kind == "flag":
        return has_fields(crosses & board.unprinted[track])
    if not board.unprinted[track].any():
        return np.zeros(len(crosses), np.bool_)
    return ~has_fields(board.track_fields[track] & ~crosses)


ACTS: Final[dict[int, Callable[[Lanes, Ints], None]]] = {
    TURN: take_turn,
    REROLL: reroll,
    RETURN: return_die,
    EXTRA: roll_extra,
    ENDING: end_pass,
    MARKING: mark,
    CLOSING: close_pass,
    ERUPT: erupt,
    LAVA: let_lava_flow,
    ROLL: roll,
}
"""Function that plays each phase."""

WAITING_DIVISOR: Final = len(ACTS) + 1
"""Divisor of the number of running games: a phase with fewer games waits. As there are fewer phases
than this number, one of them always has enough games."""


def step(lanes: Lanes) -> bool:
    """Run each phase for the games that are in it; return whether any game still runs.

    Larger batches cost less per game: a phase with only a few games waits for more of them.
    """
    running = where(lanes.phase != FINISHED)
    for phase, act in ACTS.items():
        games = where(lanes.phase == phase)
        if games.size and games.size >= len(running) // WAITING_DIVISOR:
            lanes.random.prepare(games)
            act(lanes, games)
    return bool(running.size)

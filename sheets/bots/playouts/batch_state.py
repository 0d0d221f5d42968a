"""State of a batch of games on one level.

A lane is a game: one element of each array by game, and one element for each player of each array
by sheet. Player *p* of game *g* with *n* players has the sheet ``g * n + p``.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import numpy as np

from sheets.bots.playouts.arrays import Bools, Ints, Sets, count_all, has_fields, has_some
from sheets.bots.playouts.board import lay_out
from sheets.bots.playouts.dice import Dice, Pools
from sheets.rules import Game, Level, Sheet

PHASES: Final = (
    *("erupt", "lava", "roll", "turn", "reroll", "return", "extra"),
    *("ending", "marking", "closing", "finished"),
)
"""Phases of a game, in the order of a pass. Three exist only here: ``reroll``, a turn that begins
with a chosen reroll, ``ending`` before and ``closing`` after the choices at the end of a pass."""

ERUPT, LAVA, ROLL, TURN, REROLL, RETURN, EXTRA = range(7)
ENDING, MARKING, CLOSING, FINISHED = range(7, len(PHASES))

NO_NUMBER: Final = np.iinfo(np.intp).min
"""Value in `Lanes.circled` of a number track on which no number is circled."""


class Lanes:
    """Games on one level, with the same number of players; moves change the arrays.

    By game: ``phase`` (an index in `PHASES`), ``player`` to move, ``start_player`` of the pass (of
    the next one, between passes), ``passes_done``, ``pool``,
    ``is_last_turn``, ``out`` (a bit for each player who has dropped out), and ``struck``, the count
    of numbers struck from each number track.

    By sheet: the sets of `sheets.rules.Sheet`; ``near_lava``, the fields that touch a volcano or
    lava; ``owed``, the fields among which the player chooses one for the lava or, on rail levels,
    on which the player owes track; ``rockets``, the count of rockets still to fly; ``circled``, the
    number on each number track (or `NO_NUMBER`). On rail levels, ``tracks`` has the number of the
    shape on each field (or `NO_TRACK`) and `NO_TRACK` after the last field; ``spoilt`` has for each
    loop `SPOILT` if it can no longer be laid, else 0.

    Derived, by sheet: ``free``, the fields that can take a die (`free_fields`); ``steps`` and
    ``by_rocket`` for each goal (see `refresh`); on rail levels ``missing``, how many fields of each
    loop are not taken. ``random`` has the games' dice.
    """

    phase: Ints
    player: Ints
    start_player: Ints
    passes_done: Ints
    pool: Pools
    is_last_turn: Bools
    out: Ints
    struck: Ints
    crosses: Sets
    near_crosses: Sets
    closed: Sets
    dice: Sets
    near_dice: Sets
    exploded: Sets
    lava: Sets
    near_lava: Sets
    owed: Sets
    rockets: Ints
    circled: Ints
    tracks: Ints
    spoilt: Ints
    missing: Ints

    def __init__(
        self, games: Sequence[Game], randoms: Sequence[Random], dice: type[Dice] = Dice
    ) -> None:
        self.board = lay_out(games[0].level, len(games[0].players))
        # Most games begin at the same position: each position is laid out once.
        positions = {id(game): game for game in games}
        place = {key: number for number, key in enumerate(positions)}
        kinds = np.array([place[id(game)] for game in games], np.intp)
        self._lay_out_games(list(positions.values()), kinds)
        self._given = self.passes_done.copy()
        self._lay_out_sheets(list(positions.values()), self.sheets_of(kinds).ravel())
        self.random = dice(randoms, self.board.dice, self.board.max_choices)
        self.free = np.zeros_like(self.crosses)
        self.steps = np.zeros((len(self.crosses), len(self.board.goals)), np.intp)
        self.by_rocket = np.zeros_like(self.steps)
        if self.board.rails:
            self.missing = np.zeros_like(self.spoilt)
        self.refresh(np.arange(len(self.crosses)))

    def sheets_of(self, games: Ints) -> Ints:
        """Return the indexes of all players' sheets in these games, a row for each game."""
        players = self.board.players
        return games[:, None] * players + np.arange(players)

    def begin_pass(self, games: Ints) -> None:
        """Begin a pass in these games, before its first throw."""
        passes = self.passes_done.take(games) - self._given.take(games)
        self.random.begin_pass(games, passes)

    def targets(self, sheets: Ints) -> Sets:
        """Return where each player's next die may go, whatever its number (`rules.targets`)."""
        free = self.free.take(sheets, 0)
        near = self.near_dice.take(sheets, 0) & free
        jumping = self.near_crosses.take(sheets, 0) & free
        return np.where(has_fields(near)[:, None], near, jumping)

    def refresh(self, sheets: Ints) -> None:
        """Update the derived arrays of these sheets.

        A goal's steps are its missing fields, one more for each without a number, one more if some
        are locked, and `Board.hopeless` more if it is spoilt. ``by_rocket`` counts its missing
        fields without a number.
        """
        board = self.board
        taken = self.crosses.take(sheets, 0) | self.dice.take(sheets, 0)
        spoilt = self.exploded.take(sheets, 0) | self.lava.take(sheets, 0)
        closed = self.closed.take(sheets, 0)
        self.free[sheets] = board.numbered & ~(taken | spoilt | closed)
        missing = [board.goals[:, w] & ~taken[:, w, None] for w in range(board.words)]
        steps = count_all(missing)
        steps += has_some(fields & closed[:, w, None] for w, fields in enumerate(missing))
        is_spoilt = has_some(fields & spoilt[:, w, None] for w, fields in enumerate(missing))
        steps += board.hopeless * is_spoilt
        if board.needs_rockets:
            numberless = board.numberless_goals
            by_rocket = count_all(f & numberless[:, w] for w, f in enumerate(missing))
            self.by_rocket[sheets] = by_rocket
            steps += by_rocket
        self.steps[sheets] = steps
        if board.rails:
            self.missing[sheets] = board.rails.count_missing(taken)

    def _lay_out_games(self, games: Sequence[Game], kinds: Ints) -> None:
        """Fill the arrays of games; ``kinds`` has for each lane the index of its position."""
        tracks = self.board.tracks
        pools = [sum(1 << 8 * die for die in game.pool) for game in games]
        out = [sum(sheet.is_out << n for n, sheet in enumerate(game.sheets)) for game in games]
        struck = [[game.struck.get(track.place, 0) for track in tracks] for game in games]
        self.phase = _ints([PHASES.index(game.phase) for game in games]).take(kinds)
        self.player = _ints([game.player or 0 for game in games]).take(kinds)
        self.start_player = _ints([game.start_player for game in games]).take(kinds)
        self.passes_done = _ints([game.passes_done for game in games]).take(kinds)
        self.pool = np.array(pools, np.uint64).take(kinds)
        self.is_last_turn = np.array([game.is_last_turn for game in games], np.bool_).take(kinds)
        self.out = _ints(out).take(kinds)
        self.struck = _ints(struck).reshape(len(games), -1).take(kinds, 0)

    def _lay_out_sheets(self, games: Sequence[Game], kinds: Ints) -> None:
        """Fill the arrays of sheets; ``kinds`` has for each sheet its index in all positions."""
        level, tracks = self.board.level, self.board.tracks
        sheets = [sheet for game in games for sheet in game.sheets]
        as_sets, as_counts = (("lava", "marking"), ()) if level.rails else (("lava",), ("marking",))
        owed = [n for game in games for n in _owed(game, as_sets)]
        rockets = [n for game in games for n in _owed(game, as_counts)]
        circled = [[_number(track.circled(sheet)) for track in tracks] for sheet in sheets]

        def sets(masks: Sequence[int]) -> Sets:
            return self.board.pack_all(masks).take(kinds, 0)

        self.crosses = sets([sheet.crosses for sheet in sheets])
        self.near_crosses = sets([sheet.near_crosses for sheet in sheets])
        self.closed = sets([sheet.closed for sheet in sheets])
        self.dice = sets([sheet.dice for sheet in sheets])
        self.near_dice = sets([sheet.near_dice for sheet in sheets])
        self.exploded = sets([sheet.exploded for sheet in sheets])
        self.lava = sets([sheet.lava for sheet in sheets])
        self.near_lava = sets([_near_lava(level, sheet) for sheet in sheets])
        self.owed = sets(owed)
        self.rockets = _ints(rockets).take(kinds)
        self.circled = _ints(circled).reshape(len(sheets), -1).take(kinds, 0)
        if rails := self.board.rails:
            self.tracks = _ints([rails.code(sheet.tracks) for sheet in sheets]).take(kinds, 0)
            self.spoilt = _ints([rails.spoilt(sheet.tracks) for sheet in sheets]).take(kinds, 0)


def _ints(values: Sequence[object]) -> Ints:
    return np.array(values, np.intp)


def _owed(game: Game, phases: Sequence[str]) -> Sequence[int]:
    """Return what each player owes, if the game is in one of the phases; else zeros."""
    return game.owed if game.phase in phases else (0,) * len(game.players)


def _number(circled: int | None) -> int:
    return NO_NUMBER if circled is None else circled


def _near_lava(level: Level, sheet: Sheet) -> int:
    return level.touching(level.by_symbol["volcano"] | sheet.lava)

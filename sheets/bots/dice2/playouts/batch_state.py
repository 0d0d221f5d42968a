"""State of a batch of games of Dice², and the effect of each die.

A lane is a game: one element of each array. The games are of one kind, with the same number of
players.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sheets.bots.dice2.playouts.layout import NUMBER_COUNT, Codes, lay_out
from sheets.bots.dice2.playouts.lines import Table, points, taken, threats, wins
from sheets.bots.playouts.arrays import Bools, Floats, Ints, Sets, share_best, where
from sheets.rules.dice2 import Dice2Game
from sheets.rules.dice2.kinds import MARKERS_TO_WIN, SQUARE_BONUS
from sheets.rules.scoring import share_win

ARRAYS: Final = (
    *("player", "is_over", "fits", "near", "own", "codes"),
    *("dice_left", "points", "last_placed", "placed", "wins", "prospect", "shown", "threats"),
)

EACH_BYTE: Final = np.uint64(0x0101010101010101)
EVERYTHING: Final = np.uint64(0xFFFFFFFFFFFFFFFF)


class Lanes:
    """Games of Dice², of one kind and with the same number of players; moves change the arrays.

    By game: ``player`` to move, ``is_over``, ``placed`` (count of dice placed), and ``codes`` of
    all lines. Sets of numbers by game and field (see `layout`): ``fits``, the numbers that the
    field can still take; ``near``, all numbers if the field shares an edge with a die.

    By game and player: ``dice_left``, ``points`` (or markers), ``last_placed``, ``wins`` (shares of
    the win), ``own``, all numbers on the fields that `own-colour` allows, and ``prospect``, the sum
    of ``prospects`` over all lines.

    Optional: in Square Dice ``shown``, the number of the die on each field, as a set; in 4 Dice
    Wins ``threats``, by player all numbers on the fields where the player's next die would win.

    Args:
        games: the positions.
        prospects: the value of a line for each player, by code; None if it is not needed.
        is_watched: whether the optional arrays are kept.
    """

    player: Ints
    is_over: Bools
    fits: Sets
    near: Sets
    own: Sets
    codes: Codes
    dice_left: Ints
    points: Ints
    last_placed: Ints
    placed: Ints
    wins: Floats
    prospect: Ints
    shown: Sets
    threats: Sets

    def __init__(
        self,
        games: Sequence[Dice2Game],
        prospects: Table | None = None,
        *,
        is_watched: bool = False,
    ) -> None:
        name, players = games[0].kind.name, games[0].players
        self.layout = lay_out(name, players)
        self.prospects = prospects
        self._pays = name in ("square", "major")
        self._points = points(name, players) if self._pays else NOTHING
        self._is_full = name == "major"
        self._taken = taken(name, players) if self._is_full else NOTHING
        self._is_won = name == "four-wins"
        self._wins = wins(name, players) if self._is_won else NOTHING
        self._shows = is_watched and name == "square"
        self._has_threats = is_watched and name == "four-wins"
        self._threats = threats(players) if self._has_threats else NOTHING
        # Most games begin at the same position: each position is laid out once.
        positions = {id(game): game for game in games}
        place = {key: number for number, key in enumerate(positions)}
        self._lay_out(list(positions.values()))
        if len(positions) < len(games):
            self._become(self, np.array([place[id(game)] for game in games], np.intp))

    def __len__(self) -> int:
        return len(self.player)

    def taken(self, lanes: Ints) -> Lanes:
        """Return a copy of these lanes, which may contain a lane several times."""
        copy = object.__new__(Lanes)
        copy.__dict__.update(self.__dict__)
        copy._become(self, lanes)
        return copy

    def _become(self, other: Lanes, lanes: Ints) -> None:
        for name in ARRAYS:
            setattr(self, name, getattr(other, name).take(lanes, 0))

    def _lay_out(self, games: Sequence[Dice2Game]) -> None:
        layout = self.layout
        count, players = len(games), layout.players
        self.player = np.array([game.player for game in games], np.intp)
        self.is_over = np.array([game.is_finished for game in games], np.bool_)
        self.fits = np.tile(layout.all, (count, 1))
        self.near = np.tile(layout.start, (count, 1))
        owning = players if layout.kind.touches_own_colour else 0
        self.own = np.full((count, owning, layout.words), EVERYTHING)
        self.codes = np.tile(layout.empty, (count, 1))
        self.dice_left = np.full((count, players), layout.kind.dice_each, np.intp)
        self.points = np.zeros((count, players), np.intp)
        self.last_placed = np.full((count, players), -1, np.intp)
        self.placed = np.zeros(count, np.intp)
        self.wins = np.zeros((count, players))
        self.prospect = np.zeros((count, players), np.intp)
        self.shown = np.zeros((count, layout.words if self._shows else 0), np.uint64)
        watching = players if self._has_threats else 0
        self.threats = np.zeros((count, watching, layout.words), np.uint64)
        for lane, game in enumerate(games):
            self._lay_dice(np.array([lane]), game)
        self.points = np.array([game.points for game in games], np.intp)
        self.last_placed = np.array([game.last_placed for game in games], np.intp)
        self.wins = np.array([share_win(game.winners, players) for game in games])

    def _lay_dice(self, lane: Ints, game: Dice2Game) -> None:
        for index, place in self.layout.places.items():
            if die := game.board.numbers[index]:
                player = np.array([game.board.owners[index]])
                self._put(lane, np.array([place]), np.array([die]), player)

    def choices(self, lanes: Ints, dice: Ints) -> tuple[Ints, Ints]:
        """Return all legal placements of the players to move, as two arrays of equal length.

        The first has indices into ``lanes``, the second fields. They are ordered by lane, then in
        reading order.
        """
        sets = self.open_to(lanes, self.player.take(lanes)) >> dice.astype(np.uint64)[:, None]
        sets &= EACH_BYTE
        return np.divmod(where(sets.view(np.bool_).ravel()), 8 * self.layout.words)

    def open_to(self, lanes: Ints, players: Ints) -> Sets:
        """Return for each lane the numbers that one player can place on each field."""
        sets: Sets = self.fits.take(lanes, 0) & self.near.take(lanes, 0)
        if self.layout.kind.touches_own_colour:
            sets &= self.own[lanes, players]
        return sets

    def place(self, lanes: Ints, fields: Ints, dice: Ints) -> None:
        """Place a die of the player to move in each of these lanes, and pass the turn on."""
        players = self.player.take(lanes)
        self._put(lanes, fields, dice, players)
        self._settle(lanes, players)
        self._go_on(lanes)

    def skip(self, lanes: Ints) -> None:
        """Skip the turn in games whose die fits nowhere; in some kinds this ends the game."""
        if self.layout.kind.skip_ends():
            self._finish(lanes)
        else:
            self._go_on(lanes)

    def _put(self, lanes: Ints, fields: Ints, dice: Ints, players: Ints) -> None:
        """Put a die on a field, and update fields and lines."""
        layout = self.layout
        self.fits[lanes] &= layout.keep.take(fields * NUMBER_COUNT + dice, 0)
        self.near[lanes] |= layout.edge_neighbours.take(fields, 0)
        if layout.kind.touches_own_colour:
            around = layout.around.take(fields, 0)
            is_first = self.dice_left[lanes, players] == layout.kind.dice_each
            owns = np.where(is_first[:, None], np.uint64(0), self.own[lanes, players])
            self.own[lanes, players] = owns | around
        if self._shows:
            self.shown.view(np.uint8)[lanes, fields] = 1 << dice
        self.dice_left[lanes, players] -= 1
        self.last_placed[lanes, players] = self.placed.take(lanes)
        self.placed[lanes] += 1
        shown = (dice if layout.kind.name == "square" else players + 1).astype(np.int32)
        for direction in range(len(layout.steps)):
            lines = layout.lines[:, direction].take(fields)
            before = self.codes[lanes, lines]
            after = before + layout.digits[:, direction].take(fields) * shown
            self.codes[lanes, lines] = after
            self._update_line(lanes, lines, before, after)

    def _update_line(self, lanes: Ints, lines: Ints, before: Codes, after: Codes) -> None:
        """Update the arrays that depend on the code of one line of each lane."""
        if self.prospects is not None:
            self.prospect[lanes] += self.prospects.take(after, 0) - self.prospects.take(before, 0)
        if self._pays:
            self.points[lanes] += self._points.take(after, 0) - self._points.take(before, 0)
        if self._is_full:
            self.fits[lanes] &= self.layout.full[lines, self._taken.take(after)]
        if self._has_threats:
            bits = self._threats.take(after, 0)
            self.threats[lanes] |= self.layout.spread[lines[:, None], bits]
        if self._is_won:
            self.wins[lanes] = np.maximum(self.wins[lanes], self._wins.take(after, 0))

    def _settle(self, lanes: Ints, players: Ints) -> None:
        """Finish the games that the last die has won, and add the bonus of Square Dice."""
        name = self.layout.kind.name
        if name == "four-wins":
            self.is_over[lanes] = self.wins[lanes, players] > 0
        elif name == "major":
            reached: Bools = self.points.take(lanes, 0) >= MARKERS_TO_WIN
            won = where(np.asarray(reached.any(axis=1)))
            if won.size:
                last = np.where(reached[won], self.last_placed[lanes[won]], -1).argmax(axis=1)
                self.wins[lanes[won], last] = 1
                self.is_over[lanes[won]] = True
        elif name == "square":
            full = lanes[self.dice_left[lanes, 0] == 0]
            self.points[full] += SQUARE_BONUS

    def _go_on(self, lanes: Ints) -> None:
        """Pass the turn to the next player with dice; finish the games where nobody can place."""
        lanes = lanes[~self.is_over.take(lanes)]
        players = self.layout.players
        has_dice = self.dice_left.take(lanes, 0) > 0
        sets = self.fits.take(lanes, 0) & self.near.take(lanes, 0)
        if self.layout.kind.touches_own_colour:
            owns = np.where(has_dice[:, :, None], self.own.take(lanes, 0), np.uint64(0))
            sets &= np.bitwise_or.reduce(owns, axis=1)
        is_stuck = ~(sets.any(axis=1) & has_dice.any(axis=1))
        self._finish(lanes[is_stuck])
        player = self.player.take(lanes)
        rows = np.arange(len(lanes))
        for step in range(players, 0, -1):
            following = (self.player.take(lanes) + step) % players
            player = np.where(has_dice[rows, following], following, player)
        self.player[lanes[~is_stuck]] = player[~is_stuck]

    def _finish(self, lanes: Ints) -> None:
        """Finish games in which nobody has won by a move, and determine the winners."""
        if not lanes.size:
            return
        self.is_over[lanes] = True
        standing = self.points if self.layout.kind.name == "major" else self.last_placed
        self.wins[lanes] = share_best(standing.take(lanes, 0))


NOTHING: Final[Table] = np.zeros(0, np.int32)

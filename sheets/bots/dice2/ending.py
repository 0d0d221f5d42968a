"""Who wins Last Man Dice when one plays as well as can be, worked out to the end?

The other one is expected to play now as the greedy bot does, now as well as can be (`BEST_PLAY`).
All positions with as many dice on the board are a layer, and worked out together: forwards what a
die can lead to, each position once, and backwards what that is worth. A set of fields is a word,
with a bit for each place of `sheets.bots.dice2.playouts.layout`.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from sheets.bots.dice2.layers import TooLarge, hashes
from sheets.bots.dice2.playouts import Lanes
from sheets.bots.dice2.playouts.layout import DICE, lay_out
from sheets.bots.dice2.search import Options
from sheets.bots.dice2.simple_bots import WIN_WORTH
from sheets.bots.playouts.arrays import Bools, Floats, Ints, Sets, count_all, first_of_rows, where

MOST_DICE: Final = 9
"""With more dice left, endings are not worked out …"""

MOST_POSITIONS: Final = 40_000
"""… nor with more positions than these."""

BEST_PLAY: Final = 0.2
"""How often the other one is expected to find the best move, and not the greedy bot's.

Who counts on the greedy bot alone wins little more against it, and clearly less against others.
"""

NOT_ASKED: Final = np.zeros(0, np.bool_)
"""Where the greedy bot's moves do not matter."""

NUMBERS: Final = DICE - 1
NEAR: Final = NUMBERS
OWN: Final = NUMBERS + 1
WORDS: Final = NUMBERS + 3
"""A row of boards: the fields that take each number, those beside a die, and those of each player.
"""


class Positions(NamedTuple):
    """Positions before somebody throws, a row each.

    ``boards`` has `WORDS` sets of fields, ``left`` how many dice each player has.
    """

    boards: Sets
    left: Ints

    def __len__(self) -> int:
        return len(self.left)

    def taken(self, rows: Ints) -> Positions:
        """Some of them."""
        return Positions(self.boards[rows], self.left[rows])

    def words(self) -> Sets:
        """All of it: alike where positions are alike."""
        return np.concatenate((self.boards, self.left.astype(np.uint64)), axis=1)

    def open_to(self, player: int) -> Sets:
        """The fields that take each number from a player who has dice."""
        near_own = self.boards[:, NEAR] & self.boards[:, OWN + player]
        return self.boards[:, :NUMBERS] & near_own[:, None]

    def stripped(self) -> Positions:
        """The same without what no longer matters, so that more of them are alike.

        Fields that nobody can come to are left out, and dice for which a player has no fields.
        """
        boards = self.boards.copy()
        fields = np.bitwise_or.reduce(boards[:, :NUMBERS], axis=1)
        reached = spread(boards[:, NEAR], fields, with_corners=False)
        parts = [spread(boards[:, OWN + player], reached, with_corners=True) for player in (0, 1)]
        left = np.stack([np.bitwise_count(part) for part in parts], 1).astype(np.intp)
        np.minimum(left, self.left, out=left)
        boards &= (parts[0] | parts[1])[:, None]
        return Positions(boards, left)


class Moves(NamedTuple):
    """All that one player could do in some positions, by position, number and field.

    ``rows`` and ``numbers`` say in which and with what; ``worths`` what it is worth where that is
    plain, else ``next`` has the position in the following layer. ``is_greedy`` is whether the
    greedy bot could do it, asked of the other one alone; empty for who decides.
    """

    rows: Ints
    numbers: Ints
    worths: Floats
    next: Ints
    is_greedy: Bools


def spread(start: Sets, fields: Sets, *, with_corners: bool) -> Sets:
    """What of some fields can be come to by steps over edges, or corners too."""
    found = start & fields
    while True:
        # Between the rows of fields lies a bit that is none, so that no row runs into the next.
        beside = found << _u(1) | found >> _u(1)
        around = (beside | found if with_corners else found).copy()
        more = (found | beside | around << _u(8) | around >> _u(8)) & fields
        if np.array_equal(more, found):
            return found
        found = more


def chances(lanes: Lanes, player: int, most: int) -> Floats:
    """How probably the first player wins each of some games, all with as many dice on the board.

    Args:
        lanes: the positions; both players have placed a die.
        player: who plays as well as can be.
        most: how many positions may be looked at.

    Raises:
        TooLarge: there are more.
    """
    found, following, layer = _plain(positions_of(lanes), lanes.last_placed.argmax(axis=1))
    steps = []
    seen = len(layer)
    while len(layer):
        moves, layer = _all_moves(layer, player)
        seen += len(layer)
        if seen > most:
            raise TooLarge
        steps.append(moves)
    worths = np.zeros((0, 2))
    for both in reversed(steps):
        worths = _solve(both, worths)
    open_ones = where(following >= 0)
    found[open_ones] = worths[following[open_ones], lanes.player[open_ones]]
    return found


def _plain(positions: Positions, last: Ints) -> tuple[Floats, Ints, Positions]:
    """What is plain, and the different positions that are not: worths, place among those, those.

    Args:
        positions: as they have become.
        last: who has placed the last die in each.
    """
    stripped = positions.stripped()
    has_dice = stripped.left > 0
    first_wins = np.where(has_dice.any(axis=1), has_dice[:, 0], last == 0)
    following = np.full(len(stripped), -1, np.intp)
    going = where(np.asarray(has_dice.all(axis=1)))
    _, firsts, following[going] = np.unique(
        hashes(stripped.words()[going]), return_index=True, return_inverse=True
    )
    return first_wins.astype(np.float64), following, stripped.taken(going[firsts])


def _all_moves(layer: Positions, deciding: int) -> tuple[list[Moves], Positions]:
    """What each player could do in each position, and the layer to which that leads."""
    keep, beside, around = _tables()
    pairs = []
    after = []
    is_greedy = []
    for player in (0, 1):
        bits = np.unpackbits(layer.open_to(player).view(np.uint8), bitorder="little")
        places, fields = np.divmod(where(bits.view(np.bool_)), 64)
        rows, numbers = np.divmod(places, NUMBERS)
        boards, left = layer.taken(rows)
        boards[:, :NUMBERS] &= keep[fields, numbers]
        boards[:, NEAR] |= beside[fields]
        boards[:, OWN + player] |= around[fields]
        left[:, player] -= 1
        pairs.append((rows, numbers))
        after.append(Positions(boards, left))
        throws = rows * NUMBERS + numbers
        is_other = player != deciding
        is_greedy.append(_are_greedy(after[-1], player, throws) if is_other else NOT_ASKED)
    boards, left = (np.concatenate(parts) for parts in zip(*after, strict=True))
    counts = [len(one) for one in after]
    last = np.arange(2).repeat(counts)
    worths, following, different = _plain(Positions(boards, left), last)
    moves = [
        Moves(*pairs[player], worths[last == player], following[last == player], is_greedy[player])
        for player in (0, 1)
    ]
    return moves, different


def _are_greedy(after: Positions, player: int, throws: Ints) -> Bools:
    """Which moves of one player are the greedy bot's: those that lead to the largest worth.

    Args:
        after: the positions to which the moves lead.
        player: whose they are.
        throws: says for which throw each is, in ascending order.
    """
    rooms = [count_all(after.open_to(who).T) for who in (0, 1)]
    is_over = np.logical_and.reduce(
        [(rooms[who] == 0) | (after.left[:, who] == 0) for who in (0, 1)]
    )
    worths = np.where(is_over, WIN_WORTH, rooms[player] - rooms[1 - player])
    firsts = first_of_rows(throws)
    counts = np.diff(firsts, append=len(throws))
    best: Bools = worths == np.maximum.reduceat(worths, firsts).repeat(counts)
    return best


def _solve(moves: list[Moves], later: Floats) -> Floats:
    """By position and by who throws next, how probably the first player wins.

    Who has thrown what fits nowhere keeps the die, so that the turn may go round without any
    change: what it is worth to have it and not to have it are two equations.

    Args:
        moves: of both players; in every position there is one.
        later: the same of the following layer.
    """
    size = max(int(one.rows[-1]) + 1 for one in moves if one.rows.size)
    placed, skipped = np.zeros((2, size)), np.ones((2, size))
    for player, (rows, numbers, worths, following, is_greedy) in enumerate(moves):
        if rows.size:
            values = worths.copy()
            goes_on = where(following >= 0)
            values[goes_on] = later[following[goes_on], 1 - player]
            firsts = first_of_rows(rows * NUMBERS + numbers)
            best = (np.minimum if player else np.maximum).reduceat(values, firsts)
            if is_greedy.size:
                # Among equals the greedy bot takes any.
                counts = np.add.reduceat(is_greedy.astype(np.intp), firsts)
                greedy = np.add.reduceat(values * is_greedy, firsts) / counts
                best = BEST_PLAY * best + (1 - BEST_PLAY) * greedy
            placed[player] = np.bincount(rows[firsts], best, size) / NUMBERS
            skipped[player] -= np.bincount(rows[firsts], minlength=size) / NUMBERS
    # first = placed[0] + skipped[0] * second, second = placed[1] + skipped[1] * first
    first = (placed[0] + skipped[0] * placed[1]) / (1 - skipped[0] * skipped[1])
    return np.stack((first, placed[1] + skipped[1] * first), 1)


def best_option(options: Options) -> int | None:
    """The best option of one decision, or None where that would take too long to work out.

    Args:
        options: what can be done.
    """
    after, players = options.after, options.players
    left = after.dice_left
    if left[0].sum() > MOST_DICE or (left == after.layout.kind.dice_each).any():
        return None
    try:
        found = chances(after, int(players[0]), MOST_POSITIONS)
    except TooLarge:
        return None
    return int(np.where(players == 0, found, 1 - found).argmax())


def positions_of(lanes: Lanes) -> Positions:
    """The positions of lanes in which both players have placed a die."""
    fits = _fields_of(lanes.fits)
    rest = [_fields_of(sets)[:, :1] for sets in (lanes.near, lanes.own[:, 0], lanes.own[:, 1])]
    return Positions(np.concatenate((fits, *rest), axis=1), lanes.dice_left)


def _fields_of(rows: Sets) -> Sets:
    """The fields that have each number in rows of sets, as `layout` has them."""
    numbers = np.ascontiguousarray(rows).view(np.uint8)[:, None] >> np.arange(1, DICE)[:, None] & 1
    packed = np.packbits(numbers.astype(np.bool_), axis=2, bitorder="little")
    padded = np.zeros((*packed.shape[:2], 8), np.uint8)
    padded[:, :, : packed.shape[2]] = packed
    return padded.view(np.uint64)[:, :, 0]


@cache
def _tables() -> tuple[Sets, Sets, Sets]:
    """`keep` by field and number, `beside` and `around` of the layout, as sets of fields."""
    layout = lay_out("last-man", 2)
    keep = _fields_of(layout.keep).reshape(-1, DICE, NUMBERS)[:, 1:]
    return keep, _fields_of(layout.beside)[:, 0], _fields_of(layout.around)[:, 0]


def _u(value: int) -> np.uint64:
    return np.uint64(value)

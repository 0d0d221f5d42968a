"""What does Square Dice bring who plays as well as can be, and what do bots give away beside that?

All boards with as many dice are a layer: forwards each is found once, those that are worth the same
(`sheets.bots.dice2.square_boards`) as one; backwards it is worth the mean over the six numbers
of the best that each can make of it. That takes some ten minutes of one core and 4 GB of memory.
Some boards of each layer are worked out again by the rules themselves: from one throw on, those
with few dice left to their end.

With ``--write`` the values of boards with few dice become those that the expert looks up. With
``--priced`` bots play, and each decision costs what its board is worth less than the best that
could have followed.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _square  # noqa: E402
from bench.dice2_bots import SURE, play_all  # noqa: E402
from sheets.bots.dice2.playouts import Lanes  # noqa: E402
from sheets.bots.dice2.square_boards import DIGIT, boards_of, least  # noqa: E402
from sheets.bots.dice2.square_opening import MOST_DICE, PARTS, VALUES, to_bytes  # noqa: E402
from sheets.bots.dice2.strengths import ALL_DICE2_BOTS  # noqa: E402
from sheets.bots.playouts.arrays import Floats, Ints  # noqa: E402
from sheets.rules.dice2 import KINDS, Board, Dice2Action, Dice2Game, new_game  # noqa: E402
from sheets.rules.dice2.board import CENTRE, SIDE  # noqa: E402
from sheets.rules.dice2.game import DIE_NUMBERS, MAX_SPAN, is_stuck  # noqa: E402
from sheets.rules.dice2.kinds import SQUARE_BONUS  # noqa: E402

SQUARE = KINDS["square"]
DICE = SQUARE.dice_each
TO_THE_END = 2
"""With so many dice left at most, boards are played to their end by the rules."""

CLOSE = 1e-5
"""Values are kept with 24 bits: what is worked out again may differ by so much."""


class Layer(NamedTuple):
    """The boards with as many dice, ascending, and the points that they end with on average."""

    boards: Ints
    worths: Floats

    def look_up(self, games: Sequence[Dice2Game]) -> list[float]:
        """What games are worth whose boards are in the layer."""
        boards = least(boards_of(Lanes(games, is_watched=True)))
        places = np.searchsorted(self.boards, boards)
        assert (self.boards[places] == boards).all(), "a board was not found"
        return [float(worth) for worth in self.worths[places]]


def main() -> None:
    """Print what best play brings, and what was asked for besides."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checked", type=int, default=40, help="boards of each layer")
    parser.add_argument("--write", action="store_true", help="the values that the expert looks up")
    parser.add_argument("--priced", type=int, default=0, help="games of each bot")
    parser.add_argument("--bots", nargs="+", choices=sorted(ALL_DICE2_BOTS), default=["expert"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--values", type=Path, help="a folder to keep all values in (2.3 GB) for the next time"
    )
    asked = parser.parse_args()
    layers = values_in(asked.values) if asked.values else work_out(find_boards())
    print_best(layers)
    check(layers, asked.checked, asked.seed)
    if asked.write:
        write_opening(layers)
    if asked.priced:
        for bot in asked.bots:
            print_price(layers, bot, asked.priced, asked.seed)


def find_boards() -> list[Ints]:
    """The boards of all layers, from those with one die on."""
    found = [np.unique(least(np.array(DIE_NUMBERS)))]
    while len(found) < DICE:
        start = time.monotonic()
        found.append(_square.find_following(found[-1]))
        spent = time.monotonic() - start
        print(f"{len(found):>3} dice {len(found[-1]):>12,} boards {spent:>6.1f} s", flush=True)
    return found


def work_out(layers: Sequence[Ints]) -> list[Layer]:
    """What all boards are worth."""
    later = Layer(np.zeros(0, np.int64), np.zeros(0, np.float32))
    found: list[Layer] = []
    for dice in range(DICE, 0, -1):
        start = time.monotonic()
        boards = layers[dice - 1]
        bonus = SQUARE_BONUS if dice == DICE else 0
        later = Layer(boards, _square.find_worths(boards, *later, bonus))
        found.insert(0, later)
        mean, spent = later.worths.mean(dtype=np.float64), time.monotonic() - start
        print(f"{dice:>3} dice {mean:>12.4f} points {spent:>6.1f} s", flush=True)
    return found


def values_in(folder: Path) -> list[Layer]:
    """What a folder has of all boards, worked out first where it has nothing."""
    files = [
        [folder / f"{dice}-{name}.npy" for name in Layer._fields] for dice in range(1, DICE + 1)
    ]
    if not files[-1][-1].exists():
        folder.mkdir(exist_ok=True)
        for paths, layer in zip(files, work_out(find_boards()), strict=True):
            for path, values in zip(paths, layer, strict=True):
                np.save(path, values)
    return [Layer(*(np.load(path, mmap_mode="r") for path in paths)) for paths in files]


def print_best(layers: Sequence[Layer]) -> None:
    """How many boards there are, and what best play brings."""
    different = sum(len(layer.boards) for layer in layers)
    count = sum(_square.count_all(np.asarray(layer.boards)) for layer in layers)
    print(f"{count:,} boards but for where they lie, {different:,} but for mirroring and turning")
    start = new_game(SQUARE, 1)
    worths = layers[0].look_up([start.apply(placing(die, "e5")) for die in DIE_NUMBERS])
    by_die = ", ".join(f"{die} {worth:.4f}" for die, worth in zip(DIE_NUMBERS, worths, strict=True))
    print(f"best play: {statistics.fmean(worths):.4f} points; by the first die: {by_die}")


def placing(die: int, at: str) -> Dice2Action:
    """A die of the only player, put down."""
    return Dice2Action("place", 0, die, at)


def check(layers: Sequence[Layer], count: int, seed: int) -> None:
    """Hold some boards of each layer to the rules; the first that is wrong ends it all."""
    random = Random(seed)
    checked = ended = 0
    for left, layer in enumerate(reversed(layers)):
        for number in random.sample(range(len(layer.boards)), min(count, len(layer.boards))):
            game, worth = game_of(int(layer.boards[number]), left), layer.worths[number]
            assert math.isclose(worth, worth_of_next(layers, game), abs_tol=CLOSE), game.board
            checked += 1
            if left <= TO_THE_END:
                assert math.isclose(worth, worth_at_end(game), abs_tol=CLOSE), game.board
                ended += 1
    print(f"by the rules {checked} are worth the same from one throw on, {ended} to the end")


def game_of(board: int, left: int) -> Dice2Game:
    """A game with a board, the first die of which lies on e5, and with so many dice left."""
    numbers = [board >> DIGIT * place & 7 for place in range(MAX_SPAN**2)]
    first = next(place for place, number in enumerate(numbers) if number)
    laid = Board()
    for place, number in enumerate(numbers):
        if number:
            row, column = divmod(place, MAX_SPAN)
            laid = laid.with_die(CENTRE + SIDE * row + column - first, 0, number)
    game = new_game(SQUARE, 1)._replace(board=laid, dice_left=(left,))
    return game._replace(is_finished=not left or is_stuck(game))


def worth_of_next(layers: Sequence[Layer], game: Dice2Game) -> float:
    """What a game is worth, by what the layers say of all that can follow."""
    if game.is_finished:
        return game.points[0]
    best = [max(worths_after(layers, game, die), default=game.points[0]) for die in DIE_NUMBERS]
    return statistics.fmean(best)


def worths_after(layers: Sequence[Layer], game: Dice2Game, die: int) -> list[float]:
    """What the layers say of all that can follow on a throw, in the order of `Dice2Game.legal`."""
    after = [game.apply(placing(die, at)) for at in game.legal()[die]]
    return layers[DICE - game.dice_left[0]].look_up(after) if after else []


def worth_at_end(game: Dice2Game) -> float:
    """What a game is worth, by the rules alone."""
    if game.is_finished:
        return game.points[0]
    return statistics.fmean(
        max((worth_at_end(game.apply(placing(die, at))) for at in fields), default=game.points[0])
        for die, fields in game.legal().items()
    )


def write_opening(layers: Sequence[Layer]) -> None:
    """Write the file of `sheets.bots.dice2.square_opening`, which is the same each time."""
    boards = np.concatenate([layer.boards for layer in layers[:MOST_DICE]])
    worths = np.concatenate([layer.worths for layer in layers[:MOST_DICE]])
    order = boards.argsort()
    points = np.rint(worths[order].astype(np.float64) * PARTS).astype(np.int64)
    steps = np.diff(boards[order], prepend=0)
    np.savez_compressed(VALUES, steps=to_bytes(steps), points=to_bytes(points))
    print(f"{VALUES.name}: {len(boards):,} boards, {VALUES.stat().st_size:,} bytes")


def print_price(layers: Sequence[Layer], bot: str, games: int, seed: int) -> None:
    """What a bot gives away in a game, in all and by how many dice lie."""
    runs = play_all("square", [([bot], f"{seed}/{number}") for number in range(games)])
    lost = np.zeros((games, DICE))
    for number, run in enumerate(runs):
        for game, die, action in run.moves:
            if action.do == "place":
                worths = worths_after(layers, game, die)
                taken = worths[game.legal()[die].index(action.at)]
                lost[number, DICE - game.dice_left[0]] = max(worths) - taken
    totals = lost.sum(axis=1)
    error = SURE * totals.std(ddof=1) / math.sqrt(games)
    print(f"{bot}, {games} games, seed {seed}: gives away {totals.mean():.4f} ± {error:.4f} a game")
    print("  by dice on the board: ", end="")
    print(", ".join(f"{dice} {mean:.4f}" for dice, mean in enumerate(lost.mean(axis=0)) if mean))
    points = statistics.fmean(run.game.points[0] for run in runs)
    print(f"  {points:.2f} points on average", flush=True)


if __name__ == "__main__":
    main()

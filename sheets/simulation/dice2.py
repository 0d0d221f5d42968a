"""What happens when bots play many games of Dice²?"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final

from sheets.rules.dice2 import KINDS, Dice2Game, new_game
from sheets.simulation.games import AT_ONCE, CHUNK, WIN, share_out
from sheets.stats import FIVE_NUMBERS, five_numbers

if TYPE_CHECKING:
    from sheets.bots.dice2.playouts import Lanes


GREEDY: Final = "greedy"
"""The bot whose games can be played at once."""


@dataclass
class Dice2Tally:
    """What many games amount to: points or markers and dice placed per game, wins by seat."""

    games: int = 0
    points: list[int] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)
    wins: Counter[int] = field(default_factory=Counter)

    def add_game(self, game: Dice2Game) -> None:
        """Count a finished game."""
        self.games += 1
        self.points += game.points
        self.dice.append(sum(1 for number in game.board.numbers if number))
        for winner in game.winners:
            self.wins[winner] += WIN // len(game.winners)

    def add_ends(self, ends: Lanes) -> None:
        """Count games that were played at once, in their order."""
        self.games += len(ends)
        self.points += ends.points.ravel().tolist()
        self.dice += ends.placed.tolist()
        for seat, won in enumerate((ends.wins * WIN).round().sum(axis=0).tolist()):
            self.wins[seat] += int(won)

    def add(self, other: Dice2Tally) -> None:
        """Count the games of another tally after those of this one."""
        self.games += other.games
        self.points += other.points
        self.dice += other.dice
        self.wins.update(other.wins)


@dataclass(frozen=True)
class Dice2Order:
    """Games ``first`` up to, but not including, ``end`` of a simulation."""

    game: str
    players: int
    bot: str
    seed: int
    first: int
    end: int


def play_dice2(name: str, players: int, bot: str, random: Random) -> Dice2Game:
    """One whole game of equal bots, finished; ``random`` throws the dice and serves the bots."""
    from sheets.bots.dice2.strengths import ALL_DICE2_BOTS

    game = new_game(KINDS[name], players)
    player = ALL_DICE2_BOTS[bot](random)
    while not game.is_finished:
        game = game.apply(player.choose(game, random.randint(1, 6)))
    return game


def play_dice2_order(order: Dice2Order) -> Dice2Tally:
    """Play the games of an order."""
    # A game's random numbers are its own: it takes the same course whoever plays it.
    randoms = [
        Random(f"{order.seed}/{number}")  # noqa: S311 dice, not secrets
        for number in range(order.first, order.end)
    ]
    tally = Dice2Tally()
    if order.bot == GREEDY:
        from sheets.bots.dice2.playouts import play_out

        game = new_game(KINDS[order.game], order.players)
        tally.add_ends(play_out([game] * len(randoms), randoms))
        return tally
    for random in randoms:
        tally.add_game(play_dice2(order.game, order.players, order.bot, random))
    return tally


def simulate_dice2(
    name: str,
    *,
    players: int,
    games: int,
    bot: str,
    seed: int,
    processes: int = 0,
    on_progress: Callable[[int], object] = lambda games: None,
) -> Dice2Tally:
    """Play whole games and count what happened; arguments as for `simulation.games.simulate`."""
    chunk = CHUNK
    if bot == GREEDY:  # which plays many games at once
        chunk = min(CHUNK * AT_ONCE, -(-games // (processes or os.cpu_count() or 1)))
    orders = [
        Dice2Order(name, players, bot, seed, first, min(first + chunk, games))
        for first in range(0, games, chunk)
    ]
    tally = Dice2Tally()
    for part in share_out(play_dice2_order, orders, processes):
        tally.add(part)
        on_progress(part.games)
    return tally


def summarise_dice2(tally: Dice2Tally, players: int) -> dict[str, Any]:
    """A tally as one JSON document; every share is a number from 0 to 1."""
    return {
        "points": dict(zip(FIVE_NUMBERS, five_numbers(sorted(tally.points)), strict=True)),
        "dice": round(sum(tally.dice) / tally.games, 2),
        "wins": [round(tally.wins[seat] / (tally.games * WIN), 4) for seat in range(players)],
    }


def format_dice2_report(name: str, summary: Mapping[str, Any]) -> str:
    """The summary of a game for people."""
    return "\n".join(_report_lines(name, summary))


def _report_lines(name: str, summary: Mapping[str, Any]) -> Iterator[str]:
    points = summary["points"]
    if collected := KINDS[name].collects.capitalize():
        shares = (f"{key.replace('_', ' ')} {points[key]}" for key in points)
        yield f"{collected:9}" + ", ".join(shares)
    yield f"Dice     {summary['dice']} placed in a game, on average"
    if len(summary["wins"]) == 1:
        return
    seats = enumerate(summary["wins"], start=1)
    yield "Wins     " + ", ".join(f"seat {seat}: {share:.1%}" for seat, share in seats)

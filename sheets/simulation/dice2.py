"""Simulation of games of Dice² by bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Final

from sheets.rules.dice2 import KINDS, Dice2Game, new_game
from sheets.rules.scoring import share_win
from sheets.simulation.games import GameTally, SimulationTask, play_in_chunks
from sheets.stats import FIVE_NUMBERS, five_numbers

if TYPE_CHECKING:
    from sheets.bots.dice2.playouts import Lanes

GREEDY_BOT: Final = "greedy"
"""Name of the bot that can play games in batches."""


@dataclass
class Dice2Tally(GameTally):
    """Counts of many games of Dice².

    ``points`` has the points (or markers) of each player of each game, ``dice`` the number of dice
    placed in each game.
    """

    points: list[int] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)

    def add_game(self, game: Dice2Game) -> None:
        """Count a finished game."""
        self.games += 1
        self.points += game.points
        self.dice.append(sum(1 for number in game.board.numbers if number))
        self.add_wins(share_win(game.winners, game.players))

    def add_ends(self, ends: Lanes) -> None:
        """Count the finished games of a batch, in their order."""
        self.games += len(ends)
        self.points += ends.points.ravel().tolist()
        self.dice += ends.placed.tolist()
        for shares in ends.wins.tolist():
            self.add_wins(shares)


def play_dice2(name: str, players: int, bot: str, random: Random) -> Dice2Game:
    """Play a game with the same bot on all seats, and return it.

    ``random`` throws the dice, and the bots use it too.
    """
    from sheets.bots.dice2.strengths import ALL_DICE2_BOTS

    game = new_game(KINDS[name], players)
    player = ALL_DICE2_BOTS[bot](random)
    while not game.is_finished:
        game = game.apply(player.choose(game, random.randint(1, 6)))
    return game


def run_dice2_task(order: SimulationTask) -> Dice2Tally:
    """Play the games of a task, and return their tally."""
    tally = Dice2Tally()
    if order.bot == GREEDY_BOT:
        from sheets.bots.dice2.playouts import play_out

        randoms = order.randoms
        game = new_game(KINDS[order.game], order.players)
        tally.add_ends(play_out([game] * len(randoms), randoms))
        return tally
    for random in order.randoms:
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
    return play_in_chunks(
        run_dice2_task,
        SimulationTask(name, players, bot, seed, 0, games),
        Dice2Tally(),
        processes=processes,
        is_batched=bot == GREEDY_BOT,
        on_progress=on_progress,
    )


def summarise_dice2(tally: Dice2Tally, players: int) -> dict[str, Any]:
    """Return a tally as a JSON document; every share is a number from 0 to 1."""
    return {
        "points": dict(zip(FIVE_NUMBERS, five_numbers(sorted(tally.points)), strict=True)),
        "dice": round(sum(tally.dice) / tally.games, 2),
        "wins": [round(tally.win_share(seat), 4) for seat in range(players)],
    }


def format_dice2_report(name: str, summary: Mapping[str, Any]) -> str:
    """Return the summary of a game as text."""
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

"""Measure every shipped level and write ``docs/levels.md``."""

from __future__ import annotations

import statistics
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from tqdm import tqdm

from sheets.experts import STRENGTHS
from sheets.levels import shipped_levels
from sheets.management.document_command import DocumentCommand
from sheets.management.output_file import add_output_option, open_output
from sheets.rules import Level
from sheets.simulation.games import simulate
from sheets.simulation.matches import count_wins, play_alone
from sheets.simulation.summary import least_paid, summarise

SOLO_GAMES: Final = 500
TABLE_GAMES: Final = 1000
THOUGHT_GAMES: Final = 40

INTRODUCTION: Final = """\
# The eight level sheets, measured

All of them are originals of this project. They are balanced by measurement: bots play whole games,
and the layout was changed until

- the greedy bot's median of {solo} solo games is grade 2 to 4 and its best game grade 5 or 6, and
  the random bot's median is grade 0 or 1;
- with 2, 3 and 4 greedy players no seat wins more than 8 percentage points off its fair share
  ({table} games each; a shared win counts in equal parts);
- 40 to 80 % of the fields are crossed at the end;
- every gem, puzzle, line, area, flag and planet pays on at least 3 % of the greedy players' sheets
  (a planet: is crossed).

This page is written by `python manage.py measure_levels --seed {seed} --thought {thought} -o
docs/levels.md`, and `python manage.py simulate level-1 --players 2 --games {table} --seed {seed}`
shows one of its rows in full. The same seed gives the same numbers on every machine.

How much skill counts on a level, bots of three strengths show in {thought} games alone each, and as
many for two against the strength before, these in pairs with the same dice, once from either seat.
(In brackets: where the chance to win lies with 95 %.)

What reports on other levels and the pages of groups are compared with is measured by
`python manage.py measure_balance -o sheets/simulation/balance/figures.json`: the same reports of
these levels, and the totals of 2000 games of greedy bots with each number of players, with seed 1.
That takes about two minutes on two cores; if it is interrupted, the file stays as it was.
"""


class Setting(NamedTuple):
    """One row of a level's table."""

    players: int
    games: int
    bot: str


class Command(DocumentCommand):
    """``measure_levels -o docs/levels.md``."""

    help = (
        "Measures every shipped level with bots and writes docs/levels.md. "
        "If it is interrupted, the file stays as it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, the seed, and a smaller number of games for a quick look."""
        add_output_option(parser)
        parser.add_argument("--seed", type=int, default=1, help="names the dice (default: 1)")
        parser.add_argument("--share", type=int, default=1, help="play only one of so many games")
        parser.add_argument(
            "--thought",
            type=int,
            default=THOUGHT_GAMES,
            help=f"games by each strength, an even number (default: {THOUGHT_GAMES})",
        )

    def run(self, **options: Any) -> None:
        """Write the page, level by level."""
        if not 1 <= options["share"] <= SOLO_GAMES:
            self.refuse(f"--share: {options['share']} is not from 1 to {SOLO_GAMES}")
        solo, table = SOLO_GAMES // options["share"], TABLE_GAMES // options["share"]
        thought, seed = options["thought"], options["seed"]
        if thought < 0 or thought % 2:
            self.refuse(f"--thought: {thought} is no even number from 0")
        introduction = INTRODUCTION.format(solo=solo, table=table, thought=thought, seed=seed)
        levels = shipped_levels().values()
        work = {level.id: list(_settings(level, solo, table)) for level in levels}
        total = sum(setting.games for settings in work.values() for setting in settings)
        with (
            open_output(options["output"]) as file,
            tqdm(total=total, unit="game", disable=not sys.stderr.isatty(), leave=False) as bar,
        ):
            file.write(introduction.encode())
            for level in levels:
                lines = _format_level(level, work[level.id], seed, bar.update)
                section = "\n".join([*lines, *_format_strengths(level, thought, seed)])
                file.write(section.encode() + b"\n")


def _settings(level: Level, solo: int, table: int) -> Iterator[Setting]:
    yield Setting(1, solo, "greedy")
    yield Setting(1, solo, "random")
    for players in level.player_counts[1:]:
        yield Setting(players, table, "greedy")


def _format_level(
    level: Level, settings: list[Setting], seed: int, on_progress: Callable[[int], object]
) -> Iterator[str]:
    name = level.name.get("en") or level.name.get("", "")
    yield f"\n## {level.id}: {name}\n"
    yield f"{level.about.get('en', '')}\n"
    yield f"![The printed sheet](images/{level.id}.png)\n"
    yield "```"
    yield from level.document["grid"]
    yield "```\n"
    yield "| players | bot | median | best | crossed | wins by seat | pays most rarely |"
    yield "|---|---|---|---|---|---|---|"
    for setting in settings:
        tally = simulate(level, **setting._asdict(), seed=seed, on_progress=on_progress)
        yield _format_row(level, setting, summarise(level, tally))


def _format_strengths(level: Level, games: int, seed: int) -> Iterator[str]:
    if not games:
        return
    yield "\n| strength | alone: median | for two: wins against the one before |"
    yield "|---|---|---|"
    for weaker, strength in zip(("", *STRENGTHS), STRENGTHS, strict=False):
        median = statistics.median(play_alone(level, strength, games, seed))
        against = ""
        if weaker:
            wins = count_wins(level, strength, weaker, games, seed)
            low, high = wins.interval
            against = f"{wins.share:.0%} ({low:.0%} to {high:.0%})"
        yield f"| {strength} | {median:g} | {against} |"


def _format_row(level: Level, setting: Setting, summary: dict[str, Any]) -> str:
    scores, grades = summary["scores"], summary["grades"]
    median, best = str(scores["median"]), str(scores["best"])
    wins = ""
    if grades:
        median += f" (grade {grades['median']})"
        best += f" (grade {grades['best']})"
    else:
        wins = " · ".join(f"{share:.1%}" for share in summary["wins"])
    rarest, share = least_paid(level, summary)
    cells = [
        str(setting.players),
        setting.bot,
        median,
        best,
        f"{summary['crossed']:.0%}",
        wins,
        f"{rarest} {share:.1%}",
    ]
    return f"| {' | '.join(cells)} |"

"""`manage.py measure_levels`: measure the shipped levels with bots, write ``docs/levels.md``."""

from __future__ import annotations

import statistics
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import Any, Final, NamedTuple

from tqdm import tqdm

from sheets.bots.strengths import STRENGTHS
from sheets.documents.structure import parse_house_rules
from sheets.levels import shipped_levels
from sheets.management.document_command import DocumentCommand
from sheets.management.output_file import add_output_option, open_output
from sheets.rules import Level
from sheets.rules.documents.level import with_house_rules
from sheets.simulation.games import simulate
from sheets.simulation.matches import Wins, count_wins, play_alone
from sheets.simulation.summary import least_paid, summarise

SOLO_GAMES: Final = 500
"""Number of games alone, by the greedy and by the random bot."""

TABLE_GAMES: Final = 1000
"""Number of games of greedy bots with each number of players from two on."""

THOUGHT_GAMES: Final = 40
"""Number of solo games, and of games for two, of each strength."""

COMMON_SYMBOL: Final = "gem"
"""Symbol of all shipped levels, which the summary does not list."""

INTRODUCTION: Final = """\
# Levels

The eight shipped levels are this project's own designs. On each level, bots played many games. The
layouts were changed until the results met the [targets](#targets).
"""
"""Beginning of the page."""

STRENGTH_NAMES: Final = {"beginner": "easy", "player": "medium", "expert": "hard"}
"""Names of the strengths on the page, by their stored names, weakest first."""

EXPLANATIONS: Final = """
The last three columns are the median points of {thought} solo games (games of one player), by bots
of three strengths. Difficulty goes from 1 (easiest) to 5. [Glossary](glossary.md) explains the
elements. All levels also have gems.

## How the levels are measured

| bot | how it plays |
|---|---|
| random | takes any action that the rules allow |
| greedy | takes the best next action, judged by its points and the choices after it |
| easy | takes what pays at once; makes one decision in four like the greedy bot |
| medium | plays like the greedy bot |
| hard | plays the rest of the game many times after each option, takes the best |

On each level, the random bot and the greedy bot each play {solo} solo games. For each larger
number of players, greedy bots play {table} games. The bot of each strength (easy, medium, hard)
plays {thought} solo games. The medium and the hard bot also play {thought} games for two against
the next weaker strength. These games come in pairs: both games have the same dice, and the bots
swap seats for the second game.

In the tables below, *pays least often* names the element that pays on the fewest sheets, with the
percentage of sheets. Ranges in brackets are 95 % confidence intervals. The 95 % margin of a median
is 1 to 2 points for 500 games, and 3 to 7 points for 40 games. The margin of a percentage is at
most 3 percentage points for 1,000 games.

## Targets

- [Grades](rules.md#rating) from 0 to 6 rate solo games. The greedy bot's median has grade 2 to 4,
  and its best game has grade 5 or 6. The random bot's median has grade 0 or 1.
- In games of two, three or four greedy bots, each seat wins its fair share of the games, with at
  most 8 percentage points more or less. If players share a win, each of them gets an equal part of
  it.
- At the end of a game, 40 to 80 % of the fields are crossed.
- Each gem, puzzle, line, area, flag and planet pays on at least 3 % of the sheets of greedy bots.
  A planet counts as paid when it is crossed.

## Repeat the measurement

```sh
python manage.py measure_levels --seed {seed} --thought {thought} -o docs/levels.md
python manage.py simulate level-1 --players 2 --games {games} --seed {seed}    # one row in detail
python manage.py measure_balance -o sheets/simulation/balance/figures.json
```

The first command writes this page. The hard bot takes several minutes per level. With
`--thought 0`, the command leaves out the three strengths and takes about one minute. The same seed
gives the same figures on every machine. The last command takes about two minutes on two cores. It
writes the figures of the shipped levels, with which balance reports and group pages compare other
results.
"""
"""Text between the summary and the levels."""


HOUSE_RULES_TEXT: Final = """
## House rules

The table has the medians of the greedy bot with [house rules](rules.md#house-rules): of {solo} solo
games, and of {table} games for two, or for five with `more-players`. Solo games that a rule does
not change are left out. *wins* is the share of games that the medium bot wins against the easy bot,
of {matches} games for two on each level, with its 95 % confidence interval.
"""
"""Text before the table of house rules."""

SOME_HOUSE_RULES: Final = (
    *((), ("keep-dice",), ("play-on",), ("starter=fewest-points",), ("no-bombs",)),
    *(("more-players",), ("dice=12",), ("rounds=3",)),
)
"""House rules of the rows of the table; the first row has none."""

CHANGE_NO_SOLO_GAME: Final = (("play-on",), ("starter=fewest-points",), ("more-players",))
"""House rules that change nothing in a solo game."""

PLAYERS_OF_MANY: Final = 5
"""Number of players in the row of `more-players`."""


class Setting(NamedTuple):
    """Games to play for one row of a level's first table of results."""

    players: int
    games: int
    bot: str


class Strength(NamedTuple):
    """Results of one strength; ``wins`` against the next weaker one, None for the weakest."""

    name: str
    median: float
    wins: Wins | None


class Measured(NamedTuple):
    """All results on a level: a summary of each setting, and the strengths, weakest first."""

    level: Level
    summaries: list[tuple[Setting, dict[str, Any]]]
    strengths: list[Strength]


class Command(DocumentCommand):
    """``measure_levels -o docs/levels.md``."""

    help = (
        "Measures every shipped level with bots and writes docs/levels.md. "
        "If it is interrupted, the file is not changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options: file, seed, and smaller numbers of games for a test run."""
        add_output_option(parser)
        parser.add_argument("--seed", type=int, default=1, help="seed of all dice (default: 1)")
        parser.add_argument(
            "--share",
            type=int,
            default=1,
            help="divide the numbers of games of the greedy and the random bot by this",
        )
        parser.add_argument(
            "--thought",
            type=int,
            default=THOUGHT_GAMES,
            help="games of each strength, an even number; 0 leaves the strengths out "
            f"(default: {THOUGHT_GAMES})",
        )

    def run(self, **options: Any) -> None:
        """Measure all levels and write the page."""
        if not 1 <= options["share"] <= SOLO_GAMES:
            self.refuse(f"--share: {options['share']} is not from 1 to {SOLO_GAMES}")
        solo, table = SOLO_GAMES // options["share"], TABLE_GAMES // options["share"]
        thought, seed = options["thought"], options["seed"]
        if thought < 0 or thought % 2:
            self.refuse(f"--thought: {thought} is not an even number from 0 on")
        work = [(level, list(_settings(level, solo, table))) for level in shipped_levels().values()]
        total = sum(setting.games for _level, settings in work for setting in settings)
        with (
            open_output(options["output"]) as file,
            tqdm(total=total, unit="game", disable=not sys.stderr.isatty(), leave=False) as bar,
        ):
            found = [
                Measured(
                    level,
                    list(_summaries(level, settings, seed, bar.update)),
                    list(_strengths(level, thought, seed)),
                )
                for level, settings in work
            ]
            explanations = EXPLANATIONS.format(
                solo=solo, table=f"{table:,}", games=table, thought=thought, seed=seed
            )
            lines = [INTRODUCTION, *_format_summary(found), explanations.rstrip("\n")]
            lines += _format_house_rules([level for level, _settings in work], solo, table, seed)
            for measured in found:
                lines += _format_level(measured)
            file.write("\n".join(lines).encode() + b"\n")


def _settings(level: Level, solo: int, table: int) -> Iterator[Setting]:
    yield Setting(1, solo, "greedy")
    yield Setting(1, solo, "random")
    for players in level.player_counts[1:]:
        yield Setting(players, table, "greedy")


def _summaries(
    level: Level, settings: list[Setting], seed: int, on_progress: Callable[[int], object]
) -> Iterator[tuple[Setting, dict[str, Any]]]:
    for setting in settings:
        tally = simulate(level, **setting._asdict(), seed=seed, on_progress=on_progress)
        yield setting, summarise(level, tally)


def _strengths(level: Level, games: int, seed: int) -> Iterator[Strength]:
    """Play ``games`` games with each strength and yield its results; yield nothing for 0 games."""
    if not games:
        return
    for weaker, name in zip(("", *STRENGTHS), STRENGTHS, strict=False):
        median = statistics.median(play_alone(level, name, games, seed))
        wins = count_wins(level, name, weaker, games, seed) if weaker else None
        yield Strength(name, median, wins)


def _format_summary(found: Sequence[Measured]) -> Iterator[str]:
    yield "## Summary\n"
    strength_names = " | ".join(STRENGTH_NAMES.values())
    yield f"| level | name | difficulty | elements | players | {strength_names} |"
    yield f"|---|---|---|---|---|{'---|' * len(STRENGTHS)}"
    for level, _summaries, strengths in found:
        medians = {strength.name: f"{strength.median:g}" for strength in strengths}
        cells = [
            f"[{level.id}](#{_anchor(level)})",
            _name(level),
            str(level.difficulty or "–"),
            ", ".join(_elements(level)),
            f"{level.player_counts[0]}–{level.player_counts[-1]}",
            *(medians.get(name, "–") for name in STRENGTHS),
        ]
        yield f"| {' | '.join(cells)} |"


def _format_house_rules(levels: Sequence[Level], solo: int, table: int, seed: int) -> Iterator[str]:
    matches = 2 * ceil(table / 50)
    text = HOUSE_RULES_TEXT.format(solo=solo, table=f"{table:,}", matches=matches)
    yield text.rstrip("\n") + "\n"
    yield f"| rule | games | {' | '.join(level.id for level in levels)} | wins |"
    yield f"|---|---|{'---|' * len(levels)}---|"
    for rule in SOME_HOUSE_RULES:
        house = parse_house_rules(rule)
        changed = [with_house_rules(level, house) for level in levels]
        name = f"`{rule[0]}`" if rule else "none"
        if rule not in CHANGE_NO_SOLO_GAME:
            yield f"| {name} | solo | {_medians(changed, 1, solo, seed)} | – |"
        players = PLAYERS_OF_MANY if house.more_players else 2
        wins = Wins(0, 0)
        for level in changed if players == 2 else ():
            wins = wins.add(count_wins(level, "player", "beginner", matches, seed))
        share = _format_wins(wins) if wins.games else "–"
        medians = _medians(changed, players, table, seed)
        yield f"| {name} | {players} players | {medians} | {share} |"


def _medians(levels: Sequence[Level], players: int, games: int, seed: int) -> str:
    """Return the cells with the medians of greedy bots on each level."""
    found = []
    for level in levels:
        tally = simulate(level, players=players, games=games, bot="greedy", seed=seed)
        found.append(f"{summarise(level, tally)['scores']['median']:g}")
    return " | ".join(found)


def _name(level: Level) -> str:
    return level.name.get("en") or level.name.get("", "")


def _anchor(level: Level) -> str:
    """Return the anchor of the level's heading."""
    return f"{level.id}-{_name(level)}".lower().replace(" ", "-")


def _elements(level: Level) -> Iterator[str]:
    """Yield the elements of the sheet except numbers and gems."""
    for name, fields in level.by_symbol.items():
        if fields and name != COMMON_SYMBOL:
            yield name
    for name, is_there in (("line", level.lines), ("area", level.areas), ("track", level.rails)):
        if is_there:
            yield name


def _format_level(measured: Measured) -> Iterator[str]:
    level, summaries, strengths = measured
    yield f"\n## {level.id}: {_name(level)}\n"
    yield f"{level.about.get('en', '')}\n"
    yield f"![The printed sheet of {level.id}](images/{level.id}.png)\n"
    yield "The grid of the [level document](formats.md#grid):\n"
    yield "```"
    yield from level.document["grid"]
    yield "```\n"
    yield "Results of the greedy and the random bot:\n"
    yield (
        "| players | bot | median points | best points | fields crossed | wins by seat "
        "| pays least often |"
    )
    yield "|---|---|---|---|---|---|---|"
    for setting, summary in summaries:
        yield _format_row(level, setting, summary)
    if strengths:
        yield "\nResults of the three strengths:\n"
        yield "| bot | median points alone | games for two won against the next weaker bot |"
        yield "|---|---|---|"
    for name, median, wins in strengths:
        yield f"| {STRENGTH_NAMES[name]} | {median:g} | {_format_wins(wins) if wins else ''} |"


def _format_wins(wins: Wins) -> str:
    low, high = wins.interval
    return f"{wins.share:.0%} ({low:.0%} to {high:.0%})"


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

"""`manage.py simulate`: let bots play whole games on a level, and report the results."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandParser
from django.utils import translation
from tqdm import tqdm

from sheets.bots import BOTS
from sheets.bots.strengths import STRENGTHS
from sheets.documents.structure import parse_house_rules, read_level
from sheets.levels import find_level, shipped_levels
from sheets.management.document_command import DocumentCommand, read_bytes
from sheets.management.output_file import STANDARD_OUTPUT, open_output
from sheets.rules import Level
from sheets.rules.dice2 import KINDS
from sheets.rules.documents.level import with_house_rules
from sheets.rules.house_rules import HOUSE_RULES
from sheets.simulation.balance.presentation import format_report, render_page
from sheets.simulation.balance.report import PlannedGames, measure
from sheets.simulation.balance.shipped_figures import OtherLevels, find_other_levels
from sheets.simulation.dice2 import format_dice2_report, simulate_dice2, summarise_dice2
from sheets.text.house_rules import shown_house_rules
from sheets.text.languages import languages

MAX_GAMES: Final = 1_000_000
"""Maximum of ``--games``."""

ALL: Final = "all"
"""Value of ``--players`` for every possible number of players."""


OPTIONS_FOR_LEVELS: Final[dict[str, Any]] = {
    "html": None,
    "beside": None,
    "language": "en",
    "house_rule": [],
}
"""Options that Dice² does not have, with their defaults."""


class Command(DocumentCommand):
    """``simulate LEVEL``."""

    help = (
        "Plays whole games of equal bots on a level, on all cores, and reports scores, grades, "
        "what pays how often, which fields are crossed and who wins, beside the shipped levels. "
        "The same seed gives the same report."
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return a parser that refuses bad options in one line, without the usage."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.print_usage = lambda file=None: None  # type: ignore[method-assign]
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the level, the games to play, and the kind of report."""
        parser.add_argument("level", help="a level's id or file, -, or a Dice² game")
        parser.add_argument(
            "--players", type=_players, help="how many play, or all: every number there can be"
        )
        parser.add_argument("--games", type=int, default=100, help="how many games (default: 100)")
        parser.add_argument(
            "--bot", choices=(*sorted(BOTS), *STRENGTHS), default="greedy",
            help="who plays (default: greedy); beginner is the easy bot, player the "
            "medium one and expert the hard one, which is slow",
        )  # fmt: skip
        parser.add_argument("--seed", type=int, default=1, help="names the dice (default: 1)")
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.add_argument(
            "--html",
            metavar="FILE",
            help="write a page with plots, of all numbers of players; - is standard output",
        )
        parser.add_argument(
            "--beside", metavar="LEVEL", help="compare with this level (default: the one most like)"
        )
        parser.add_argument(
            "--house-rule", action="append", default=[], metavar="RULE",
            help="play with this house rule, such as keep-dice, dice=9 or starter=fewest-points; "
            "can be repeated",
        )  # fmt: skip
        parser.add_argument(
            "--language", choices=tuple(languages()), default="en",
            help="of the report (default: en)",
        )  # fmt: skip

    def run(self, **options: Any) -> None:
        """Play the games and print the report."""
        if not 1 <= options["games"] <= MAX_GAMES:
            self.refuse(f"--games: {options['games']} is not from 1 to {MAX_GAMES}")
        if options["level"] in KINDS:
            self._run_dice2(options)
            return
        level = self._with_house_rules(_find_level(options["level"]), options["house_rule"])
        others = self._find_other_levels(level, options["beside"])
        found = self._measure(level, options)
        if options["json"] and not options["html"]:
            self.print_document(found if options["players"] == ALL else _single(found))
            return
        with translation.override(options["language"]):
            if options["html"]:
                page = render_page(level, found, others)
            else:
                page = format_report(level, found, others)
        if options["html"]:
            self._write_page(options["html"], page)
        else:
            self._print_report(level, found, page)

    def _run_dice2(self, options: dict[str, Any]) -> None:
        name, players = options["level"], options["players"]
        possible = KINDS[name].player_counts
        counts = possible if players == ALL else (players or possible[0],)
        for count in counts:
            self._check_players(name, possible, count)
        for option, default in OPTIONS_FOR_LEVELS.items():
            if options[option] != default:
                self.refuse(f"--{option.replace('_', '-')}: there are such reports for levels only")
        setting = {key: options[key] for key in ("games", "bot", "seed")}
        found = []
        with _progress(setting["games"] * len(counts)) as bar:
            for count in counts:
                tally = simulate_dice2(name, players=count, **setting, on_progress=bar.update)
                found.append({"players": count, **setting, **summarise_dice2(tally, count)})
        if options["json"]:
            settings = {"settings": found} if players == ALL else found[0]
            self.print_document({"level": name, **settings})
            return
        for summary in found:
            words = ", ".join(f"{key} {summary[key]}" for key in ("players", *setting))
            self.stdout.write(f"{name}: {words}\n\n{format_dice2_report(name, summary)}\n")

    def _measure(self, level: Level, options: dict[str, Any]) -> dict[str, Any]:
        """Play the games with each requested number of players, and return the results."""
        games, players = options["games"], options["players"]
        if players is None:
            players = ALL if options["html"] else 1
        counts = level.player_counts if players == ALL else (players,)
        for count in counts:
            self._check_players(level.id, level.player_counts, count)
        with _progress(games * len(counts)) as bar:
            found = measure(
                level,
                [PlannedGames(count, games) for count in counts],
                bot=options["bot"],
                seed=options["seed"],
                on_progress=bar.update,
            )
        changed = level.house_rules.changed
        return found | ({"house_rules": changed} if changed else {})

    def _check_players(self, name: str, counts: Sequence[int], players: int | str) -> None:
        if players not in counts:
            possible = ", ".join(str(count) for count in counts)
            self.refuse(f"--players: {name} can be played by {possible}, not by {players}")

    def _with_house_rules(self, level: Level, words: Sequence[str]) -> Level:
        """Return the level with the house rules of the command line, in addition to its own."""
        try:
            chosen = parse_house_rules(words).changed
        except ValueError as error:
            possible = ", ".join(HOUSE_RULES)
            self.refuse(f"--house-rule: '{error}' is none of {possible}, or has a wrong value")
        return with_house_rules(level, level.house_rules._replace(**chosen))

    def _find_other_levels(self, level: Level, wanted: str | None) -> OtherLevels:
        try:
            return find_other_levels(level, wanted or "")
        except KeyError:
            self.refuse(f"--beside: there is no other level '{wanted}' among the shipped ones")

    def _write_page(self, name: str, page: str) -> None:
        with open_output(name) as file:
            file.write(page.encode())
        if name != STANDARD_OUTPUT:
            self.stdout.write(f"Wrote {name}.")

    def _print_report(self, level: Level, found: dict[str, Any], page: str) -> None:
        for summary in found["settings"]:
            setting = _single(found, summary)
            words = ", ".join(
                f"{key} {setting[key]}" for key in ("players", "games", "bot", "seed")
            )
            self.stdout.write(f"{level.id}: {words}")
        if rules := shown_house_rules(level):
            self.stdout.write(f"house rules: {', '.join(rule.label for rule in rules)}")
        self.stdout.write(f"\n{page}")


def _progress(games: int) -> tqdm[Any]:
    return tqdm(total=games, unit="game", disable=not sys.stderr.isatty(), leave=False)


def _players(text: str) -> int | str:
    return ALL if text == ALL else int(text)


def _single(found: dict[str, Any], summary: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the results for one number of players, without the long list of totals.

    ``summary`` is an entry of ``found["settings"]``; by default the first one.
    """
    summary = summary or found["settings"][0]
    head = {"level": found["level"]}
    head |= {key: summary[key] for key in ("players", "games")}
    head |= {key: found[key] for key in ("bot", "seed", "house_rules") if key in found}
    return head | {key: value for key, value in summary.items() if key != "totals"}


def _find_level(name: str) -> Level:
    """Return the shipped level with this id, or else the level in the file of this name.

    Raises:
        DocumentError: there is neither.
    """
    if name in shipped_levels() or not (name == "-" or Path(name).exists()):
        return find_level(name)
    return read_level(read_bytes(name))

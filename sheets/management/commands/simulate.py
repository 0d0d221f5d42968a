"""Let bots play many whole games on a level, and report how it went."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from tqdm import tqdm

from sheets.balance import Setting, measure
from sheets.balance_page import render_page
from sheets.balance_words import sentences
from sheets.bots import BOTS
from sheets.dice2_simulation import format_dice2_report, simulate_dice2, summarise_dice2
from sheets.documents import read_level
from sheets.levels import find_level, shipped_levels
from sheets.management.document_command import DocumentCommand, read_bytes
from sheets.rules import Level
from sheets.rules.dice2 import KINDS
from sheets.simulation_report import format_report

MAX_GAMES = 1_000_000
ALL = "all"


class Command(DocumentCommand):
    """``simulate LEVEL``."""

    help = (
        "Plays whole games of equal bots on a level, on all cores, and reports scores, grades, "
        "what pays how often, and wins by seat. The same seed gives the same report."
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """A parser that refuses bad options in one line, without repeating the usage."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.print_usage = lambda file=None: None  # type: ignore[method-assign]
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The level and how much to play."""
        parser.add_argument("level", help="a level's id or file, -, or a Dice² game")
        parser.add_argument(
            "--players", type=_players, help="how many play, or all: every number there can be"
        )
        parser.add_argument("--games", type=int, default=100, help="how many games (default: 100)")
        parser.add_argument("--bot", choices=sorted(BOTS), default="greedy", help="who plays")
        parser.add_argument("--seed", type=int, default=1, help="names the dice (default: 1)")
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.add_argument(
            "--html", metavar="FILE", help="write a page with plots, of all numbers of players"
        )

    def run(self, **options: Any) -> None:
        """Play and print the report."""
        if not 1 <= options["games"] <= MAX_GAMES:
            self.refuse(f"--games: {options['games']} is not from 1 to {MAX_GAMES}")
        if options["level"] in KINDS:
            self._run_dice2(options)
            return
        level = _find_level(options["level"])
        found = self._measure(level, options)
        if options["html"]:
            self._write_page(options["html"], level, found)
        elif options["json"]:
            self.print_document(found if options["players"] == ALL else _single(found))
        else:
            self._print_report(level, found)

    def _run_dice2(self, options: dict[str, Any]) -> None:
        name = options["level"]
        setting = {key: options[key] for key in ("players", "games", "bot", "seed")}
        setting["players"] = 1 if setting["players"] is None else setting["players"]
        self._check_players(name, KINDS[name].player_counts, setting["players"])
        if options["html"]:
            self.refuse("--html: there are plots for levels only")
        with _progress(setting["games"]) as bar:
            tally = simulate_dice2(name, **setting, on_progress=bar.update)
        summary = summarise_dice2(tally, setting["players"])
        if options["json"]:
            self.print_document({"level": name, **setting, **summary})
            return
        words = ", ".join(f"{key} {value}" for key, value in setting.items())
        self.stdout.write(f"{name}: {words}\n\n{format_dice2_report(summary)}")

    def _measure(self, level: Level, options: dict[str, Any]) -> dict[str, Any]:
        """Play with every number of players that is asked for."""
        games, players = options["games"], options["players"]
        if players is None:
            players = ALL if options["html"] else 1
        counts = level.player_counts if players == ALL else (players,)
        for count in counts:
            self._check_players(level.id, level.player_counts, count)
        with _progress(games * len(counts)) as bar:
            return measure(
                level,
                [Setting(count, games) for count in counts],
                bot=options["bot"],
                seed=options["seed"],
                on_progress=bar.update,
            )

    def _check_players(self, name: str, counts: Sequence[int], players: int | str) -> None:
        if players not in counts:
            possible = ", ".join(str(count) for count in counts)
            self.refuse(f"--players: {name} can be played by {possible}, not by {players}")

    def _write_page(self, name: str, level: Level, found: dict[str, Any]) -> None:
        page = render_page(level, found)
        try:
            Path(name.replace("\0", "?")).write_text(page, encoding="utf-8")
        except OSError as error:
            self.refuse(f"--html: {name} cannot be written: {error.strerror}")
        self.stdout.write(f"Wrote {name}.")

    def _print_report(self, level: Level, found: dict[str, Any]) -> None:
        for summary in found["settings"]:
            setting = _single(found, summary)
            words = ", ".join(
                f"{key} {setting[key]}" for key in ("players", "games", "bot", "seed")
            )
            self.stdout.write(f"{level.id}: {words}\n\n{format_report(level, summary)}\n")
        self.stdout.write("\n".join(sentences(level, found)))


def _progress(games: int) -> tqdm[Any]:
    return tqdm(total=games, unit="game", disable=not sys.stderr.isatty(), leave=False)


def _players(text: str) -> int | str:
    return ALL if text == ALL else int(text)


def _single(found: dict[str, Any], summary: dict[str, Any] | None = None) -> dict[str, Any]:
    """The report of one number of players, without its long list of totals."""
    summary = summary or found["settings"][0]
    head = {"level": found["level"]}
    head |= {key: summary[key] for key in ("players", "games")}
    head |= {key: found[key] for key in ("bot", "seed")}
    return head | {key: value for key, value in summary.items() if key != "totals"}


def _find_level(name: str) -> Level:
    """The shipped level of that id, or else the level in the file of that name.

    Raises:
        DocumentError: when there is neither.
    """
    if name in shipped_levels() or not (name == "-" or Path(name).exists()):
        return find_level(name)
    return read_level(read_bytes(name))

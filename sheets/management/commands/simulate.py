"""Let bots play many whole games on a level, and report how it went."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from tqdm import tqdm

from sheets.bots import BOTS
from sheets.dice2_simulation import format_dice2_report, simulate_dice2, summarise_dice2
from sheets.documents import read_level
from sheets.levels import find_level, shipped_levels
from sheets.management.document_command import DocumentCommand, read_bytes
from sheets.rules import Level
from sheets.rules.dice2 import KINDS
from sheets.simulation import simulate
from sheets.simulation_report import format_report, summarise

MAX_GAMES = 1_000_000


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
        parser.add_argument("--players", type=int, default=1, help="how many play (default: 1)")
        parser.add_argument("--games", type=int, default=100, help="how many games (default: 100)")
        parser.add_argument("--bot", choices=sorted(BOTS), default="greedy", help="who plays")
        parser.add_argument("--seed", type=int, default=1, help="names the dice (default: 1)")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def run(self, **options: Any) -> None:
        """Play and print the report."""
        setting = {key: options[key] for key in ("players", "games", "bot", "seed")}
        if not 1 <= setting["games"] <= MAX_GAMES:
            self.refuse(f"--games: {setting['games']} is not from 1 to {MAX_GAMES}")
        name = options["level"]
        if kind := KINDS.get(name):
            self._check_players(name, kind.player_counts, setting["players"])
            with _progress(setting["games"]) as bar:
                dice2_tally = simulate_dice2(name, **setting, on_progress=bar.update)
            summary = summarise_dice2(dice2_tally, setting["players"])
            report = format_dice2_report(summary)
        else:
            level = _find_level(name)
            name = level.id
            self._check_players(name, level.player_counts, setting["players"])
            with _progress(setting["games"]) as bar:
                tally = simulate(level, **setting, on_progress=bar.update)
            summary = summarise(level, tally)
            report = format_report(level, summary)
        if options["json"]:
            self.print_document({"level": name, **setting, **summary})
            return
        words = ", ".join(f"{key} {value}" for key, value in setting.items())
        self.stdout.write(f"{name}: {words}\n\n{report}")

    def _check_players(self, name: str, counts: Sequence[int], players: int) -> None:
        if players not in counts:
            possible = ", ".join(str(count) for count in counts)
            self.refuse(f"--players: {name} can be played by {possible}, not by {players}")


def _progress(games: int) -> tqdm[Any]:
    return tqdm(total=games, unit="game", disable=not sys.stderr.isatty(), leave=False)


def _find_level(name: str) -> Level:
    """The shipped level of that id, or else the level in the file of that name.

    Raises:
        DocumentError: when there is neither.
    """
    if name in shipped_levels() or not (name == "-" or Path(name).exists()):
        return find_level(name)
    return read_level(read_bytes(name))

"""`manage.py analyse`: estimate the value of each choice in a recorded game."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from functools import partial
from typing import Any, Final

from tqdm import tqdm

from sheets.documents.analysis import read_analysis
from sheets.documents.structure import read_game
from sheets.levels import find_level
from sheets.management.document_command import BREAKS_A_RULE, DocumentCommand, read_bytes
from sheets.rules.documents.game import replay_actions, replay_record
from sheets.text.refusals import explain

MAX_ROUNDS: Final = 3
"""Maximum of ``--rounds``: how often the analysis is refined, not rounds of the game."""


class Command(DocumentCommand):
    """``analyse GAME`` or ``analyse --check ANALYSIS``."""

    help = (
        "Plays out every choice of a dizzle-game/1 whose dice are known, and prints a "
        "dizzle-analysis/1: what each was worth in points and in chance to win, and how sure that "
        "is. The same seed gives the same document."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, the number of rounds, the seed, and the check of an existing analysis."""
        super().add_arguments(parser)
        parser.add_argument(
            "--rounds",
            type=int,
            default=1,
            choices=range(1, MAX_ROUNDS + 1),
            help="each looks more closely, and takes about twice as long (default: 1)",
        )
        parser.add_argument("--seed", type=int, default=1, help="names the dice (default: 1)")
        parser.add_argument(
            "--check", action="store_true", help="read a dizzle-analysis/1 instead, and check it"
        )

    def run(self, **options: Any) -> None:
        """Print the analysis of a game, or the result of a check.

        Prints the violation instead if the game breaks a rule, and ends with exit status 1.
        """
        text = read_bytes(options["file"])
        if options["check"]:
            document = read_analysis(text)
            self.print_document({"ok": True, "decisions": len(document["decisions"])})
            return
        record = read_game(text, find_level)
        if not record.is_tracked:
            self.refuse(f"{options['file']}: its dice are not known, they lay on the table")
        if replay_actions(record.start(), record.actions)[2]:
            self.print_document(replay_record(record, partial(explain, players=record.players)))
            raise SystemExit(BREAKS_A_RULE)
        # Imported here, because NumPy loads slowly and the check does not need it.
        from sheets.analysis.analyser import Analyser
        from sheets.analysis.document import format_analysis

        with tqdm(unit="game", disable=not sys.stderr.isatty(), leave=False) as bar:
            analyser = Analyser(record, seed=options["seed"], on_progress=bar.update)
            for analysis in analyser.rounds():
                if analysis.round == options["rounds"]:
                    break
        self.print_document(format_analysis(analysis, seed=options["seed"]))

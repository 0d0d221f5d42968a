"""`manage.py print`: write a PDF of blank or filled sheets."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

import msgspec
from django.conf import settings
from tqdm import tqdm

from sheets.art.render.pdf import write_pdf
from sheets.documents.structure import read_game
from sheets.levels import find_level
from sheets.management.command_errors import CommandRefused
from sheets.management.document_command import (
    BREAKS_A_RULE,
    DocumentCommand,
    format_refusal,
    read_bytes,
)
from sheets.management.output_file import open_output
from sheets.management.page_options import add_page_options, page_options, read_levels
from sheets.management.paper_file import read_unambiguous_sheets
from sheets.printing.booklet import count_drawn_pages, draw_booklet, name_booklet, sheet_address
from sheets.printing.geometry import PageOptions
from sheets.printing.handwriting import game_writings, illegible_names, paper_writings
from sheets.printing.sheet import Writing
from sheets.printing.web.request import DICE2
from sheets.rules import DocumentError, Level
from sheets.rules.documents.game import replay_actions
from sheets.text.refusals import explain


class Command(DocumentCommand):
    """``print LEVEL… -o FILE.pdf`` or ``print --sheets FILE -o FILE.pdf``."""

    help = "Writes a PDF with blank sheets of levels, or with filled sheets."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the levels or sheets, the output file, and the page options."""
        parser.add_argument(
            "levels", nargs="*", metavar="LEVEL",
            help="an id, a level's file, or dice2 for the board, strips and relay table of Dice²",
        )  # fmt: skip
        parser.add_argument(
            "-o", "--output", required=True, metavar="FILE.pdf",
            help="where to; - is standard output",
        )  # fmt: skip
        parser.add_argument(
            "--sheets", metavar="FILE",
            help="print the sheets of a dizzle-sheets/1 or dizzle-game/1 as they stand",
        )  # fmt: skip
        add_page_options(parser)

    def run(self, **options: Any) -> None:
        """Write the PDF."""
        chosen = page_options({**options, "dice2": DICE2 in options["levels"]})
        if bool(options["levels"]) == bool(options["sheets"]):
            raise CommandRefused("name levels or --sheets, one of both")
        levels, writings = (
            self.read_filled(options["sheets"])
            if options["sheets"]
            else (read_levels([name for name in options["levels"] if name != DICE2]), [])
        )
        for name in illegible_names(writings):
            self.stderr.write(f"no font has the letters of “{name}”: their line is left empty")
        self.write(levels, chosen, writings, options["output"])

    def read_filled(self, name: str) -> tuple[list[Level], list[Writing]]:
        """Return the level and the handwriting of each sheet in a file. Raises CommandRefused."""
        try:
            text = read_bytes(name)
            if _format(text) == "dizzle-game/1":
                return self.read_played(text)
            paper = read_unambiguous_sheets(text)
            return [paper.level] * len(paper.sheets), paper_writings(paper)
        except (CommandRefused, DocumentError) as error:
            raise CommandRefused(f"{name}: {format_refusal(error)}") from None

    def read_played(self, text: bytes) -> tuple[list[Level], list[Writing]]:
        """Return the level and the handwriting of each sheet at the end of a recorded game.

        Ends with exit status 1 if the game breaks a rule.
        """
        record = read_game(text, find_level)
        game, applied, violation = replay_actions(record.start(), record.actions)
        if violation:
            self.stderr.write(f"action {applied}: {explain(violation, record.players)}")
            raise SystemExit(BREAKS_A_RULE)
        return [record.level] * len(record.players), game_writings(game)

    def write(
        self,
        levels: Sequence[Level],
        options: PageOptions,
        writings: Sequence[Writing],
        output: str,
    ) -> None:
        """Write the PDF; it replaces an existing file when it is complete."""
        pages = tqdm(
            draw_booklet(levels, options, writings, address=sheet_address(settings.SITE_URL)),
            total=count_drawn_pages(levels, options),
            unit="page",
            disable=not sys.stderr.isatty(),
        )
        title = name_booklet(levels, options)
        with open_output(output) as file:
            write_pdf(pages, file, title=title, lang=options.lang, is_duplex=options.duplex)


def _format(text: bytes) -> str:
    """Return a document's ``format``, empty for non-JSON; the document is not validated."""
    try:
        return str(msgspec.json.decode(text, type=dict[str, object]).get("format"))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""

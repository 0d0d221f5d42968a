"""`manage.py geometry`: print the geometry of printed pages as JSON."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from sheets.management.document_command import DocumentCommand
from sheets.management.page_options import add_page_options, page_options, read_levels
from sheets.printing.geometry_document import format_geometry


class Command(DocumentCommand):
    """``geometry LEVEL… [the options of print]``."""

    help = "Prints as JSON where fields, markers and rooms to write in lie on the pages of `print`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the levels and the page options."""
        parser.add_argument("levels", nargs="+", metavar="LEVEL", help="an id or a level's file")
        add_page_options(parser)

    def run(self, **options: Any) -> None:
        """Print the geometry."""
        self.print_document(format_geometry(read_levels(options["levels"]), page_options(options)))

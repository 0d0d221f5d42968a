"""Options shared by commands that print pages."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from sheets.documents.structure import read_level
from sheets.levels import find_level, shipped_levels
from sheets.management.command_errors import CommandRefused
from sheets.management.document_command import format_refusal, read_bytes
from sheets.printing.geometry import MAX_COPIES, PAPERS, OptionError, PageOptions
from sheets.rules import DocumentError, Level
from sheets.text.languages import languages


def add_page_options(parser: ArgumentParser) -> None:
    """Add the options for printed pages, with the same names as on the page **Print**."""
    parser.add_argument("--paper", choices=tuple(PAPERS), default="a4", help="default: a4")
    parser.add_argument(
        "--per-page", type=int, choices=(1, 2), default=0,
        help="sheets per page; default: 2 where fields are 11 mm or more then",
    )  # fmt: skip
    parser.add_argument(
        "--copies", type=int, default=1, metavar="N", help=f"sets to print, 1 to {MAX_COPIES}"
    )
    parser.add_argument(
        "--duplex", action="store_true",
        help="two levels in a row are front and back; flip at the paper's long edge",
    )  # fmt: skip
    parser.add_argument("--bw", action="store_true", help="black and white")
    parser.add_argument("--large", action="store_true", help="one sheet per page, for weak eyes")
    source = settings.LANGUAGE_CODE
    parser.add_argument(
        "--lang", choices=tuple(languages()), default=source, help=f"default: {source}"
    )
    parser.add_argument("--rules", action="store_true", help="add a page of short rules")
    parser.add_argument(
        "--no-markers", dest="markers", action="store_false",
        help="leave out what a photo is read by",
    )  # fmt: skip


def page_options(options: Mapping[str, Any]) -> PageOptions:
    """Return the options as `PageOptions`. Raises CommandRefused if they are invalid."""
    names = PageOptions.__dataclass_fields__
    try:
        return PageOptions(**{name: options[name] for name in names if name in options})
    except OptionError as error:
        raise CommandRefused(str(error)) from None


def read_levels(names: Sequence[str]) -> list[Level]:
    """Return the level of each name: a shipped level's id or a file. Raises CommandRefused."""
    levels = []
    for name in names:
        if name in shipped_levels():
            levels.append(find_level(name))
        elif name == "-" or Path(name).exists():
            try:
                levels.append(read_level(read_bytes(name)))
            except (CommandRefused, DocumentError) as error:
                raise CommandRefused(f"{name}: {format_refusal(error)}") from None
        else:
            raise CommandRefused(f"{name[:80]}: neither a shipped level nor a file")
    return levels

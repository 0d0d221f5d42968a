"""`manage.py read`: read photos of filled sheets, or of the empty sheet of an unknown level."""

from __future__ import annotations

import io
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PIL import Image

from sheets.levels import shipped_levels
from sheets.management.document_command import (
    BREAKS_A_RULE,
    DocumentCommand,
    format_json,
    open_input,
)
from sheets.management.output_file import open_output
from sheets.management.page_options import read_levels
from sheets.management.refused import CommandRefused
from sheets.rules import Level
from sheets.rules.documents.level import format_level
from sheets.rules.level import MOST_PLAYERS
from sheets.scanning.answered import draw_answer
from sheets.scanning.checked import Check, format_checks
from sheets.scanning.pages import open_page, why_not_read
from sheets.scanning.photos import MAX_BYTES
from sheets.scanning.pixels import Picture
from sheets.scanning.reading import (
    Reading,
    SheetReading,
    read_photo,
    reading_document,
    sheet_document,
)
from sheets.scanning.refusals import Refused
from sheets.scanning.truths import TruthError, check_photo, find_truths
from sheets.scanning.unknown.drawn import draw_new
from sheets.scanning.unknown.filled import read_filled
from sheets.scanning.unknown.reading import NewSheet, new_document, read_new
from sheets.scanning.unknown.template import fits, make_template

Read = TypeVar("Read", Reading, NewSheet)


class Command(DocumentCommand):
    """``read PHOTO… [--level LEVEL|FILE]… [--blank PHOTO] [--pictures DIR] [--sheets FILE]``, or
    ``read --check FOLDER``, or ``read --new PHOTO… [--pictures DIR]``."""

    help = "Reads photos of filled sheets and prints what is marked on them, a document a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the photos, the levels they may show, and further outputs."""
        parser.add_argument(
            "photos", nargs="*", metavar="PHOTO",
            help="a photo, or a scan in a PDF or TIFF file; - for standard input",
        )  # fmt: skip
        parser.add_argument(
            "--level", action="append", default=[], metavar="LEVEL", dest="levels",
            help="what a sheet is whose QR code cannot be read: an id or a level's file",
        )  # fmt: skip
        parser.add_argument(
            "--blank", metavar="PHOTO",
            help="the photos show sheets without markers, whose empty sheet is on this photo; "
            "--level says which level that is",
        )  # fmt: skip
        parser.add_argument(
            "--pictures", metavar="DIR",
            help="write each sheet there, laid flat, with what was read drawn on it",
        )  # fmt: skip
        parser.add_argument(
            "--new", action="store_true",
            help="the photos show empty sheets that nobody has entered yet: print their fields",
        )  # fmt: skip
        parser.add_argument(
            "--sheets",
            metavar="FILE",
            help="write all sheets as one dizzle-sheets/1; - to print it",
        )

        parser.add_argument(
            "--check", metavar="FOLDER",
            help="read all photos there that have a truth file (docs/photos.md), and print how "
            "well that went",
        )  # fmt: skip

    def run(self, **options: Any) -> None:
        """Read the photos one after the other, in the mode that the options select."""
        known = read_levels(options["levels"])
        if [bool(options["photos"]), bool(options["check"])].count(True) != 1:
            raise CommandRefused("name photos, or one folder with --check")
        folder = check_folder(options["pictures"])
        if options["new"]:
            self.read_new(folder, **options)
        elif options["check"]:
            if options["blank"]:
                raise CommandRefused("--blank does not go with --check")
            self.check_photos(Path(options["check"]), known)
        else:
            self.read_sheets(self.reader(known, options["blank"]), folder, **options)

    def reader(self, known: Sequence[Level], blank: str | None) -> Callable[[bytes], Reading]:
        """Return the reader: for our printed sheets, or for those of the photo ``blank``.

        Raises:
            CommandRefused: ``blank`` is not a readable photo of the level's empty sheet.
        """
        if blank is None:
            return partial(read_photo, levels=list(shipped_levels().values()), known=known)
        if len(known) != 1:
            raise CommandRefused("--blank goes with one --level")
        empty, _page, _seconds = next(read_pages(blank, read_new, NewSheet))
        if empty.refused:
            raise CommandRefused(f"{blank}: {empty.refused}")
        template = make_template(empty)
        if not fits(template, known[0]):
            raise CommandRefused(f"{blank}: does not show the fields of {known[0].id}")

        def read(data: bytes) -> Reading:
            reading = read_filled(data, template, known[0])
            if len(reading.turns) > 1:
                self.stderr.write("which way is up is not clear; the page for photos asks")
            return reading

        return read

    def read_sheets(
        self,
        reader: Callable[[bytes], Reading],
        folder: Path | None,
        *,
        photos: Sequence[str],
        sheets: str | None,
        **_options: Any,
    ) -> None:
        """Print the readings of filled sheets; exit status 1 if a photo or sheet was refused."""
        read: list[SheetReading] = []
        is_all_read = True
        for name in photos:
            found: list[SheetReading] = []
            for reading, page, seconds in read_pages(name, reader, partial(Reading, sheets=[])):
                document = reading_document(Path(name).name, reading, seconds, page)
                self.stdout.write(format_json(document))
                is_blank_page = page is not None and reading.refused == "blank"
                is_all_read &= is_blank_page or not reading.refused
                is_all_read &= not any(one.refused for one in reading.sheets)
                found += [one for one in reading.sheets if one.refused is None]
            read += found
            if folder:
                for i, sheet in enumerate(found, start=1):
                    write_picture(draw_answer(sheet), folder / f"{Path(name).stem}-{i}.png")
        if sheets:
            self.write_sheets(read, sheets)
        if not is_all_read:
            raise SystemExit(BREAKS_A_RULE)

    def read_new(self, folder: Path | None, **options: Any) -> None:
        """Print the readings of unknown empty sheets; exit status 1 if a photo was refused."""
        if any(options[name] for name in ("levels", "sheets", "check", "blank")):
            raise CommandRefused("--new goes with --pictures alone")
        is_all_read = True
        for name in options["photos"]:
            for sheet, page, seconds in read_pages(name, read_new, NewSheet):
                self.stdout.write(format_json(new_document(Path(name).name, sheet, seconds, page)))
                is_all_read &= sheet.refused is None
                if folder and sheet.refused is None:
                    write_picture(draw_new(sheet), folder / f"{Path(name).stem}-{page or 1}.png")
        if not is_all_read:
            raise SystemExit(BREAKS_A_RULE)

    def check_photos(self, folder: Path, known: Sequence[Level]) -> None:
        """Read a folder's photos and print the accuracy against its truth files.

        Raises:
            CommandRefused: there is no such folder, no truth file, or an invalid one.
        """
        if not folder.is_dir():
            raise CommandRefused(f"{folder}: is no folder")
        check, photos = Check(), 0
        try:
            for photo, truth in find_truths(folder):
                levels = list(shipped_levels().values())
                check_photo(check, read_photo_file(str(photo)), truth, levels, known)
                photos += 1
        except TruthError as error:
            raise CommandRefused(str(error)) from None
        if not photos:
            raise CommandRefused(f"{folder}: has no photo with a truth file")
        self.stdout.write(format_checks({f"{photos} photos": check}))

    def write_sheets(self, read: Sequence[SheetReading], name: str) -> None:
        """Write all sheets as one document. Raises CommandRefused if they have different levels."""
        levels = {sheet.form.level.id: sheet.form.level for sheet in read if sheet.form}
        if len(levels) != 1:
            what = "nothing was read" if not levels else "the sheets are of different levels"
            raise CommandRefused(f"{name}: {what}")
        if len(read) > MOST_PLAYERS:
            raise CommandRefused(f"{name}: more than {MOST_PLAYERS} sheets")
        (level,) = levels.values()
        with open_output(name) as file:
            file.write(format_json(sheets_document(level, read)).encode())


def sheets_document(level: Level, read: Sequence[SheetReading]) -> dict[str, Any]:
    """Return a ``dizzle-sheets/1`` of the most likely marks; players are numbered."""
    kept = ("crosses", "exploded", "lava", "tracks", "flags", "races")
    sheets = []
    for number, sheet in enumerate(read, start=1):
        document = sheet_document(sheet)
        marks = {name: document[name] for name in kept if document[name]}
        sheets.append({"player": str(number), **marks})
    shipped = shipped_levels().get(level.id) == level
    named = level.id if shipped else format_level(level)
    # A single sheet counts as a solo game unless it says otherwise, and no bomb explodes in one.
    solo = {"solo": False} if len(sheets) == 1 and "exploded" in sheets[0] else {}
    return {"format": "dizzle-sheets/1", "level": named, **solo, "sheets": sheets}


def check_folder(name: str | None) -> Path | None:
    """Return the folder for pictures, if one was named. Raises CommandRefused if it is missing."""
    if name and not Path(name).is_dir():
        raise CommandRefused(f"{name}: is no folder")
    return Path(name) if name else None


def read_photo_file(name: str) -> bytes:
    """Return a photo's bytes, at most ``MAX_BYTES + 1``. Raises CommandRefused."""
    try:
        with open_input(name) as file:
            return file.read(MAX_BYTES + 1)
    except CommandRefused as error:
        raise CommandRefused(f"{name}: {error}") from None


def read_pages(
    name: str, read: Callable[[bytes], Read], refuse: Callable[[str], Read]
) -> Iterator[tuple[Read, int | None, float]]:
    """Read a photo, or each page of a document.

    Yield what was read, the number of the page (None if it is the only one), and the seconds that
    this took. Raises CommandRefused.
    """
    data = read_photo_file(name)
    number, pages = 0, 1
    while number < pages:
        start = time.perf_counter()
        try:
            page = open_page(data, number)
            pages = page.pages
            found = read(page.photo)
            if found.refused:
                found = refuse(why_not_read(page, found.refused))
        except Refused as refused:
            found = refuse(refused.name)
        number += 1
        yield found, number if pages > 1 else None, time.perf_counter() - start


def write_picture(picture: Picture, path: Path) -> None:
    """Write a rectified sheet with the marks that were read as a PNG."""
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "PNG")
    with open_output(str(path)) as file:
        file.write(stream.getvalue())

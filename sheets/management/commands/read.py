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
from sheets.management.command_errors import CommandRefused
from sheets.management.document_command import (
    BREAKS_A_RULE,
    DocumentCommand,
    format_json,
    open_input,
)
from sheets.management.output_file import open_output
from sheets.management.page_options import read_levels
from sheets.rules import Level
from sheets.rules.documents.level import format_level
from sheets.rules.level import MAX_PLAYERS
from sheets.vision.decoding import MAX_BYTES
from sheets.vision.evaluation import Evaluation, format_evaluations, format_table
from sheets.vision.ground_truth import (
    PhotoTruth,
    Truth,
    TruthError,
    check_printed_truth,
    evaluate_photo,
    read_truth_files,
)
from sheets.vision.overlay import draw_grid_overlay, draw_overlay
from sheets.vision.pads.empty_sheet_reading import FORMAT as EMPTY_SHEET_FORMAT
from sheets.vision.pads.empty_sheet_reading import (
    EmptySheetReading,
    empty_sheet_document,
    read_empty_sheet,
)
from sheets.vision.pads.evaluation import EmptySheetEvaluation, format_empty_evaluations
from sheets.vision.pads.filled_sheet_reading import read_filled_sheet
from sheets.vision.pads.ground_truth import (
    EmptySheetTruth,
    check_filled_truth,
    evaluate_empty_sheet,
    evaluate_filled_sheet,
)
from sheets.vision.pads.template import Template, fits, make_template
from sheets.vision.pages import open_page, why_not_read
from sheets.vision.pixels import Picture
from sheets.vision.reading import (
    FORMAT,
    Reading,
    SheetReading,
    read_photo,
    reading_document,
    sheet_document,
)
from sheets.vision.refusals import Refused

Read = TypeVar("Read", Reading, EmptySheetReading)
"""Result of reading a photo, of filled sheets or of an empty sheet."""


class Command(DocumentCommand):
    """``read PHOTO… [--level LEVEL|FILE]… [--blank PHOTO] [--pictures DIR] [--sheets FILE]``, or
    ``read --new PHOTO… [--pictures DIR]``, or
    ``read --check FOLDER [--new | --blank PHOTO --level LEVEL|FILE]``."""

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
            help="read all photos there that have a truth file (docs/measuring-photos.md), and "
            "print how well that went; with --new or --blank, those of empty or filled sheets of "
            "a pad",
        )  # fmt: skip

    def run(self, **options: Any) -> None:
        """Read the photos one after the other, in the mode that the options select."""
        known = read_levels(options["levels"])
        if [bool(options["photos"]), bool(options["check"])].count(True) != 1:
            raise CommandRefused("name photos, or one folder with --check")
        folder = check_folder(options["pictures"])
        if options["new"] and any(options[name] for name in ("levels", "sheets", "blank")):
            raise CommandRefused("--new goes with --pictures or --check alone")
        if options["check"]:
            self.check_photos(Path(options["check"]), known, options["new"], options["blank"])
        elif options["new"]:
            self.read_empty_sheet(folder, options["photos"])
        else:
            self.read_sheets(self.reader(known, options["blank"]), folder, **options)

    def reader(self, known: Sequence[Level], blank: str | None) -> Callable[[bytes], Reading]:
        """Return the function that reads a photo of filled sheets.

        Args:
            known: levels of sheets whose QR code cannot be read; with ``blank``, the pad's level.
            blank: name of a photo of the empty sheet of a pad, to read the filled sheets of that
                pad; None to read sheets that the app printed.

        Raises:
            CommandRefused: ``blank`` is not a readable photo of the level's empty sheet.
        """
        if blank is None:
            return partial(read_photo, levels=list(shipped_levels().values()), known=known)
        template = read_template(known, blank)

        def read(data: bytes) -> Reading:
            reading = read_filled_sheet(data, template, known[0])
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
        """Read and print filled sheets; exit status 1 if a photo or sheet was refused."""
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
                    write_picture(draw_overlay(sheet), folder / f"{Path(name).stem}-{i}.png")
        if sheets:
            self.write_sheets(read, sheets)
        if not is_all_read:
            raise SystemExit(BREAKS_A_RULE)

    def read_empty_sheet(self, folder: Path | None, photos: Sequence[str]) -> None:
        """Read and print empty sheets of unknown levels; exit status 1 if a photo was refused."""
        is_all_read = True
        for name in photos:
            for sheet, page, seconds in read_pages(name, read_empty_sheet, EmptySheetReading):
                self.stdout.write(
                    format_json(empty_sheet_document(Path(name).name, sheet, seconds, page))
                )
                is_all_read &= sheet.refused is None
                if folder and sheet.refused is None:
                    write_picture(
                        draw_grid_overlay(sheet),
                        folder / f"{Path(name).stem}-{page or 1}.png",
                    )
        if not is_all_read:
            raise SystemExit(BREAKS_A_RULE)

    def check_photos(
        self, folder: Path, known: Sequence[Level], is_new: bool, blank: str | None
    ) -> None:
        """Read a folder's photos and print the accuracy against its truth files.

        Args:
            folder: the folder.
            known: as in `reader`.
            is_new: whether the photos show empty sheets of pads.
            blank: as in `reader`.

        Raises:
            CommandRefused: there is no such folder, no truth file, or an invalid one.
        """
        if not folder.is_dir():
            raise CommandRefused(f"{folder}: is no folder")
        if is_new:
            self.stdout.write(check_empty_sheets(folder))
        elif blank:
            self.stdout.write(check_filled_sheets(folder, read_template(known, blank), known[0]))
        else:
            self.stdout.write(check_printed_sheets(folder, known))

    def write_sheets(self, read: Sequence[SheetReading], name: str) -> None:
        """Write all sheets as one document.

        Raises:
            CommandRefused: there are no sheets, too many, or sheets of different levels.
        """
        levels = {sheet.layout.level.id: sheet.layout.level for sheet in read if sheet.layout}
        if len(levels) != 1:
            what = "nothing was read" if not levels else "the sheets are of different levels"
            raise CommandRefused(f"{name}: {what}")
        if len(read) > MAX_PLAYERS:
            raise CommandRefused(f"{name}: more than {MAX_PLAYERS} sheets")
        (level,) = levels.values()
        with open_output(name) as file:
            file.write(format_json(sheets_document(level, read)).encode())


def read_template(known: Sequence[Level], blank: str) -> Template:
    """Return the template of a pad from the photo of its empty sheet.

    Raises:
        CommandRefused: there is not exactly one level, or ``blank`` is not a readable photo of its
            empty sheet.
    """
    if len(known) != 1:
        raise CommandRefused("--blank goes with one --level")
    empty, _page, _seconds = next(read_pages(blank, read_empty_sheet, EmptySheetReading))
    if empty.refused:
        raise CommandRefused(f"{blank}: {empty.refused}")
    template = make_template(empty)
    if not fits(template, known[0]):
        raise CommandRefused(f"{blank}: does not show the fields of {known[0].id}")
    return template


def check_printed_sheets(folder: Path, known: Sequence[Level]) -> str:
    """Return a table with the accuracy for sheets that the app printed. Raises CommandRefused."""
    evaluation, levels = Evaluation(), list(shipped_levels().values())
    photos = check_each(
        folder,
        (FORMAT, PhotoTruth),
        partial(check_printed_truth, levels=[*known, *levels]),
        lambda data, truth: evaluate_photo(evaluation, data, truth, levels, known),
    )
    return format_evaluations({f"{photos} photos": evaluation})


def check_filled_sheets(folder: Path, template: Template, level: Level) -> str:
    """Return a table with the accuracy for filled sheets of a pad. Raises CommandRefused."""
    evaluation, turned = Evaluation(), 0

    def evaluate(data: bytes, truth: PhotoTruth) -> None:
        nonlocal turned
        turned += evaluate_filled_sheet(evaluation, data, truth.sheets[0], template, level)

    photos = check_each(
        folder, (FORMAT, PhotoTruth), partial(check_filled_truth, level=level), evaluate
    )
    table = format_evaluations({f"{photos} photos": evaluation})
    return f"{table}\n{format_table([('asked what is up', [str(turned)])])}"


def check_empty_sheets(folder: Path) -> str:
    """Return a table with the accuracy for empty sheets of pads. Raises CommandRefused."""
    evaluation = EmptySheetEvaluation()
    photos = check_each(
        folder,
        (EMPTY_SHEET_FORMAT, EmptySheetTruth),
        lambda _truth: None,
        lambda data, truth: evaluate_empty_sheet(evaluation, data, truth),
    )
    return format_empty_evaluations({f"{photos} photos": evaluation})


def check_each(
    folder: Path,
    kind: tuple[str, type[Truth]],
    check: Callable[[Truth], None],
    evaluate: Callable[[bytes, Truth], None],
) -> int:
    """Evaluate each photo of a folder that has a truth file; return the number of photos.

    Args:
        folder: the folder.
        kind: format and class of the truth files.
        check: as in `read_truth_files`.
        evaluate: reads a photo and compares it with its truth.

    Raises:
        CommandRefused: there is no such photo, or a truth file is invalid.
    """
    photos = 0
    try:
        for photo, truth in read_truth_files(folder, *kind, check):
            evaluate(read_photo_file(str(photo)), truth)
            photos += 1
    except TruthError as error:
        raise CommandRefused(str(error)) from None
    if not photos:
        raise CommandRefused(f"{folder}: has no photo with a truth file in the format {kind[0]}")
    return photos


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
    """Return the bytes of a photo: ``MAX_BYTES + 1`` at most, which is too large to be read.

    Raises:
        CommandRefused: there is no such file, or it cannot be read.
    """
    try:
        with open_input(name) as file:
            return file.read(MAX_BYTES + 1)
    except CommandRefused as error:
        raise CommandRefused(f"{name}: {error}") from None


def read_pages(
    name: str, read: Callable[[bytes], Read], refuse: Callable[[str], Read]
) -> Iterator[tuple[Read, int | None, float]]:
    """Read a photo, or each page of a document with several pages.

    Args:
        name: name of the file.
        read: reads one photo.
        refuse: makes a result from the name of a refusal.

    Yields:
        The result, the number of the page (None if it is the only one), and the seconds that the
        reading took.

    Raises:
        CommandRefused: the file cannot be read.
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

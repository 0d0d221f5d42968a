"""A folder of photos with files that say what is truly on them.

Beside ``IMG_1.jpg`` lies ``IMG_1.json``: what `manage.py read` said of it, mended by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from sheets.rules.level import Level
from sheets.scanning.checked import Check, OnPaper
from sheets.scanning.kinds import CROSS, EMPTY, EXPLODED, LAVA
from sheets.scanning.reading import SheetReading, read_photo
from sheets.scanning.timed import beside_floor

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".gif")


class TruthError(ValueError):
    """A truth file that cannot be used, in one line."""


class SheetTruth(Struct):
    """A sheet of a ``dizzle-reading/1``; all else that stands there is not looked at."""

    level: str | None = None
    number: int | None = None
    crosses: list[str] = []
    exploded: list[str] = []
    lava: list[str] = []
    tracks: dict[str, Literal["NS", "EW", "NE", "ES", "SW", "NW"]] = {}
    flags: dict[str, int] = {}
    races: dict[str, int] = {}

    @property
    def on_paper(self) -> OnPaper:
        """What is on it, as `Check` takes it."""
        fields: dict[str, str] = dict(self.tracks)
        for kind, names in ((CROSS, self.crosses), (EXPLODED, self.exploded), (LAVA, self.lava)):
            fields.update(dict.fromkeys(names, kind))
        numbers = {f"flag-{colour}": points for colour, points in self.flags.items()}
        return OnPaper(fields, numbers | {f"race-{i}": got for i, got in self.races.items()})


class Truth(Struct):
    """A ``dizzle-reading/1`` that a person has mended."""

    format: Literal["dizzle-reading/1"]
    sheets: list[SheetTruth]


def find_truths(folder: Path) -> Iterator[tuple[Path, Truth]]:
    """Every photo of a folder that has a truth file, by name.

    Raises:
        TruthError: for a truth file that is none.
    """
    for photo in sorted(folder.iterdir()):
        file = photo.with_suffix(".json")
        if photo.suffix.lower() not in PHOTOS or not file.exists():
            continue
        try:
            yield photo, msgspec.json.decode(file.read_bytes(), type=Truth)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise TruthError(f"{file}: {error}") from error


def check_photo(
    check: Check, data: bytes, truth: Truth, levels: Sequence[Level], known: Sequence[Level]
) -> None:
    """Read a photo, with `read_photo`'s levels, and count how well that went."""
    reading, times = beside_floor(data, lambda: read_photo(data, levels, known=known))
    check.time(times)
    sheets = [sheet for sheet in reading.sheets if not sheet.refused]
    found = _paired(sheets, truth.sheets)
    for number, true in enumerate(truth.sheets):
        if number in found:
            check.add(found[number], true.on_paper)
        else:
            check.refuse()


def _paired(
    sheets: Sequence[SheetReading], truths: Sequence[SheetTruth]
) -> dict[int, SheetReading]:
    """The sheet that each of the truths means, by their places; a sheet is no two's.

    Of one level those of one number belong together, and of several of those, as loose prints of
    one page are, the ones that are the most alike.
    """
    pairs = [
        (bool(true.number) and sheet.number == true.number, _alike(sheet, true), of_truth, of_sheet)
        for of_truth, true in enumerate(truths)
        for of_sheet, sheet in enumerate(sheets)
        if sheet.form and sheet.form.level.id == true.level
    ]
    found: dict[int, int] = {}
    for _same, _share, of_truth, of_sheet in sorted(pairs, key=lambda pair: (-pair[0], -pair[1])):
        if of_truth not in found and of_sheet not in found.values():
            found[of_truth] = of_sheet
    return {of_truth: sheets[of_sheet] for of_truth, of_sheet in found.items()}


def _alike(sheet: SheetReading, true: SheetTruth) -> float:
    """The share of a sheet's fields that were read as they are said to be."""
    fields, best = true.on_paper.fields, sheet.best()
    return sum(fields.get(at, EMPTY) == kind for at, (kind, _sure) in best.items()) / len(best)

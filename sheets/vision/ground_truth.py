"""Ground truth for photos: truth files in a folder, and the evaluation against them.

The truth file of ``IMG_1.jpg`` is ``IMG_1.json``: the output of `manage.py read`, corrected by
hand. `sheets.vision.pads.ground_truth` has the ground truth of pads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from sheets.rules.level import Level
from sheets.vision.evaluation import Evaluation, TrueMarks
from sheets.vision.mark_kinds import CROSS, EMPTY, EXPLODED, LAVA
from sheets.vision.reading import SheetReading, read_photo
from sheets.vision.timing import measure_relative_time

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif")
"""Suffixes of photo files."""

Truth = TypeVar("Truth", bound=Struct)
"""Ground truth of a photo."""


class TruthError(ValueError):
    """Invalid truth file; the message is one line."""


class SheetTruth(Struct):
    """Ground truth of a sheet, in the format of ``dizzle-reading/1``; other keys are ignored."""

    level: str | None = None
    number: int | None = None
    crosses: list[str] = []
    exploded: list[str] = []
    lava: list[str] = []
    tracks: dict[str, Literal["NS", "EW", "NE", "ES", "SW", "NW"]] = {}
    flags: dict[str, int] = {}
    races: dict[str, int] = {}

    @property
    def true_marks(self) -> TrueMarks:
        """Its marks as `Evaluation` takes them."""
        fields: dict[str, str] = dict(self.tracks)
        for kind, names in ((CROSS, self.crosses), (EXPLODED, self.exploded), (LAVA, self.lava)):
            fields.update(dict.fromkeys(names, kind))
        numbers = {f"flag-{colour}": points for colour, points in self.flags.items()}
        return TrueMarks(fields, numbers | {f"race-{i}": got for i, got in self.races.items()})

    def check_fields(self, level: Level) -> None:
        """Raise ValueError, with a sentence, if a marked field is none of the level."""
        if unknown := sorted(self.true_marks.fields.keys() - level.index.keys()):
            raise ValueError(f"{unknown[0]} is no field of {level.id}")


class PhotoTruth(Struct):
    """Ground truth of a photo: a corrected ``dizzle-reading/1``."""

    format: Literal["dizzle-reading/1"]
    sheets: list[SheetTruth]


class _AnyTruth(Struct):
    """Truth file of any format."""

    format: Literal["dizzle-reading/1", "dizzle-new/1"]


def read_truth_files(
    folder: Path, format: str, kind: type[Truth], check: Callable[[Truth], None]
) -> Iterator[tuple[Path, Truth]]:
    """Yield each photo of a folder that has a truth file of this format, sorted by name.

    Args:
        folder: the folder. It can also have truth files of the other format, which are left out.
        format: format of the truth files.
        kind: class of the truth.
        check: raises ValueError, with a sentence, if a truth is invalid.

    Raises:
        TruthError: a truth file is invalid.
    """
    for photo in sorted(folder.iterdir()):
        file = photo.with_suffix(".json")
        if photo.suffix.lower() not in PHOTO_SUFFIXES or not file.exists():
            continue
        try:
            text = file.read_bytes()
            if msgspec.json.decode(text, type=_AnyTruth).format != format:
                continue
            truth = msgspec.json.decode(text, type=kind)
            check(truth)
        except msgspec.ValidationError as error:
            raise TruthError(f"{file}: {error}") from error
        except (RecursionError, msgspec.DecodeError) as error:
            raise TruthError(f"{file}: is not one JSON document: {error}") from error
        except (OSError, ValueError) as error:
            raise TruthError(f"{file}: {error}") from error
        yield photo, truth


def evaluate_photo(
    evaluation: Evaluation,
    data: bytes,
    truth: PhotoTruth,
    levels: Sequence[Level],
    known: Sequence[Level],
) -> None:
    """Read a photo with the levels of `read_photo`, and count the result."""
    reading, times = measure_relative_time(data, lambda: read_photo(data, levels, known=known))
    evaluation.times.append(times)
    sheets = [sheet for sheet in reading.sheets if not sheet.refused]
    found = _match_sheets(sheets, truth.sheets)
    for number, true in enumerate(truth.sheets):
        if number in found:
            evaluation.add(found[number], true.true_marks)
        else:
            evaluation.refuse()


def _match_sheets(
    sheets: Sequence[SheetReading], truths: Sequence[SheetTruth]
) -> dict[int, SheetReading]:
    """Return the read sheet of each truth, by the truth's index; a sheet matches one truth at most.

    Sheets of one level match by number; those of the same number, such as loose prints of one page,
    by the agreement of their marks.
    """
    pairs = [
        (
            bool(true.number) and sheet.number == true.number,
            agreement(sheet, true),
            of_truth,
            of_sheet,
        )
        for of_truth, true in enumerate(truths)
        for of_sheet, sheet in enumerate(sheets)
        if sheet.layout and sheet.layout.level.id == true.level
    ]
    found: dict[int, int] = {}
    for _same, _share, of_truth, of_sheet in sorted(pairs, key=lambda pair: (-pair[0], -pair[1])):
        if of_truth not in found and of_sheet not in found.values():
            found[of_truth] = of_sheet
    return {of_truth: sheets[of_sheet] for of_truth, of_sheet in found.items()}


def agreement(sheet: SheetReading, true: SheetTruth) -> float:
    """Return the share of a sheet's fields that agree with the truth."""
    fields, best = true.true_marks.fields, sheet.best()
    return sum(fields.get(at, EMPTY) == kind for at, (kind, _sure) in best.items()) / len(best)


def check_printed_truth(truth: PhotoTruth, levels: Sequence[Level]) -> None:
    """Raise ValueError, with a sentence, if a marked field is none of its level."""
    known = {level.id: level for level in levels}
    for sheet in truth.sheets:
        if level := known.get(sheet.level or ""):
            sheet.check_fields(level)

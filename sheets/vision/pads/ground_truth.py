"""Ground truth for photos of pads, and the evaluation against it.

Truth files of empty sheets are outputs of `manage.py read --new`, and those of filled sheets are
outputs of `manage.py read --blank`, both corrected by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from sheets.rules.level import Level, format_field, parse_field
from sheets.vision.evaluation import Evaluation, TrueMarks
from sheets.vision.ground_truth import PhotoTruth, SheetTruth, agreement
from sheets.vision.pads.empty_sheet_reading import (
    HOLE,
    UNREAD,
    EmptySheetReading,
    FieldReading,
    read_empty_sheet,
)
from sheets.vision.pads.evaluation import EmptySheetEvaluation, TrueField
from sheets.vision.pads.filled_sheet_reading import read_filled_sheet
from sheets.vision.pads.lattice import MAX_ROWS
from sheets.vision.pads.template import Template
from sheets.vision.reading import SheetReading
from sheets.vision.timing import measure_relative_time

Cell = tuple[int, int]
"""Column and row of a field in its grid, from 0."""


class EmptySheetTruth(Struct):
    """Ground truth of an empty sheet: a corrected ``dizzle-new/1``; other keys are ignored.

    Digits can also be those that the classifier does not know. Fields without a group have no
    symbol.
    """

    format: Literal["dizzle-new/1"]
    grid: list[list[Literal[".", "?", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]]]
    groups: list[list[str]] = []

    def __post_init__(self) -> None:
        """Raise ValueError, with a sentence, if grid and groups do not fit together."""
        if max(len(self.grid), *map(len, self.grid), 0) > MAX_ROWS:
            raise ValueError(f"the grid has more than {MAX_ROWS} rows or columns")
        names = {format_field(*at) for at in self._cells()}
        if not names:
            raise ValueError("the grid has no field")
        found: set[str] = set()
        for name in (name for group in self.groups for name in group):
            if name not in names:
                raise ValueError(f"groups: {name} is no field of the grid")
            if name in found:
                raise ValueError(f"groups: {name} is there twice")
            found.add(name)

    def fields(self) -> dict[Cell, TrueField]:
        """Return all fields of the sheet."""
        groups = {name: i for i, group in enumerate(self.groups) for name in group}
        return {
            at: TrueField(None if token == UNREAD else int(token), groups.get(format_field(*at)))
            for at, token in self._cells().items()
        }

    def _cells(self) -> dict[Cell, str]:
        return {
            (x, y): token
            for y, row in enumerate(self.grid)
            for x, token in enumerate(row)
            if token != HOLE
        }


def evaluate_empty_sheet(
    evaluation: EmptySheetEvaluation, data: bytes, truth: EmptySheetTruth
) -> None:
    """Read a photo of an empty sheet, and count the result."""
    sheet, times = measure_relative_time(data, lambda: read_empty_sheet(data))
    evaluation.times.append(times)
    fields = truth.fields()
    if sheet.refused:
        evaluation.refuse(fields.values())
        return
    seen = _align(sheet, fields)
    pairs = [(true, seen.pop(at)) for at, true in fields.items() if at in seen]
    evaluation.add(fields.values(), pairs, seen.values())


def _align(sheet: EmptySheetReading, fields: Mapping[Cell, TrueField]) -> dict[Cell, FieldReading]:
    """Return the fields of a reading by their cell in the grid of the ground truth.

    If the reading has an additional row or column at the left or the top, or lacks one, its fields
    have other names. So its grid is moved to where most digits agree.
    """
    seen = {parse_field(one.name): one for one in sheet.fields}
    votes = Counter(
        (x - left, y - top)
        for (left, top), one in seen.items()
        for (x, y), true in fields.items()
        if one.digit is not None and one.digit == true.digit
    )
    by_x, by_y = min(votes, key=lambda by: (-votes[by], abs(by[0]) + abs(by[1])), default=(0, 0))
    return {(x + by_x, y + by_y): one for (x, y), one in seen.items()}


def check_filled_truth(truth: PhotoTruth, level: Level) -> None:
    """Raise ValueError, with a sentence, if a truth is not that of one sheet of the level."""
    if len(truth.sheets) != 1:
        raise ValueError(f"has {len(truth.sheets)} sheets, but a photo of a pad shows one")
    (sheet,) = truth.sheets
    if sheet.level not in (None, level.id):
        raise ValueError(f"is of the level {sheet.level}, not {level.id}")
    sheet.check_fields(level)


def evaluate_filled_sheet(
    evaluation: Evaluation, data: bytes, truth: SheetTruth, template: Template, level: Level
) -> bool:
    """Read a photo of a filled sheet, and count the result.

    If the orientation is ambiguous, the one with the marks of the truth is used, as if the user had
    chosen it. Numbers of flags and races are not read on pads, so they do not count.

    Returns:
        Whether the orientation was ambiguous.
    """
    reading, times = measure_relative_time(data, lambda: read_filled_sheet(data, template, level))
    evaluation.times.append(times)
    sheets = list(reading.sheets)
    if is_ambiguous := len(reading.turns) > 1:
        for turn in reading.turns:
            sheets += read_filled_sheet(data, template, level, turn).sheets
    read: list[SheetReading] = [sheet for sheet in sheets if not sheet.refused]
    if read:
        sheet = max(read, key=lambda one: agreement(one, truth))
        evaluation.add(sheet, TrueMarks(truth.true_marks.fields, {}))
    else:
        evaluation.refuse()
    return is_ambiguous

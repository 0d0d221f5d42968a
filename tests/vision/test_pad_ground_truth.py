"""Ground truth of pads, and its comparison with readings."""

from __future__ import annotations

import pytest
from msgspec import convert

from sheets.rules import Level
from sheets.vision.evaluation import Evaluation
from sheets.vision.ground_truth import SheetTruth
from sheets.vision.pads import ground_truth
from sheets.vision.pads.empty_sheet_reading import EmptySheetReading, read_empty_sheet
from sheets.vision.pads.evaluation import EmptySheetEvaluation
from sheets.vision.pads.filled_sheet_reading import FilledReading, read_filled_sheet
from sheets.vision.pads.ground_truth import (
    EmptySheetTruth,
    evaluate_empty_sheet,
    evaluate_filled_sheet,
)
from sheets.vision.pads.template import Template, make_template
from sheets.vision.reading import Reading, sheet_document
from tests.vision.filled_sheet_shots import take_filled_sheet
from tests.vision.test_pad_evaluation import seen


@pytest.mark.parametrize("by", [-1, 0, 1])
def test_an_additional_or_missing_row_moves_no_field(
    monkeypatch: pytest.MonkeyPatch, by: int
) -> None:
    """The names of a reading's fields depend on its first row and column."""
    truth = EmptySheetTruth("dizzle-new/1", [[".", ".", "."], [".", "1", "2"], [".", "3", "?"]])
    digits = {"b2": 1, "c2": 2, "b3": 3, "c3": None, "c4": 5}
    fields = [
        seen(digit, name=f"{chr(ord(name[0]) + by)}{int(name[1]) + by}")
        for name, digit in digits.items()
    ]
    monkeypatch.setattr(
        ground_truth, "read_empty_sheet", lambda _data: EmptySheetReading(None, fields)
    )
    evaluation = EmptySheetEvaluation()
    evaluate_empty_sheet(evaluation, b"", truth)
    assert evaluation.counts.share("right", "digits") == 100
    assert evaluation.counts.share("found", "fields") == 100
    assert evaluation.counts.total("phantoms not asked about") == 1


@pytest.mark.slow
def test_the_right_one_of_several_orientations_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    leaf = take_filled_sheet(32)
    template, level = make_template(read_empty_sheet(leaf.empty)), leaf.pad.level
    right = read_filled_sheet(leaf.jpeg, template, level)
    (turn,) = right.turns
    turns = ((turn + 2) % 4, turn)

    def read(data: bytes, template: Template, level: Level, turn: int | None = None) -> Reading:
        if turn is None:
            return FilledReading("does-not-fit", [], turns=turns)
        return read_filled_sheet(leaf.jpeg if turn == turns[1] else leaf.empty, template, level)

    monkeypatch.setattr(ground_truth, "read_filled_sheet", read)
    truth = convert(sheet_document(right.sheets[0]), SheetTruth)
    evaluation = Evaluation()
    assert evaluate_filled_sheet(evaluation, leaf.jpeg, truth, template, level)
    assert evaluation.share("fields", "right") == 100
    assert evaluation.share("sheets", "refused") == 0

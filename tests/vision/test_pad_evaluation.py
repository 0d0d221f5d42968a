"""Counting of fields, digits and pairs of symbols on empty sheets of pads."""

from __future__ import annotations

import numpy as np
import pytest

from sheets.vision.pads.empty_sheet_reading import FieldReading
from sheets.vision.pads.evaluation import (
    EmptySheetEvaluation,
    FieldPair,
    TrueField,
    format_empty_evaluations,
)


def seen(
    digit: int | None, group: int = 0, confidence: float = 1.0, name: str = "a1"
) -> FieldReading:
    """Return the reading of a field."""
    return FieldReading(name, digit, confidence, np.zeros((4, 2)), group, 1)


def like(*groups: int) -> list[FieldPair]:
    """Return fields with the same digit and symbol, read into these groups."""
    return [(TrueField(1, "star"), seen(1, group)) for group in groups]


def add(evaluation: EmptySheetEvaluation, *pairs: FieldPair) -> None:
    evaluation.add([true for true, _seen in pairs], pairs, [])


def test_a_sheet_with_many_pairs_counts_as_much_as_one_with_few() -> None:
    evaluation = EmptySheetEvaluation()
    add(evaluation, *like(0, 0, 1))  # 1 of 3 pairs together
    add(evaluation, *like(0, 0), (TrueField(2, "heart"), seen(2, 0)))  # 1 of 1; 2 of 2 mixed
    add(evaluation, (TrueField(3, None), seen(3)), (TrueField(3, None), seen(3)))  # no symbols
    assert evaluation.share("together", "like") == 50
    assert evaluation.mean_share("together", "like") == pytest.approx(100 * (1 / 3 + 1) / 2)
    assert evaluation.share("mixed", "unlike") == evaluation.mean_share("mixed", "unlike") == 100
    table = format_empty_evaluations({"easy": evaluation})
    assert "like symbols together          50.00 %" in table
    assert "like, mean per sheet           66.67 %" in table


def test_digits_that_are_asked_about_are_not_confident_and_wrong() -> None:
    evaluation = EmptySheetEvaluation()
    add(
        evaluation,
        (TrueField(1, None), seen(1)),
        (TrueField(1, None), seen(2, confidence=0.5)),
        (TrueField(7, None), seen(1)),
        (TrueField(None, None), seen(4)),
    )
    evaluation.refuse([TrueField(1, None)])
    percent = {part: evaluation.share(part, "digits") for part in ("right", "asked", "sure wrong")}
    assert percent == {"right": 25, "asked": 25, "sure wrong": 50}
    assert evaluation.share("found", "fields") == 80
    assert evaluation.share("refused", "sheets") == 50

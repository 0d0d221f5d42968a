"""Counting of fields, digits and pairs of symbols on empty sheets of pads."""

from __future__ import annotations

import numpy as np
import pytest

from sheets.vision.evaluation import LABEL, SheetCounts
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
    assert evaluation.counts.share("together", "like") == 50
    assert evaluation.counts.mean_share("together", "like") == pytest.approx(100 * (1 / 3 + 1) / 2)
    assert (
        evaluation.counts.share("mixed", "unlike")
        == evaluation.counts.mean_share("mixed", "unlike")
        == 100
    )
    table = format_empty_evaluations({"easy": evaluation})
    rows = {line[:LABEL].strip(): line[LABEL:].strip() for line in table.splitlines()}
    assert rows["like symbols together"] == "50.00 % (33.33-100.00)"
    assert rows["like, mean per sheet"] == "66.67 %"


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
    percent = {
        part: evaluation.counts.share(part, "digits") for part in ("right", "asked", "sure wrong")
    }
    assert percent == {"right": 25, "asked": 25, "sure wrong": 50}
    assert evaluation.counts.share("found", "fields") == 80
    assert evaluation.counts.share("refused", "sheets") == 50


def test_an_interval_depends_on_the_sheets_and_not_on_their_fields() -> None:
    """100 sheets with 50 fields each, of which half are read entirely wrong."""
    counts = SheetCounts()
    for number in range(100):
        counts.add_sheet().update(fields=50, right=50 * (number % 2))
    low, high = counts.interval("right", "fields") or (0, 0)
    # The standard deviation of a share of 100 sheets is 5 %.
    assert low == pytest.approx(40, abs=2)
    assert high == pytest.approx(60, abs=2)
    assert counts.interval("right", "nothing") is None

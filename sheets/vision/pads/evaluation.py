"""Evaluation of readings of empty sheets against their ground truth: fields, digits and groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from sheets.vision.evaluation import SheetCounts, format_table, format_times
from sheets.vision.pads.empty_sheet_reading import FieldReading
from sheets.vision.reading import MIN_CONFIDENCE

ROWS: Final = (
    ("sheets refused", "refused", "sheets"),
    ("fields found", "found", "fields"),
    ("digits right", "right", "digits"),
    ("sure and wrong", "sure wrong", "digits"),
    ("digits to ask about", "asked", "digits"),
    ("like symbols together", "together", "like"),
    ("unlike symbols together", "mixed", "unlike"),
)
"""Rows of the table: label, count, and the count that it is a share of."""

MEANS: Final = (
    ("like, mean per sheet", "together", "like"),
    ("unlike, mean per sheet", "mixed", "unlike"),
)
"""Rows of the means per sheet. A sheet with many pairs counts as much as one with few."""

COUNTED: Final = (
    *("sheets", "fields", "phantoms asked about", "phantoms not asked about", "groups", "symbols"),
)
"""Counts to print. A phantom is a reading of a field that does not exist."""


class TrueField(NamedTuple):
    """Ground truth of a field: its digit and its symbol, each None if it has none.

    Symbols are equal if and only if they look alike.
    """

    digit: int | None
    symbol: Hashable | None


FieldPair = tuple[TrueField, FieldReading]
"""Ground truth and reading of the same field."""


class EmptySheetEvaluation:
    """Counts of fields, digits and pairs of symbols over all empty sheets that are added."""

    def __init__(self) -> None:
        self.counts = SheetCounts()
        self.times: list[float | None] = []

    def refuse(self, fields: Collection[TrueField]) -> None:
        """Count a sheet that was not read."""
        self._add_sheet(fields)["refused"] += 1

    def add(
        self,
        fields: Collection[TrueField],
        pairs: Sequence[FieldPair],
        phantoms: Collection[FieldReading],
    ) -> None:
        """Count a reading.

        Args:
            fields: all fields of the sheet.
            pairs: the fields that were found, with their readings.
            phantoms: readings of fields that do not exist.
        """
        counts = self._add_sheet(fields)
        for one in phantoms:
            is_sure = one.digit is not None and one.confidence >= MIN_CONFIDENCE
            counts["phantoms not asked about" if is_sure else "phantoms asked about"] += 1
        counts["found"] += len(pairs)
        for true, seen in pairs:
            is_sure = seen.confidence >= MIN_CONFIDENCE
            if true.digit is not None:
                counts["right"] += seen.digit == true.digit
                counts["asked"] += not is_sure
            counts["sure wrong"] += is_sure and seen.digit != true.digit
        counts["groups"] += len({seen.group for _true, seen in pairs})
        counts["symbols"] += len({true.symbol for true, _seen in pairs})
        counts.update(count_symbol_pairs(pairs))

    def _add_sheet(self, fields: Collection[TrueField]) -> Counter[Hashable]:
        counts = self.counts.add_sheet()
        counts["sheets"] += 1
        counts["fields"] += len(fields)
        counts["digits"] += sum(one.digit is not None for one in fields)
        return counts


def count_symbol_pairs(pairs: Sequence[FieldPair]) -> Counter[str]:
    """Count pairs of fields, by whether their symbols are equal and whether the groups are.

    ``like`` and ``unlike`` count pairs of fields with equal and with different symbols,
    ``together`` and ``mixed`` those of them with the same group. Pairs without any symbol are left
    out.
    """
    counts: Counter[str] = Counter()
    for (true, seen), (other, other_seen) in combinations(pairs, 2):
        if true.symbol is None and other.symbol is None:
            continue
        is_like = true.symbol == other.symbol
        counts["like" if is_like else "unlike"] += 1
        counts["together" if is_like else "mixed"] += seen.group == other_seen.group
    return counts


def format_empty_evaluations(checks: Mapping[str, EmptySheetEvaluation]) -> str:
    """Format a table with a column per evaluation, with 95 % confidence intervals."""
    every = [one.counts for one in checks.values()]
    rows: list[tuple[str, list[str]]] = [("empty sheets", list(checks))]
    rows += [
        (label, [one.format_share(part, whole) for one in every]) for label, part, whole in ROWS
    ]
    for label, part, whole in MEANS:
        means = [one.mean_share(part, whole) for one in every]
        rows.append((label, ["-" if mean is None else f"{mean:.2f} %" for mean in means]))
    rows += [(label, [str(one.total(label)) for one in every]) for label in COUNTED]
    rows += format_times([one.times for one in checks.values()])
    return format_table(rows)

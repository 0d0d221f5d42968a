"""How well were photos read whose truth is known?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from sheets.rules.level import SHAPES
from sheets.scanning.kinds import EMPTY
from sheets.scanning.reading import SURE, SheetReading

BINS: Final = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)
"""Where one group of answers ends that are about equally sure."""


class OnPaper(NamedTuple):
    """What is on a sheet: the kind of each field that is marked, and the numbers that were got."""

    fields: Mapping[str, str]
    numbers: Mapping[str, int]


class Check:
    """Counts answers, over as many sheets as are added."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._told: Counter[tuple[float, bool]] = Counter()
        self._times: list[float] = []

    def refuse(self) -> None:
        """Count a sheet that is there and was not read."""
        self._counts["sheets", "all"] += 1
        self._counts["sheets", "refused"] += 1

    def add(self, sheet: SheetReading, truth: OnPaper) -> None:
        """Compare a sheet that was read with what is on it."""
        self._counts["sheets", "all"] += 1
        for name, (kind, sure) in sheet.best().items():
            if len(sheet.answers[name]) == 1:  # printed: nothing is told of it
                continue
            true = truth.fields.get(name, EMPTY)
            self._count("fields", kind == true, sure)
            if kind in SHAPES or true in SHAPES:
                self._count("tracks", kind == true, sure)
        for track, (points, sure) in sheet.best_numbers().items():
            true_number = truth.numbers.get(track)
            if points is not None or true_number is not None:
                self._count("numbers", points == true_number, sure)

    def _count(self, what: str, is_right: bool, sure: float) -> None:
        self._counts[what, "all"] += 1
        self._counts[what, "right"] += is_right
        self._counts[what, "unsure"] += sure < SURE
        self._counts[what, "bad"] += sure >= SURE and not is_right
        if what == "fields":
            self._told[next(end for end in BINS if sure <= end), is_right] += 1

    def time(self, times: float | None) -> None:
        """Count how many times the floor a photo took, see `sheets.scanning.timed`."""
        if times is not None:
            self._times.append(times)

    @property
    def timed(self) -> int:
        """How many photos a time is told of."""
        return len(self._times)

    def times(self, share: float) -> float | None:
        """What this share of the photos took at most, as times the floor; None of none."""
        return float(np.quantile(self._times, share)) if self._times else None

    def share(self, what: str, how: str) -> float | None:
        """In percent, of ``fields``, ``tracks``, ``numbers`` or ``sheets``; None of nothing."""
        total = self._counts[what, "all"]
        return 100 * self._counts[what, how] / total if total else None

    def count(self, what: str) -> int:
        """How many there were."""
        return self._counts[what, "all"]

    def reliability(self) -> list[tuple[float, int, float]]:
        """Of answers that are about equally sure: at most how sure, how many, percent right."""
        rows = []
        for end in BINS:
            right, wrong = self._told[end, True], self._told[end, False]
            if right + wrong:
                rows.append((end, right + wrong, 100 * right / (right + wrong)))
        return rows


ROWS: Final = (
    ("fields right", "fields", "right"),
    ("sure and wrong", "fields", "bad"),
    ("unsure", "fields", "unsure"),
    ("sheets refused", "sheets", "refused"),
    ("tracks right", "tracks", "right"),
    ("sure and wrong", "tracks", "bad"),
    ("numbers right", "numbers", "right"),
    ("sure and wrong", "numbers", "bad"),
)


def format_checks(checks: Mapping[str, Check]) -> str:
    """A table with a column for each; the time is what 95 % of the photos took at most."""
    lines = [f"{'':16}" + "".join(f"{name:>12}" for name in checks)]
    for label, what, how in ROWS:
        shares = [check.share(what, how) for check in checks.values()]
        cells = ["-" if share is None else f"{share:.2f} %" for share in shares]
        lines.append(f"{label:16}" + "".join(f"{cell:>12}" for cell in cells))
    for label, share in (("time / floor", 0.95), ("its median", 0.5)):
        times = [check.times(share) for check in checks.values()]
        cells = ["-" if one is None else f"{one:.1f}" for one in times]
        lines.append(f"{label:16}" + "".join(f"{cell:>12}" for cell in cells))
    counts = "".join(f"{check.timed:>12}" for check in checks.values())
    lines.append(f"{'photos timed':16}{counts}")
    for what in ("fields", "tracks", "numbers", "sheets"):
        counts = "".join(f"{check.count(what):>12}" for check in checks.values())
        lines.append(f"{what:16}{counts}")
    return "\n".join(lines)

"""One table of what the scenarios found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

HEADINGS = (
    "scenario", "acts", "acknowledged", "lost", "doubled", "unexplained", "seconds", "slowest s",
)  # fmt: skip


class Row(NamedTuple):
    """One scenario: its counts, or why it was not run."""

    scenario: str
    acts: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    reasons: Mapping[str, int] = {}  # never changed
    seconds: float = 0.0
    slowest_s: float = 0.0
    not_run: str = ""

    @property
    def unexplained(self) -> int:
        """How many answers, or other things, nobody explains."""
        return sum(self.reasons.values())

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost, done twice or left unexplained."""
        return not (self.lost or self.doubled or self.unexplained)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The lines of the table, and under it what was unexplained."""
    width = max(len(row.scenario) for row in rows) + 2
    yield HEADINGS[0].ljust(width) + "".join(name.rjust(14) for name in HEADINGS[1:])
    for row in rows:
        name = row.scenario.ljust(width)
        if row.not_run:
            yield f"{name}  not run: {row.not_run}"
            continue
        counts = (row.acts, row.acknowledged, row.lost, row.doubled, row.unexplained)
        texts = [str(count) for count in counts] + [f"{row.seconds:.0f}", f"{row.slowest_s:.1f}"]
        yield name + "".join(text.rjust(14) for text in texts)
    for row in rows:
        for reason, times in Counter(row.reasons).most_common(8):
            yield f"  {row.scenario}: {times} x {reason}"


def verdict(rows: Sequence[Row]) -> tuple[str, int]:
    """The last line, and the exit code: 0 only if everything that ran is clean."""
    ran = [row for row in rows if not row.not_run]
    dirty = [row.scenario for row in ran if not row.is_clean]
    left_out = len(rows) - len(ran)
    rest = f"; {left_out} not run" if left_out else ""
    if dirty:
        return f"Not all is 0: {', '.join(dirty)}{rest}.", 1
    if not ran:
        return f"Nothing was run{rest}.", 1
    return f"All 0 in {len(ran)} scenarios{rest}.", 0

"""Report of the soak test: one table of counts, then the evidence for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from tests.soak.ledger import Findings

HEADINGS: Final = (
    "scenario", "actions", "acknowledged", "lost", "doubled", "unexplained", "seconds", "slowest s",
)  # fmt: skip
MAX_REASONS: Final = 8
"""Maximum number of unexplained reasons printed for a scenario, the most frequent first."""

MAX_FINDINGS: Final = 10
"""Maximum number of lost and of doubled actions printed for a scenario; all are counted."""

MAX_LOGS: Final = 3
"""Maximum number of tables whose whole log is printed for a scenario."""


class Row(NamedTuple):
    """One scenario: its counts with their evidence, or why it was not run."""

    scenario: str
    actions: int = 0
    acknowledged: int = 0
    findings: Findings = Findings()
    reasons: Mapping[str, int] = {}  # never changed
    seconds: float = 0.0
    slowest_s: float = 0.0
    not_run: str = ""

    @property
    def unexplained(self) -> int:
        """Number of answers, and other events, without an explanation."""
        return sum(self.reasons.values())

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost, done twice or left unexplained."""
        return not (self.findings.lost or self.findings.doubled or self.unexplained)


def format_report(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the lines of the table, and below it the evidence of each scenario."""
    width = max(len(row.scenario) for row in rows) + 2
    yield HEADINGS[0].ljust(width) + "".join(name.rjust(14) for name in HEADINGS[1:])
    for row in rows:
        name = row.scenario.ljust(width)
        if row.not_run:
            yield f"{name}  not run: {row.not_run}"
            continue
        lost, doubled = len(row.findings.lost), len(row.findings.doubled)
        counts = (row.actions, row.acknowledged, lost, doubled, row.unexplained)
        texts = [str(count) for count in counts] + [f"{row.seconds:.0f}", f"{row.slowest_s:.1f}"]
        yield name + "".join(text.rjust(14) for text in texts)
    for row in rows:
        for line in _evidence(row):
            yield f"  {row.scenario}: {line}"


def _evidence(row: Row) -> Iterator[str]:
    for reason, times in Counter(row.reasons).most_common(MAX_REASONS):
        yield f"{times} x {reason}"
    lost, doubled, logs = row.findings
    for kind, findings in (("lost", lost), ("doubled", doubled)):
        for finding in findings[:MAX_FINDINGS]:
            yield f"{kind} at table {finding.code}: {finding.text}"
        if (more := len(findings) - MAX_FINDINGS) > 0:
            yield f"{more} more {kind}"
    for code, lines in list(logs.items())[:MAX_LOGS]:
        yield f"log of table {code}, {len(lines)} entries:"
        yield from lines


def verdict(rows: Sequence[Row]) -> tuple[str, int]:
    """Return the last line, and the exit code: 0 only if everything that ran is clean."""
    ran = [row for row in rows if not row.not_run]
    dirty = [row.scenario for row in ran if not row.is_clean]
    left_out = len(rows) - len(ran)
    rest = f"; {left_out} not run" if left_out else ""
    if dirty:
        return f"Not all is 0: {', '.join(dirty)}{rest}.", 1
    if not ran:
        return f"Nothing was run{rest}.", 1
    return f"All 0 in {len(ran)} scenarios{rest}.", 0

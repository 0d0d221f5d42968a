"""Kinds of jobs, and the functions that run them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from sheets.analysis.jobs import make_look
from sheets.groups.given import take_over_of
from sheets.jobs.worker import JobKind
from sheets.simulation.balance.jobs import make_report

KINDS: Final[Mapping[str, JobKind]] = {
    "report": make_report,
    "look": partial(make_look, on_first=take_over_of),
}
"""By `Job.kind`."""

"""Kinds of jobs, and the functions that run them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sheets.analysis.jobs import make_look
from sheets.jobs.worker import JobKind
from sheets.simulation.balance.jobs import make_report

KINDS: Final[Mapping[str, JobKind]] = {
    "report": make_report,
    "look": make_look,
}
"""Function that runs the jobs of each kind, by `Job.kind`."""

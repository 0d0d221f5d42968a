"""Kinds of jobs, and the functions that run them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sheets.analysis.jobs import run_analysis
from sheets.jobs.worker import JobKind
from sheets.simulation.balance.jobs import make_report

KINDS: Final[Mapping[str, JobKind]] = {
    "report": make_report,
    "look": run_analysis,
}
"""Function that runs the jobs of each kind, by `Job.kind`."""

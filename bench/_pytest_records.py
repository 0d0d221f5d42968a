"""pytest for `bench/mutants.py`: run chosen tests in this process and record their outcomes.

Arguments: the file for the records, a file with the chosen tests as JSON (``null``: all tests), and
the arguments of pytest.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import pytest

OWN_PROCESSES: Final = "own_servers"
"""Marker of tests with processes that coverage does not measure."""

MEMORY_LIMIT: Final = 4 * 1024**3
"""Maximum memory of a process in bytes, because a mutant may fill a list without end."""


class Recorder:
    """pytest plugin that keeps the chosen tests and appends one line of JSON per event.

    The lines of a process that is killed are complete up to then.
    """

    def __init__(self, output: Path, chosen: Collection[str] | None) -> None:
        self.output, self.chosen = output, chosen

    def write(
        self, test: str, outcome: str, seconds: float = 0, has_processes: bool = False
    ) -> None:
        """Append one record."""
        with self.output.open("a") as file:
            file.write(json.dumps((test, outcome, seconds, has_processes)) + "\n")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the chosen tests."""
        if self.chosen is not None:
            items[:] = [item for item in items if item.nodeid in self.chosen]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a file that cannot be imported."""
        if report.failed:
            self.write(report.nodeid, "failed")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Record the beginning of a test."""
        self.write(nodeid, "started")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Record one of the three phases of a test."""
        has_processes = OWN_PROCESSES in report.keywords
        self.write(report.nodeid, report.outcome, report.duration, has_processes)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, resource.RLIM_INFINITY))
    sys.path[0] = os.getcwd()  # as with `python -m pytest`, instead of the folder of this script
    records, chosen, *arguments = sys.argv[1:]
    only = json.loads(Path(chosen).read_text())
    recorder = Recorder(Path(records), None if only is None else frozenset(only))
    sys.exit(pytest.main(arguments, plugins=[recorder]))

"""Parameters of scenarios, their registry, and the sites they start."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from tests.soak import services
from tests.soak.ledger import Ledger
from tests.soak.load import Load
from tests.soak.processes import DidNotStart, Program, wait_until
from tests.soak.sites import Site, one_process, several_processes

ACTS_WITHIN_S: Final = 60.0
"""Maximum time for a few dozen actions, on a busy machine too, while nothing is broken."""


class Trial(NamedTuple):
    """Parameters of one run of a scenario."""

    folder: Path
    ledger: Ledger
    random: Random
    closing: threading.Event
    variables: dict[str, str]
    kills: int
    seconds: float

    def wait(self, seconds: float) -> None:
        """Let the players play for a while. Raises DidNotStart if the soak test is interrupted."""
        if self.closing.wait(seconds):
            raise DidNotStart("interrupted")

    def wait_for_actions(self, load: Load, count: int, within_s: float = ACTS_WITHIN_S) -> None:
        """Let the players play until ``count`` more actions are acknowledged.

        Complains when that takes longer than ``within_s``: nothing is broken while this waits, so
        either the site is stuck or the load is. Raises DidNotStart if the soak test is interrupted.
        """
        enough = load.acknowledged + count
        try:
            wait_until(
                lambda: load.acknowledged >= enough or self.closing.is_set(), "actions", within_s
            )
        except DidNotStart:
            self.ledger.complain("players who could act did not for a minute")
        self.wait(0)


Scenario = Callable[[Trial, ExitStack], Site]
"""Function of a scenario: returns its site, to be stopped and read before the stack is closed."""

SCENARIOS: dict[str, Scenario] = {}
"""Scenarios by name, in the order of their start: the long ones first."""


def scenario(run: Scenario) -> Scenario:
    """Register a scenario under its name."""
    SCENARIOS[run.__name__.replace("_", "-")] = run
    return run


def small_site(trial: Trial, stack: ExitStack, **options: object) -> Site:
    """Serve a site of one process, or of several processes on one folder."""
    site = one_process(trial.folder, trial.closing, **options, **trial.variables)  # type: ignore[arg-type]
    stack.callback(site.kill)
    site.start()
    return site


class Large(NamedTuple):
    """A site of several processes, and its PostgreSQL server."""

    site: Site
    postgresql: Program
    postgresql_url: str


def large_site(trial: Trial, stack: ExitStack) -> Large:
    """Serve a site with gunicorn, uvicorn and PostgreSQL. Raises NotHere."""
    postgresql, url = stack.enter_context(services.postgresql(trial.folder))
    variables = {"DATABASE_URL": url, **trial.variables}
    site = several_processes(trial.folder, trial.closing, **variables)
    stack.callback(site.kill)
    site.manage("prepare")
    site.start()
    return Large(site, postgresql, url)

"""What does a scenario get, and which sites does it start?"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from . import services
from .ledger import Ledger
from .load import Load
from .processes import DidNotStart, Program, wait_until
from .sites import Site, one_process, several_processes

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
        """Let the players play for a while. Raises DidNotStart when all is to end."""
        if self.closing.wait(seconds):
            raise DidNotStart("interrupted")

    def wait_for_actions(self, load: Load, count: int, within_s: float = ACTS_WITHIN_S) -> None:
        """Let the players play until ``count`` more actions are acknowledged.

        Complains when that takes longer than ``within_s``: nothing is broken while this waits, so
        either the site is stuck or the load is. Raises DidNotStart when all is to end.
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
"""Gives its site, which is then stopped and read; what it stands on lasts as long as the stack."""

SCENARIOS: dict[str, Scenario] = {}
"""By name, in the order in which they are begun: the long ones first."""


def scenario(run: Scenario) -> Scenario:
    """Let a function be run under its name."""
    SCENARIOS[run.__name__.replace("_", "-")] = run
    return run


def small_site(trial: Trial, stack: ExitStack, **options: object) -> Site:
    """A site of one process, or of several on one folder, that is served."""
    site = one_process(trial.folder, trial.closing, **options, **trial.variables)  # type: ignore[arg-type]
    stack.callback(site.kill)
    site.start()
    return site


class Large(NamedTuple):
    """A site of several processes and what it stands on."""

    site: Site
    postgresql: Program
    postgresql_url: str


def large_site(trial: Trial, stack: ExitStack) -> Large:
    """gunicorn, uvicorn and PostgreSQL, all running. Raises NotHere."""
    postgresql, url = stack.enter_context(services.postgresql(trial.folder))
    variables = {"DATABASE_URL": url, **trial.variables}
    site = several_processes(trial.folder, trial.closing, **variables)
    stack.callback(site.kill)
    site.manage("prepare")
    site.start()
    return Large(site, postgresql, url)

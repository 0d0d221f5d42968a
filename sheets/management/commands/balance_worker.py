"""`manage.py balance_worker`: run queued jobs, then end (started by `sheets.jobs.worker`)."""

from __future__ import annotations

import os
import signal
from typing import Any

from django.core.management.base import BaseCommand

from sheets.jobs import worker
from sheets.jobs.kinds import KINDS


class Command(BaseCommand):
    """``balance_worker``."""

    help = (
        "Makes the balance reports and the analyses of games that people wait for, then ends. "
        "The server starts it itself."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Run jobs with low priority until none waits or a signal stops this process."""
        if hasattr(os, "nice"):
            os.nice(10)  # requests of players have priority
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, worker.stop)
        self.stdout.write(f"Done: {worker.run_jobs(KINDS)}.")

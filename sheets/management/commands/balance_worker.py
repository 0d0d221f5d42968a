"""Make the balance reports that are waited for, then end. The server starts this itself."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand

from sheets.simulation.balance import jobs


class Command(BaseCommand):
    """``balance_worker``."""

    help = "Makes the balance reports that people wait for, then ends. The server starts it itself."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Work, and say how much there was to do."""
        if hasattr(os, "nice"):
            os.nice(10)  # people who play come first
        self.stdout.write(f"Made {jobs.work()} balance reports.")

"""Make the reports and the looks at games that are waited for, then end. The server starts this."""

from __future__ import annotations

import os
from typing import Any

from django.core.management.base import BaseCommand

from sheets.beside import line
from sheets.beside.works import WORKS


class Command(BaseCommand):
    """``balance_worker``."""

    help = (
        "Makes the balance reports and the looks at games that people wait for, then ends. "
        "The server starts it itself."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Work, and say how much there was to do."""
        if hasattr(os, "nice"):
            os.nice(10)  # people who play come first
        self.stdout.write(f"Done: {line.work(WORKS)}.")

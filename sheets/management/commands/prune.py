"""Delete scorings, tallies, tables, game files and own levels nobody has touched for a while."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from sheets.access import devices
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from sheets.tables import game_files, seating
from sheets.workshop import store as workshop_store

MOST_DAYS = 36_500


class Command(BaseCommand):
    """``prune --days N``."""

    help = "Deletes scorings, tallies, tables, game files and own levels left alone for so long."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The one option."""
        parser.add_argument("--days", type=_days, required=True, help="how many days, 1 or more")

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete, and say how many."""
        before = timezone.now() - timedelta(days=options["days"])
        stores = (scoring_store, tally_store, seating, game_files, workshop_store)
        counts = [store.prune(before) for store in stores]
        devices.prune(before)
        said = "Deleted {} scorings, {} tallies, {} tables, {} game files, {} levels."
        self.stdout.write(said.format(*counts))


def _days(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:9]) <= MOST_DAYS:
        raise ArgumentTypeError(f"{text!r} is not a number of days from 1 to {MOST_DAYS}")
    return int(text)

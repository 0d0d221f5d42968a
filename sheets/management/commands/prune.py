"""`manage.py prune`: delete unused scorings, tallies, tables, game files, own levels and groups.

Games of groups are stored as numbers, and deleted with the group two years after its last visit.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils import timezone

from sheets.access import devices
from sheets.groups import keeping
from sheets.groups import store as group_store
from sheets.scoring import store as scoring_store
from sheets.scoring import tally_store
from sheets.tables import game_files, seating
from sheets.workshop import store as workshop_store

MAX_DAYS: Final = 36_500
"""Maximum of ``--days``: a hundred years."""


class Command(BaseCommand):
    """``prune --days N``."""

    help = "Deletes scorings, tallies, tables, game files and own levels left alone for so long."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--days``."""
        parser.add_argument("--days", type=_days, required=True, help="how many days, 1 or more")

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete unused resources, and print their numbers."""
        before = timezone.now() - timedelta(days=options["days"])
        stores = (scoring_store, tally_store, seating, game_files, workshop_store)
        keeping.keep_before_pruning(before)
        counts = [store.prune(before) for store in stores]
        groups = group_store.prune(timezone.now())
        devices.prune(before)
        said = "Deleted {} scorings, {} tallies, {} tables, {} game files, {} levels, {} groups."
        self.stdout.write(said.format(*counts, groups))


def _days(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:9]) <= MAX_DAYS:
        raise ArgumentTypeError(f"{text!r} is not a number of days from 1 to {MAX_DAYS}")
    return int(text)

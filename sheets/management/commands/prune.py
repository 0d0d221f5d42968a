"""`manage.py prune`: delete unused scorings, tallies, tables, game files, own levels and groups.

Groups are deleted two years after the last visit, with their games. A group stores its games as
numbers, so it keeps them when the tables and scorings of these games are deleted.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils import timezone

from sheets.access import devices
from sheets.groups import game_store
from sheets.groups.store import RETENTION
from sheets.models import GameFile, Group, Scoring, Table, Tally, WorkshopLevel
from sheets.models.keyed_resource import Keyed

MAX_DAYS: Final = 36_500
"""Maximum of ``--days``: a hundred years."""


class Command(BaseCommand):
    """``prune --days N``."""

    help = "Deletes scorings, tallies, tables, game files and own levels left alone for so long."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--days``."""
        parser.add_argument("--days", type=_days, required=True, help="how many days, 1 or more")

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete unused resources, and print how many of each kind."""
        before = timezone.now() - timedelta(days=options["days"])
        game_store.update_before_pruning(before)
        kinds: tuple[type[Keyed | Table], ...] = (Scoring, Tally, Table, GameFile, WorkshopLevel)
        counts = [delete_unused(kind, before) for kind in kinds]
        # A game whose next one is deleted can have another next one.
        Table.objects.exclude(next_code="").exclude(
            next_code__in=Table.objects.values("code")
        ).update(next_code="")
        groups = delete_unused(Group, timezone.now() - RETENTION)
        devices.prune(before)
        message = "Deleted {} scorings, {} tallies, {} tables, {} game files, {} levels, {} groups."
        self.stdout.write(message.format(*counts, groups))


def delete_unused(kind: type[Keyed | Table], before: datetime) -> int:
    """Delete the rows of a model that were last used before a time; return their number."""
    deleted = kind._default_manager.filter(touched__lt=before).delete()[1]
    return deleted.get(kind._meta.label, 0)


def _days(text: str) -> int:
    if not text.isdecimal() or len(text) > 9 or not 1 <= int(text) <= MAX_DAYS:
        raise ArgumentTypeError(f"{text!r} is not a number of days from 1 to {MAX_DAYS}")
    return int(text)

"""`manage.py prepare`: prepare data folder, database and static files for several servers."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dizzle_site.database_check import Unusable
from dizzle_site.preparation import check, prepare


class Command(BaseCommand):
    help = "Prepare the database and the static files, and say what was done."
    requires_system_checks = ()  # servers log them after their start, see `dizzle_site.checks`

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            check()
        except Unusable as problem:
            raise CommandError(str(problem)) from problem
        for sentence in prepare():
            self.stdout.write(sentence)

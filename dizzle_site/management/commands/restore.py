"""`manage.py restore FILE`: replace the data of the site with a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dizzle_site.backup import Refused
from dizzle_site.backup.restore import restore
from dizzle_site.database_check import Unusable


class Command(BaseCommand):
    help = "Let the site have what `backup` has written, of this version or an earlier one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the backup")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="also where the site has something already, which is lost then",
        )

    def handle(self, *args: Any, file: str, replace: bool, **options: Any) -> None:
        try:
            made = restore(Path(file), replace=replace)
        except (Refused, Unusable) as problem:
            raise CommandError(str(problem)) from problem
        except OSError as problem:
            raise CommandError(f"{file} cannot be restored: {problem.strerror}.") from problem
        self.stdout.write(f"Restored what was backed up at {made}.")

"""`manage.py backup FILE`: back up the site while it is in use."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from dizzle_site.backup import Refused
from dizzle_site.backup.writer import back_up
from dizzle_site.database_check import Unusable


class Command(BaseCommand):
    help = "Write all that the site has into one file, which is whole or not there at all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="where to; an older backup of that name is replaced")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            back_up(Path(file))
        except (Refused, Unusable) as problem:
            raise CommandError(str(problem)) from problem
        except OSError as problem:
            raise CommandError(f"{file} cannot be written: {problem.strerror}.") from problem
        size = Path(file).stat().st_size
        self.stdout.write(
            f"Wrote {file} ({size:,} bytes). Keep it from strangers: names are in it."
        )

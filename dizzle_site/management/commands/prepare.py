"""`manage.py prepare`: make everything ready without serving, before several servers start."""

from typing import Any

from django.core.management.base import BaseCommand

from dizzle_site.preparing import prepare


class Command(BaseCommand):
    help = "Prepare the database, the translations and the static files, and say what was done."

    def handle(self, *args: Any, **options: Any) -> None:
        for sentence in prepare():
            self.stdout.write(sentence)

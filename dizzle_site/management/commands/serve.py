"""`manage.py serve`: make everything ready, say where it is, and serve it."""

import contextlib
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dizzle_site.database_check import Unusable
from dizzle_site.preparing import check, prepare
from dizzle_site.serving import CannotListen, addresses, listen, qr_lines, serve
from dizzle_site.stopping import close_database, why_to_end


class Command(BaseCommand):
    help = "Prepare the database and the static files if need be, then serve the site."
    # Checked in the tests; here they would only make every start slower.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--prepared",
            action="store_true",
            help="Only serve: another process has run `prepare`, or is this site's other server.",
        )

    def handle(self, *args: Any, prepared: bool = False, **options: Any) -> None:
        try:
            self._serve(prepared)
        except BaseException as problem:  # asked to end while it starts or serves: no error
            if not why_to_end(problem):
                raise
        with contextlib.suppress(OSError):  # the terminal may be gone
            self.stdout.write("\nGood-bye.")

    def _serve(self, prepared: bool) -> None:
        try:
            with listen(settings.HOST, settings.PORT) as listener:
                check()
                try:
                    for sentence in () if prepared else prepare():
                        self.stdout.write(sentence)
                    self._announce(listener.getsockname()[1])
                    serve(listener)
                finally:
                    close_database()
        except (CannotListen, Unusable) as problem:
            raise CommandError(str(problem)) from problem

    def _announce(self, port: int) -> None:
        here, phones = addresses(settings.HOST, port, settings.SITE_URL)
        self.stdout.write("\nDizzle Companion is ready.\n")
        self.stdout.write(f"  On this machine:  {here}")
        if phones:
            self.stdout.write(f"  On phones:        {phones}\n")
            for line in qr_lines(phones, getattr(self.stdout, "encoding", None)):
                self.stdout.write(line)
        else:
            self.stdout.write("  On phones:        not reachable from this network address")
        self.stdout.write("\nCtrl-C ends it.")
        self.stdout.flush()

"""`manage.py serve`: make everything ready, say where it is, and serve it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dizzle_site.preparing import prepare
from dizzle_site.serving import CannotListen, addresses, listen, qr_lines, serve


class Command(BaseCommand):
    help = "Prepare the database and the static files if need be, then serve the site."
    # Checked in the tests; here they would only make every start slower.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            listener = listen(settings.HOST, settings.PORT)
        except CannotListen as problem:
            raise CommandError(str(problem)) from problem
        with listener:
            for sentence in prepare():
                self.stdout.write(sentence)
            self._announce(listener.getsockname()[1])
            try:
                serve(listener)
            except KeyboardInterrupt:
                self.stdout.write("\nGood-bye.")

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

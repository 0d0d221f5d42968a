"""`manage.py serve`: prepare the site, print its addresses, and serve it."""

import contextlib
import socket
import ssl
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dizzle_site.database_check import Unusable
from dizzle_site.preparation import check, prepare
from dizzle_site.serving import CannotListen, addresses, listen, qr_lines, secure_address, serve
from dizzle_site.shutdown import close_database


class Command(BaseCommand):
    help = "Prepare the database and the static files if need be, then serve the site."
    requires_system_checks = ()  # the server logs them after its start, see `dizzle_site.checks`

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--prepared",
            action="store_true",
            help="Only serve: another process has run `prepare`, or is this site's other server.",
        )

    def handle(self, *args: Any, prepared: bool = False, **options: Any) -> None:
        with contextlib.suppress(KeyboardInterrupt, SystemExit):  # asked to end: no error
            self._serve(prepared)
        with contextlib.suppress(OSError):  # the terminal may be gone
            self.stdout.write("\nGood-bye.")

    def _serve(self, prepared: bool) -> None:
        try:
            with listen(settings.HOST, settings.PORT) as listener:
                check()
                try:
                    if not prepared:
                        self.prepare()
                    with self._secure() as secure:
                        self._announce(listener.getsockname()[1])
                        serve(listener, secure)
                finally:
                    close_database()
        except (CannotListen, Unusable) as problem:
            raise CommandError(str(problem)) from problem

    def prepare(self) -> None:
        """Prepare the database and the static files, and print the steps."""
        for sentence in prepare():
            self.stdout.write(sentence)

    def announce_content(self, address: str) -> None:
        """Print more addresses at the start. Does nothing here; subclasses override it.

        Args:
            address: the site's address for phones or, if there is none, for this machine.
        """

    @contextlib.contextmanager
    def _secure(self) -> Iterator[tuple[socket.socket, ssl.SSLContext] | None]:
        """Yield the socket and the context for TLS; None without HTTPS_PORT."""
        if settings.HTTPS_PORT is None:
            yield None
            return
        from dizzle_site.certificates import tls_context  # 12 MB for those who need it

        with listen(settings.HOST, settings.HTTPS_PORT, "HTTPS_PORT") as listener:
            try:
                context = tls_context(settings.DATA_DIR, settings.HOST)
            except (OSError, ValueError) as problem:
                raise CommandError(
                    f"The certificate cannot be kept in {settings.DATA_DIR / 'https'}: {problem}."
                ) from problem
            yield listener, context

    def _announce(self, port: int) -> None:
        here, phones = addresses(settings.HOST, port, settings.SITE_URL)
        self.stdout.write("\nDizzle Companion is ready.\n")
        for_proxy = " (for the proxy)" if settings.SITE_URL else ""
        self.stdout.write(f"  On this machine:  {here}{for_proxy}")
        if phones:
            self.stdout.write(f"  On phones:        {phones}\n")
            for line in qr_lines(phones, getattr(self.stdout, "encoding", None)):
                self.stdout.write(line)
        else:
            self.stdout.write(
                "  On phones:        no address: no network was found, or HOST is 127.0.0.1"
            )
        if settings.HTTPS_PORT:
            self._announce_tls(settings.HTTPS_PORT, phones or here)
        self.announce_content(phones or here)
        self.stdout.write("\nCtrl-C ends it.")
        self.stdout.flush()

    def _announce_tls(self, port: int, plain: str) -> None:
        from dizzle_site.certificates import fingerprint, public_certificate

        secure = secure_address(settings.HOST, port)
        self.stdout.write(f"\n  By TLS:           {secure}")
        self.stdout.write(f"  for phones that trust this machine, see {plain}secure/")
        if certificate := public_certificate(settings.DATA_DIR):
            self.stdout.write(f"  SHA-256:          {fingerprint(certificate)}")

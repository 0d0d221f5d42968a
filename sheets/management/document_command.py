"""How do the commands that read a document behave: where from, where to, which exit status?"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from sheets.documents import MAX_BYTES
from sheets.rules import DocumentError

BREAKS_A_RULE = 1
CANNOT_BE_USED = 2


class DocumentCommand(BaseCommand):
    """Reads one document, prints one: 0 fine, 1 it breaks a rule, 2 it cannot be used at all.

    Subclasses say in `run` what to print. Texts are English whatever the machine's language:
    programs read them.
    """

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One positional argument: the file, or ``-`` for standard input."""
        parser.add_argument("file", help="the document's file, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the command, turning every refusal into one line and an exit status."""
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        with translation.override("en"):
            try:
                self.run(**options)
            except DocumentError as error:
                self.refuse(f"{options.get('file') or ''}: {error}".removeprefix(": "))
            except BrokenPipeError:
                raise SystemExit(0) from None

    def run(self, **options: Any) -> None:
        """Do the command's work. May raise DocumentError."""
        raise NotImplementedError

    def print_document(self, document: Any) -> None:
        """One JSON document on one line of standard output."""
        self.stdout.write(json.dumps(document, ensure_ascii=False))

    def refuse(self, reason: str) -> NoReturn:
        """End with exit status 2 and one line on standard error."""
        raise CommandError(" ".join(reason.split()), returncode=CANNOT_BE_USED)


def read_bytes(name: str) -> bytes:
    """A file's bytes, or those of standard input for ``-``; never more than one too many.

    Raises:
        DocumentError: when there is no such file or it cannot be read.
    """
    if name == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        with Path(name).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no file can be called that"
        raise DocumentError("", f"cannot be read: {reason}") from None

"""How do the commands that read a document behave: where from, where to, which exit status?"""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from sheets.documents.structure import MAX_BYTES
from sheets.management.refused import CommandRefused
from sheets.rules import DocumentError
from sheets.texts.faults import format_fault

BREAKS_A_RULE = 1
CANNOT_BE_USED = 2
ENDED_BY_HAND = 130

LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""What some programs take for the end of a line, although JSON does not: escaped in texts."""


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
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="utf-8")
        with translation.override("en"):
            try:
                self.run(**options)
                self.stdout.flush()
            except (CommandRefused, DocumentError) as error:
                reason = format_refusal(error)
                self.refuse(f"{options.get('file') or ''}: {reason}".removeprefix(": "))
            except KeyboardInterrupt:
                raise SystemExit(ENDED_BY_HAND) from None
            except OSError as error:
                # What is still waiting must not be tried again when the interpreter ends.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                if isinstance(error, BrokenPipeError):  # whoever read along has seen enough
                    raise SystemExit(0) from None
                self.refuse(f"standard output: cannot be written: {error.strerror}")

    def run(self, **options: Any) -> None:
        """Do the command's work. May raise CommandRefused or DocumentError."""
        raise NotImplementedError

    def print_document(self, document: Any, indent: int | None = None) -> None:
        """One JSON document on standard output, on one line unless it is indented."""
        self.stdout.write(format_json(document, indent))

    def refuse(self, reason: str) -> NoReturn:
        """End with exit status 2 and one line on standard error."""
        line = "".join(c if c.isprintable() else "?" for c in " ".join(reason.split()))
        raise CommandError(line, returncode=CANNOT_BE_USED)


def format_refusal(error: CommandRefused | DocumentError) -> str:
    """One line about what cannot be used."""
    return format_fault(error) if isinstance(error, DocumentError) else str(error)


def format_json(document: Any, indent: int | None = None) -> str:
    """A JSON document, in one line unless it is indented."""
    return json.dumps(document, ensure_ascii=False, indent=indent).translate(LINE_ENDS)


@contextmanager
def open_input(name: str) -> Iterator[BinaryIO]:
    """The file with that name, or standard input for ``-``, open for reading bytes.

    Raises:
        CommandRefused: when there is no such file or it cannot be read, at any time.
    """
    if name == "-" and sys.stdin is None:
        raise CommandRefused("cannot be read: standard input is closed")
    try:
        if name == "-":
            yield sys.stdin.buffer
        else:
            with Path(name.replace("\0", "?")).open("rb") as file:
                yield file
    except OSError as error:
        raise CommandRefused(f"cannot be read: {error.strerror}") from None


def read_bytes(name: str) -> bytes:
    """A file's bytes, or those of standard input for ``-``; never more than one too many.

    Raises:
        CommandRefused: when there is no such file or it cannot be read.
    """
    with open_input(name) as file:
        return file.read(MAX_BYTES + 1)


def read_lines(name: str) -> Iterator[bytes]:
    """The lines of a file without their ends; of too long ones more than a document may have.

    Raises:
        CommandRefused: when there is no such file or it cannot be read.
    """
    with open_input(name) as file:
        while line := file.readline(MAX_BYTES + len(b"\r\n")):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = file.readline(MAX_BYTES)
            yield line.removesuffix(b"\n").removesuffix(b"\r")

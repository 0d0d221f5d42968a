"""Base of commands that read and print documents: input, output, exit status."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from sheets.documents.structure import MAX_BYTES
from sheets.management.command_errors import CommandRefused
from sheets.rules import DocumentError
from sheets.text.faults import format_fault

BREAKS_A_RULE: Final = 1
"""Exit status for a document that breaks a rule, or a photo that cannot be read."""

UNUSABLE: Final = 2
"""Exit status for a document or options that cannot be used."""

INTERRUPTED: Final = 130
"""Exit status after Ctrl-C, the usual one of programs in a shell."""

LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Escapes of characters that some programs treat as the end of a line, although JSON does not."""


class DocumentCommand(BaseCommand):
    """Command that reads one document and prints one.

    Exit status is 0, or 1 if the document breaks a rule, or 2 if it cannot be used. Subclasses
    implement `run`. Texts are English in every locale, because programs read them.
    """

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add one positional argument: the file, or ``-`` for standard input."""
        parser.add_argument("file", help="the document's file, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run the command; turn each refusal into one line and an exit status."""
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
                raise SystemExit(INTERRUPTED) from None
            except OSError as error:
                # Buffered output must not be written again when the interpreter ends.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                if isinstance(error, BrokenPipeError):  # the reader, such as `head`, has ended
                    raise SystemExit(0) from None
                self.refuse(f"standard output: cannot be written: {error.strerror}")

    def run(self, **options: Any) -> None:
        """Do the command's work. May raise CommandRefused or DocumentError."""
        raise NotImplementedError

    def print_document(self, document: Any, indent: int | None = None) -> None:
        """Print a JSON document on standard output, on one line unless it is indented."""
        self.stdout.write(format_json(document, indent))

    def refuse(self, reason: str) -> NoReturn:
        """End with exit status 2 and one line on standard error."""
        line = "".join(c if c.isprintable() else "?" for c in " ".join(reason.split()))
        raise CommandError(line, returncode=UNUSABLE)


def format_refusal(error: CommandRefused | DocumentError) -> str:
    """Return the message of a refusal, for standard error."""
    return format_fault(error) if isinstance(error, DocumentError) else str(error)


def format_json(document: Any, indent: int | None = None) -> str:
    """Return a document as JSON, in one line unless it is indented."""
    return json.dumps(document, ensure_ascii=False, indent=indent).translate(LINE_ENDS)


@contextmanager
def open_input(name: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for ``-``, for reading bytes.

    Raises:
        CommandRefused: there is no such file, or reading fails, at once or within the block.
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
    """Return the bytes of a file, or of standard input for ``-``.

    Returns ``MAX_BYTES + 1`` bytes at most, which is more than a document may have.

    Raises:
        CommandRefused: there is no such file, or it cannot be read.
    """
    with open_input(name) as file:
        return file.read(MAX_BYTES + 1)


def read_lines(name: str) -> Iterator[bytes]:
    """Yield the lines of a file without line ends. Lines longer than `MAX_BYTES` are cut off.

    A cut line is still longer than a document may be, so that its reader refuses it.

    Raises:
        CommandRefused: there is no such file, or it cannot be read.
    """
    with open_input(name) as file:
        while line := file.readline(MAX_BYTES + len(b"\r\n")):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = file.readline(MAX_BYTES)
            yield line.removesuffix(b"\n").removesuffix(b"\r")

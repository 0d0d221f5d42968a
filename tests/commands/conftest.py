"""Fixture that runs a management command in this process, from arguments to exit status."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.core.management import load_command_class


class Ran(NamedTuple):
    """Result of a command: exit status and output."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The single JSON document on standard output."""
        assert self.err == ""
        return json.loads(self.out, parse_constant=pytest.fail)

    @property
    def refusal(self) -> str:
        """The single line on standard error of a command that printed nothing else."""
        assert self.status == 2
        assert self.out == ""
        assert self.err.endswith("\n")
        line = self.err.removesuffix("\n")
        assert line.isprintable()
        assert line.startswith("CommandError: ")
        return line.removeprefix("CommandError: ")


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with its arguments and the bytes on standard input (None: closed)."""

    def run(name: str, *args: object, stdin: bytes | None = b"") -> Ran:
        stream = None if stdin is None else io.TextIOWrapper(io.BytesIO(stdin))
        monkeypatch.setattr(sys, "stdin", stream)
        command = load_command_class("sheets", name)
        status = 0
        try:
            command.run_from_argv(["manage.py", name, *map(str, args)])
        except SystemExit as end:
            status = int(end.code or 0)
        return Ran(status, *capsys.readouterr())

    return run

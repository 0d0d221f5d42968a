"""Refusal of bad documents by all commands: exit status 2 and one line."""

from __future__ import annotations

import errno
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from sheets.documents.structure import MAX_BYTES
from tests.commands.conftest import Run
from tests.documents.examples import GAME, HARBOUR, SHEETS, Document, encode
from tests.documents.mutations import encode as encode_sloppily
from tests.documents.mutations import mutate, mutate_bytes

COMMANDS: dict[str, Document] = {"replay": GAME, "score": SHEETS}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "This is not a JSON file. [not-json]"),
        (b"\n", "This is not a JSON file. [not-json]"),
        (bytes(range(256)), "This is not a JSON file. [not-json]"),
        (b"[" * 100_000, "An object in curly brackets belongs here. [not-an-object]"),
        (b" " * (MAX_BYTES + 1), "The file is larger than 1024 KiB. [too-large]"),
        (b"null", "An object in curly brackets belongs here. [not-an-object]"),
        (encode(HARBOUR), ""),
        (rb'{"a\u001b[31m\u2028": 1}', "“a[31m” is unknown here. [unknown-key]"),
    ],
    ids=lambda value: str(value[:30]),
)
def test_bytes_that_are_no_such_document(
    run: Run, tmp_path: Path, command: str, text: bytes, reason: str
) -> None:
    file = tmp_path / "a file.json"
    file.write_bytes(text)
    assert run(command, file).refusal.startswith(f"{file}: {reason}")
    assert run(command, "-", stdin=text).refusal.startswith(f"-: {reason}")


@pytest.mark.parametrize("command", COMMANDS)
def test_place_in_the_document_is_named(run: Run, command: str) -> None:
    text = encode(COMMANDS[command] | {"level": HARBOUR | {"grid": ["1 2", "1 9"]}})
    refusal = run(command, "-", stdin=text).refusal
    assert refusal == "-: level grid row 2: “9” is not a field. [not-a-field]"


@pytest.mark.parametrize("command", COMMANDS)
def test_level_that_is_not_shipped(run: Run, command: str) -> None:
    text = encode(COMMANDS[command] | {"level": "level-\x1b\n99"})
    refusal = run(command, "-", stdin=text).refusal
    assert refusal == "-: level: There is no level “level-99” here. [unknown-level]"


@pytest.mark.parametrize("command", [["replay"], ["replay", "--lines"], ["score"]], ids=" ".join)
class TestFiles:
    def test_missing(self, run: Run, tmp_path: Path, command: list[str]) -> None:
        refusal = run(*command, tmp_path / "none.json").refusal
        assert refusal.endswith("none.json: cannot be read: No such file or directory")

    def test_directory(self, run: Run, tmp_path: Path, command: list[str]) -> None:
        assert run(*command, tmp_path).refusal.endswith("cannot be read: Is a directory")

    @pytest.mark.parametrize("name", ["a\0b", "a\nb", "a\udcffb", "x" * 5000, "", "\u2028"])
    def test_odd_name(self, run: Run, command: list[str], name: str) -> None:
        assert "cannot be read: " in run(*command, name).refusal

    def test_forbidden(self, run: Run, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
        # The file's mode does not help: tests may run as superuser, who can read everything.
        forbidden = PermissionError(errno.EACCES, "Permission denied")
        monkeypatch.setattr(Path, "open", Mock(side_effect=forbidden))
        assert run(*command, "secret.json").refusal.endswith("cannot be read: Permission denied")

    @pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only Linux has such a file")
    def test_opened_but_unreadable(self, run: Run, command: list[str]) -> None:
        assert "cannot be read: " in run(*command, "/proc/self/mem").refusal

    def test_closed_standard_input(self, run: Run, command: list[str]) -> None:
        ran = run(*command, "-", stdin=None)
        assert ran.refusal == "-: cannot be read: standard input is closed"


@pytest.mark.parametrize(
    "args",
    [
        ["replay"],
        ["replay", "-", "-"],
        ["replay", "--line5", "-"],
        ["replay", "--lines"],
        ["score"],
        ["score", "--lines", "-"],
        ["levels", "level-1"],
        ["levels", "--show"],
        ["levels", "--show", "level-1", "--show"],
    ],
    ids=" ".join,
)
def test_bad_options(run: Run, args: list[str]) -> None:
    ran = run(*args)
    assert ran.status == 2
    assert ran.out == ""
    assert f"manage.py {args[0]}: error: " in ran.err.splitlines()[-1]


@pytest.mark.parametrize("command", COMMANDS)
def test_random_bytes_are_refused_the_same_way(run: Run, command: str) -> None:
    random = Random(command)
    statuses = set()
    for _ in range(60):
        document = mutate(random, COMMANDS[command], random.choice([1, 1, 2, 9]))
        text = encode_sloppily(document)
        if random.random() < 0.2:
            text = mutate_bytes(random, text)
        ran = run(command, "-", stdin=text)
        statuses.add(ran.status)
        if ran.status == 2:
            assert ran.refusal.startswith("-: ")
        else:
            assert ran.document["ok"] == (ran.status == 0)
    assert {0, 2} <= statuses

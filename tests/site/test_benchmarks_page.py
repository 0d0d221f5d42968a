"""docs/benchmarks.md: every public script of bench/, and commands that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / "docs" / "benchmarks.md").read_text("utf-8")
HEAD = "| area | figure | compared with | result | command |"
SOURCES = {
    f"bench/{path.name}": path.read_text("utf-8")
    for path in (CHECKOUT / "bench").glob("*.py")
    if path.name[0] != "_"
}
DATABASES = {"sqlite", "postgresql"}
"""First argument of the scripts that call `on_each_database` (bench/_site.py)."""


class Command(NamedTuple):
    """Script of a command and its arguments."""

    script: str
    words: list[str]


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.splitlines() if line.startswith("|") and line != HEAD]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if not row[0].startswith("---")]


def commands_of(cell: str) -> list[Command]:
    """Return the commands in a cell; a span with options alone repeats the command before it."""
    found: list[Command] = []
    for span in re.findall(r"`([^`]*)`", cell):
        words = shlex.split(span)
        if words[0].startswith("-"):
            found.append(Command(found[-1].script, words))
        else:
            assert words[0] == "python"
            found.append(Command(words[1], words[2:]))
    return found


COMMANDS = [command for row in rows() for command in commands_of(row[-1])]


def test_every_row_has_five_cells_and_a_command() -> None:
    assert PAGE.count(HEAD) == 1
    assert [row for row in rows() if len(row) != 5 or not all(row)] == []
    assert [row for row in rows() if not commands_of(row[-1])] == []


def test_rows_name_the_public_scripts() -> None:
    assert {command.script for command in COMMANDS} == SOURCES.keys()


def test_every_option_is_defined_by_its_script() -> None:
    unknown = [
        (script, word)
        for script, words in COMMANDS
        for place, word in enumerate(words)
        if word.startswith("-") or place == 0  # later words may be values
        if f'"{word}"' not in SOURCES[script]
        if word not in DATABASES or "on_each_database" not in SOURCES[script]
    ]
    assert unknown == []

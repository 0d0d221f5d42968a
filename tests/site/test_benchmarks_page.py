"""docs/benchmarks.md names every public script of bench/, and commands that can be run."""

from __future__ import annotations

import ast
import re
import shlex
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PAGE = (CHECKOUT / "docs" / "benchmarks.md").read_text("utf-8")
HEAD = "| figure | compared with | result | command |"
DATABASES = {"sqlite", "postgresql"}
"""First argument of the scripts that call `on_each_database` (bench/_site.py)."""


class Command(NamedTuple):
    """One command of the table: the script or target that it runs, and its arguments."""

    program: str
    words: tuple[str, ...]


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
            found.append(Command(found[-1].program, tuple(words)))
        elif words[0] == "make":
            found.append(Command(f"make {words[1]}", tuple(words[2:])))
        elif words[:3] == ["python", "-m", "pytest"]:
            found.append(Command("pytest", tuple(words[3:])))
        else:
            start = words.index("python")
            found.append(Command(words[start + 1], tuple(words[start + 2 :])))
    return found


COMMANDS = [command for row in rows() for command in commands_of(row[-1])]
PUBLIC = {f"bench/{path.name}" for path in (CHECKOUT / "bench").glob("*.py") if path.name[0] != "_"}


@cache
def arguments_of(script: str) -> set[str]:
    """Return the options and subcommands that a script defines with argparse."""
    source = (CHECKOUT / script).read_text("utf-8")
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return {
        argument.value
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("add_argument", "add_parser")
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    } | (DATABASES if "on_each_database" in source else set())


def test_every_row_has_four_cells_and_a_command() -> None:
    assert rows()
    assert [row for row in rows() if len(row) != 4 or not all(row)] == []
    assert [row for row in rows() if not commands_of(row[-1])] == []


def test_every_public_script_has_a_row() -> None:
    assert PUBLIC - {command.program for command in COMMANDS} == set()


def test_every_script_named_on_the_page_exists() -> None:
    named = set(re.findall(r"\bbench/\w+\.py", PAGE))
    assert named - PUBLIC == set()


def test_every_option_is_defined_by_its_script() -> None:
    unknown = [
        (command.program, word)
        for command in COMMANDS
        if command.program in PUBLIC
        for place, word in enumerate(command.words)
        if word.startswith("-") or place == 0  # later words may be values
        if word not in arguments_of(command.program)
    ]
    assert unknown == []


def test_other_commands_name_what_is_there() -> None:
    makefile = (CHECKOUT / "Makefile").read_text("utf-8")
    for program, words in COMMANDS:
        if program == "pytest":
            assert all((CHECKOUT / word).is_file() for word in words)
        elif program.startswith("make "):
            assert re.search(rf"^{program.removeprefix('make ')}:", makefile, re.M), program
        else:
            assert program in PUBLIC, program


@pytest.mark.parametrize(
    ("script", "argument"),
    [
        ("bench/load.py", "--pin"),
        ("bench/tap.py", "sqlite"),
    ],
)
def test_arguments_are_read_from_the_source(script: str, argument: str) -> None:
    assert argument in arguments_of(script)
    assert argument not in arguments_of("bench/rules.py")

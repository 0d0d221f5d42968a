"""List of ``manage.py levels``, and document of ``--show``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sheets.documents.structure import read_level
from sheets.levels import FOLDER, shipped_levels
from sheets.rules import format_level
from tests.commands.conftest import Run

IDS = sorted(path.stem for path in FOLDER.glob("*.json"))


def test_list_has_every_level_file(run: Run) -> None:
    ran = run("levels")
    assert ran.status == 0
    assert [level["id"] for level in ran.document] == IDS
    assert len(IDS) >= 8
    first = ran.document[0]
    assert list(first) == ["id", "name", "columns", "rows", "fields", "players", "difficulty"]
    assert first["players"] == [1, 2, 3, 4]
    assert 70 <= first["fields"] <= first["columns"] * first["rows"]


def test_list_has_one_level_on_each_line(run: Run) -> None:
    first, *lines, last = run("levels").out.splitlines()
    assert (first, last) == ("[", "]")
    assert [json.loads(line.rstrip(","))["id"] for line in lines] == IDS


@pytest.mark.parametrize("level_id", IDS)
def test_show_prints_the_document_of_the_file(run: Run, level_id: str) -> None:
    ran = run("levels", "--show", level_id)
    assert ran.status == 0
    assert ran.document == format_level(shipped_levels()[level_id])
    shown = read_level(ran.out.encode())
    assert shown.fields == read_level((FOLDER / f"{level_id}.json").read_bytes()).fields


@pytest.mark.parametrize(
    "level_id", ["level-99", "", "../level-1", "LEVEL-1", "level-1.json", "\0"]
)
def test_unknown_level(run: Run, level_id: str) -> None:
    assert run("levels", "--show", level_id).refusal.startswith("level: There is no level “")


def test_level_file_is_named_after_the_level() -> None:
    assert [read_level(Path(FOLDER / f"{name}.json").read_bytes()).id for name in IDS] == IDS

"""Output of ``levels --check``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from sheets.documents.structure import read_level
from sheets.levels import find_level, shipped_levels
from sheets.rules import format_level
from sheets.rules.design_warnings import find_design_warnings
from sheets.text.design_warnings import describe_warning
from sheets.workshop.checks import find_checks
from tests.commands.conftest import Run

ODD: dict[str, Any] = {
    "format": "dizzle-level/1",
    "id": "odd",
    "name": "Odd <b>&amp;</b>",
    "grid": ["4x 2Lr 5Gy .   1", "1  3   6   .   2"],
    "lines": [{"row": 1, "points": 5}],
    "points": {"gem": {"yellow": 2}},
}


def write(folder: Path, document: Any) -> Path:
    file = folder / "level.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def test_check_prints_the_warnings_of_the_editor(run: Run, tmp_path: Path) -> None:
    ran = run("levels", "--check", write(tmp_path, ODD))
    assert ran.status == 0
    assert ran.document["ok"] is True
    said = [advice["message"] for advice in ran.document["advice"]]
    assert said == [check.sentence for check in find_checks(ODD)]
    assert [advice["name"] for advice in ran.document["advice"]] == [
        "unreachable",
        "unreachable-symbol",
        "lock-without-key",
        "line-never-complete",
        "dice-without-fields",
        "number-missing",
    ]
    assert ran.document["advice"][2]["fields"] == ["b1"]


def test_check_prints_english_in_any_locale(run: Run, tmp_path: Path) -> None:
    with translation.override("de"):
        ran = run("levels", "--check", write(tmp_path, ODD))
    level = read_level(json.dumps(ODD).encode())
    said = [advice["message"] for advice in ran.document["advice"]]
    assert said == [describe_warning(advice, level) for advice in find_design_warnings(level)]


@pytest.mark.parametrize("level_id", sorted(shipped_levels()))
def test_our_own_levels_have_no_warning(run: Run, level_id: str) -> None:
    shown = run("levels", "--show", level_id).out
    ran = run("levels", "--check", "-", stdin=shown.encode())
    assert (ran.status, ran.document["advice"]) == (0, [])


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({**ODD, "grid": ["4x 9"]}, "grid row 1"),
        ({**ODD, "points": {}}, "points"),
        ({**ODD, "colour": "red"}, "colour"),
        ([], "[not-an-object]"),
    ],
)
def test_check_refuses_unusable_files(run: Run, tmp_path: Path, document: Any, words: str) -> None:
    assert words in run("levels", "--check", write(tmp_path, document)).refusal


def test_check_refuses_missing_files_and_contradictory_options(run: Run, tmp_path: Path) -> None:
    assert "cannot be read" in run("levels", "--check", tmp_path / "none.json").refusal
    assert run("levels", "--check", "-", "--show", "level-1").status == 2


BROKEN: list[dict[str, Any]] = [
    {**ODD, "grid": ["4x ? 5Gy", "1  3  ?"]},
    {**ODD, "grid": ["4x ? 5Gy"], "points": {}},
    {**ODD, "points": {"flag": {"red": [1, 2]}}, "grid": ["4x 2 3Fr 5B"]},
    {**ODD, "areas": [{"fields": ["b1"], "race": [1, 2]}, {"fields": ["c1"], "race": []}]},
    {**ODD, "grid": ["-V -V", "1 2"], "points": {}},
    {**ODD, "grid": [". ."], "lines": []},
    {**ODD, "lines": [{"points": 5}, {"points": 5, "row": 9}]},
    {**ODD, "grid": ["? ?", "? ?"], "ratings": [1, 2, 3, 4, 5, 5]},
]


@pytest.mark.parametrize("document", BROKEN, ids=range(len(BROKEN)))
def test_missing_parts_are_reported_in_the_words_of_the_editor(
    run: Run, tmp_path: Path, document: dict[str, Any]
) -> None:
    file = write(tmp_path, document)
    with translation.override("de"):
        refusal = run("levels", "--check", file).refusal
    said = [check.sentence for check in find_checks(document) if check.is_error]
    assert len(said) >= 1
    assert refusal == f"{file}: {' '.join(said)}"
    assert "cannot be used" not in refusal


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            {"areas": [{"fields": ["a1", "z9"], "points": 5}]},
            "areas entry 1: The level has no field z9. [unknown-field]",
        ),
        ({"lines": [{"points": 5, "row": 99}]}, "lines entry 1 row: A number up to 26 belongs"),
        ({"grid": ["4x ? 7"]}, "grid row 1: b1 has no number yet. [open-number]"),
        (
            {"grid": ["1 2", "3"]},
            "grid row 2: This row has 1 fields, the first one has 2. [uneven-rows]",
        ),
        ({"grid": ["? 2", "3"]}, "grid row 1: a1 has no number yet. [open-number]"),
    ],
)
def test_faults_that_the_editor_cannot_show_are_reported_with_their_place(
    run: Run, tmp_path: Path, more: dict[str, Any], words: str
) -> None:
    assert words in run("levels", "--check", write(tmp_path, ODD | more)).refusal


def test_bots_try_a_level_only_on_request(run: Run, tmp_path: Path) -> None:
    level = find_level("level-1")
    file = tmp_path / "level.json"
    file.write_text(json.dumps(format_level(level)))
    assert "tried" not in run("levels", "--check", str(file)).document
    ran = run("levels", "--check", str(file), "--try")
    assert ran.status == 0
    tried = ran.document["tried"]
    least, most = tried["ours"]
    assert least <= tried["median"] <= most
    assert not tried["is_far"]
    assert tried["message"].startswith(f"Bots played it {tried['games']} times alone")
    poor = format_level(level) | {"lines": [], "points": {}}
    poor["grid"] = ["1x 2 3", "4 5 6"]
    file.write_text(json.dumps({k: poor[k] for k in ("format", "id", "name", "grid")}))
    ran = run("levels", "--check", str(file), "--try")
    assert (ran.status, ran.document["tried"]["is_far"]) == (0, True)

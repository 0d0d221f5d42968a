"""Commands `print` and `geometry`."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import termios
from io import BytesIO
from pathlib import Path

import pypdf
import pytest

from sheets.levels import shipped_levels
from sheets.printing.geometry import PageOptions
from sheets.printing.geometry_document import format_geometry
from tests.commands.conftest import Run
from tests.documents.examples import GAME, HARBOUR, SHEETS, encode

CHECKOUT = Path(__file__).parents[2]


def text_of(file: Path) -> str:
    reader = pypdf.PdfReader(BytesIO(file.read_bytes()))
    return "\n".join(page.extract_text() for page in reader.pages)


def test_prints_levels_by_id_and_by_file(run: Run, tmp_path: Path) -> None:
    level, file = tmp_path / "harbour.json", tmp_path / "sheets.pdf"
    level.write_bytes(encode(HARBOUR))
    ran = run("print", "level-1", level, "-o", file, "--lang", "de")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert "Hafen" in text_of(file)
    assert shipped_levels()["level-1"].name["de"] in text_of(file)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["level-99"], "level-99: neither a shipped level nor a file"),
        ([], "name levels or --sheets, one of both"),
        (["level-1", "--sheets", "x.json"], "name levels or --sheets, one of both"),
        (["level-1", "--copies", "0"], "copies is a number from 1 to 500"),
        (["level-1", "--large", "--per-page", "2"], "large prints one sheet per page, not 2"),
        (["level-1", "--paper", "a5", "--per-page", "2"], "two sheets per page need a4 or letter"),
        (["--sheets", "nowhere.json"], "nowhere.json: cannot be read: No such file or directory"),
    ],
)
def test_refusals(run: Run, tmp_path: Path, arguments: list[str], reason: str) -> None:
    file = tmp_path / "sheets.pdf"
    assert run("print", *arguments, "-o", file).refusal.startswith(reason)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_level(run: Run, tmp_path: Path) -> None:
    level = tmp_path / "level.json"
    level.write_bytes(encode(HARBOUR | {"grid": ["1 9"]}))
    for command in (["print", "-o", tmp_path / "sheets.pdf"], ["geometry"]):
        refusal = run(*command, level).refusal
        assert refusal == f"{level}: grid row 1: “9” is not a field. [not-a-field]"


def test_a_place_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "sheets.pdf"
    refusal = run("print", "level-1", "-o", file).refusal
    assert refusal == f"{file}: cannot be written: No such file or directory"


def test_an_existing_file_stays_until_the_new_one_is_complete(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sheets.pdf").mkdir()
    assert "cannot be written" in run("print", "level-1", "-o", tmp_path / "sheets.pdf").refusal
    assert [path.name for path in tmp_path.iterdir()] == ["sheets.pdf"]


def test_prints_filled_sheets(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "filled.pdf"
    assert run("print", "--sheets", "-", "-o", file, stdin=encode(SHEETS)).status == 0
    for entry in SHEETS["sheets"]:
        assert entry["player"] in text_of(file)


def test_names_in_no_font_are_reported(run: Run, tmp_path: Path) -> None:
    sheets = [{"player": name, "crosses": []} for name in ("𐎠𐎴", "王大明")]
    document = {"format": "dizzle-sheets/1", "level": "level-1", "sheets": sheets}
    ran = run("print", "--sheets", "-", "-o", tmp_path / "filled.pdf", stdin=encode(document))
    assert (ran.status, ran.err.count("\n")) == (0, 1)
    assert "no font has the letters of “𐎠𐎴”: their line is left empty" in ran.err


def test_a_missing_number_is_asked_for(run: Run, tmp_path: Path) -> None:
    level = HARBOUR | {"points": HARBOUR["points"] | {"flag": {"red": [10, 6, 3, 1]}}}
    sheets = [{"player": name, "crosses": ["c3"]} for name in ("Ana", "Ben")]
    text = encode(SHEETS | {"level": level, "sheets": sheets})
    refusal = run("print", "--sheets", "-", "-o", tmp_path / "filled.pdf", stdin=text).refusal
    assert refusal == (
        "-: sheets entry 1 flags red: Several sheets have reached this: say which number is "
        "circled. [number-unclear]"
    )


def test_prints_the_end_of_a_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "filled.pdf"
    assert run("print", "--sheets", "-", "-o", file, stdin=encode(GAME)).status == 0
    for player in GAME["players"]:
        assert player in text_of(file)


def test_a_game_that_breaks_a_rule_is_not_printed(run: Run, tmp_path: Path) -> None:
    game = GAME | {"actions": [{"do": "drop", "player": 0}]}
    ran = run("print", "--sheets", "-", "-o", tmp_path / "filled.pdf", stdin=encode(game))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("action 0: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--paper", "a5", "--no-markers"], {"paper": "a5", "markers": False}),
        (["--large", "--bw", "--rules", "--lang", "de"], {"large": True}),
        (["--per-page", "1", "--duplex", "--copies", "2"],
         {"per_page": 1, "duplex": True, "copies": 2}),
    ],
)  # fmt: skip
def test_geometry_prints_what_the_pages_have(run: Run, arguments: list, options: dict) -> None:
    ran = run("geometry", "level-1", "level-8", *arguments)
    levels = [shipped_levels()[name] for name in ("level-1", "level-8")]
    assert ran.document == json.loads(json.dumps(format_geometry(levels, PageOptions(**options))))


def test_geometry_prints_what_the_docs_show(run: Run) -> None:
    page = (CHECKOUT / "docs" / "printing.md").read_text("utf-8")
    shown = json.loads(page.partition("```json\n")[2].partition("```")[0])
    found = run("geometry", "level-1", "--paper", "a5").document
    assert found["page"] == shown["page"]
    (sheet,), (wanted,) = found["sheets"], shown["sheets"]
    assert sheet.keys() == wanted.keys()
    assert sheet["fields"]["a1"] == wanted["fields"]["a1"]
    assert sheet["markers"][0] == wanted["markers"][0]
    assert (sheet["name"], sheet["scores"]["gems"]) == (wanted["name"], wanted["scores"]["gems"])


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    command = [sys.executable, "manage.py", "print", "level-1", "--copies", "60",
               "-o", str(tmp_path / "sheets.pdf")]  # fmt: skip
    quiet = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=True)
    assert (quiet.stdout, quiet.stderr) == (b"", b"")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    subprocess.run(command, cwd=CHECKOUT, stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 100_000)
    os.close(ours)
    assert b"30/30" in shown

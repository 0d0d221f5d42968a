"""What ``levels --check`` and the reports of ``simulate`` say."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from sheets.advice_words import describe_advice
from sheets.balance import shipped_figures
from sheets.documents import read_level
from sheets.levels import shipped_levels
from sheets.management.commands.measure_balance import digest
from sheets.rules.advice import find_advice
from sheets.workshop_checks import find_checks
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


def test_check_says_what_the_editor_says(run: Run, tmp_path: Path) -> None:
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
        "number-missing",
    ]
    assert ran.document["advice"][2]["fields"] == ["b1"]


def test_check_speaks_english_to_programs_whatever_the_language(run: Run, tmp_path: Path) -> None:
    with translation.override("de"):
        ran = run("levels", "--check", write(tmp_path, ODD))
    level = read_level(json.dumps(ODD).encode())
    said = [advice["message"] for advice in ran.document["advice"]]
    assert said == [describe_advice(advice, level) for advice in find_advice(level)]


@pytest.mark.parametrize("level_id", sorted(shipped_levels()))
def test_there_is_nothing_to_say_about_our_own_levels(run: Run, level_id: str) -> None:
    shown = run("levels", "--show", level_id).out
    ran = run("levels", "--check", "-", stdin=shown.encode())
    assert (ran.status, ran.document["advice"]) == (0, [])


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({**ODD, "grid": ["4x 9"]}, "grid row 1"),
        ({**ODD, "points": {}}, "points"),
        ({**ODD, "colour": "red"}, "colour"),
        ([], "expected"),
    ],
)
def test_check_refuses_what_cannot_be_used(
    run: Run, tmp_path: Path, document: Any, words: str
) -> None:
    assert words in run("levels", "--check", write(tmp_path, document)).refusal


def test_check_refuses_missing_files_and_two_wishes(run: Run, tmp_path: Path) -> None:
    assert "cannot be read" in run("levels", "--check", tmp_path / "none.json").refusal
    assert run("levels", "--check", "-", "--show", "level-1").status == 2


class Reader(HTMLParser):
    """What a page refers to, and whether its elements are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str]] = []
        self.opened: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in ("meta", "link", "br", "rect", "path", "use"):
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.opened:
            assert self.opened.pop() == tag


def test_page_of_plots_needs_nothing_else(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    ran = run("simulate", write(tmp_path, ODD), "--games", "4", "--html", page)
    assert (ran.status, ran.err) == (0, "")
    text = page.read_text("utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.opened == []
    names = {name for name, _ in reader.attributes}
    assert not names & {"src", "style", "onclick", "onload"}
    links = [value for name, value in reader.attributes if name == "href"]
    assert all(link.startswith("#") for link in links)
    assert "url(" not in text
    assert "<script" not in text
    assert "Odd &lt;b&gt;" in text
    assert text.count('class="plot"') == text.count("<table") == 7
    assert "4 games" in text


def test_all_numbers_of_players_in_one_report(run: Run) -> None:
    ran = run("simulate", "level-1", "--players", "all", "--games", "2", "--json")
    assert [setting["players"] for setting in ran.document["settings"]] == [1, 2, 3, 4]
    assert len(ran.document["settings"][3]["totals"]) == 8
    text = run("simulate", "level-1", "--players", "all", "--games", "2").out
    assert [int(n) for n in re.findall(r"level-1: players (\d)", text)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--html", "/nowhere/at/all.html", "--games", "1"], "cannot be written"),
        (["--players", "7"], "can be played by"),
        (["--players", "some"], "invalid"),
    ],
)
def test_bad_options(run: Run, args: list[str], words: str) -> None:
    ran = run("simulate", "level-1", *args)
    assert ran.status == 2
    assert words in ran.err


def test_figures_beside_the_reports_are_those_of_the_levels_as_they_are() -> None:
    """Changed a level? ``python manage.py measure_balance > sheets/balance_figures.json``."""
    from sheets.balance import FIGURES

    digests = json.loads(FIGURES.read_text("utf-8"))["digests"]
    assert digests == {id: digest(level) for id, level in shipped_levels().items()}
    assert set(shipped_figures()) == set(shipped_levels())

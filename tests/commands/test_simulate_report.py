"""Printed report and HTML report of ``simulate``, in both languages."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sheets.groups.game_results import level_digest
from sheets.levels import shipped_levels
from sheets.management.commands import measure_balance
from sheets.management.commands.measure_balance import format_figures
from sheets.simulation.balance.report import BOT, SEED, PlannedGames
from sheets.simulation.balance.shipped_figures import FIGURES, shipped_settings, shipped_totals
from sheets.simulation.games import simulate
from tests.commands.conftest import Run
from tests.commands.test_level_checks import ODD, write


class Reader(HTMLParser):
    """Parser that collects a page's references and text, and checks that elements are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.opened: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in ("meta", "link", "br", "rect", "path", "use", "input"):
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.opened:
            assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(" ".join(data.split()))


def test_html_report_is_self_contained(run: Run, tmp_path: Path) -> None:
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
    assert text.count('class="plot"') == text.count("<table") == 17
    assert "4 games" in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_printed_report_has_the_text_of_the_page(run: Run, tmp_path: Path, language: str) -> None:
    asked = ("simulate", "level-5", "--players", "all", "--games", "2", "--beside", "level-7")
    page = tmp_path / "report.html"
    assert run(*asked, "--language", language, "--html", page).status == 0
    reader = Reader()
    reader.feed(re.sub("</?bdi[^>]*>", "", page.read_text("utf-8")))
    said = set(reader.words)
    _settings, _blank, report = run(*asked, "--language", language).out.partition("\n\n")
    for line in report.splitlines():
        for cell in re.split(" {2,}", re.sub(r"^\d\. ", "", line.strip())):
            assert " ".join(cell.split()) in said
    assert len(report.splitlines()) > 300


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
        (["--beside", "level-1"], "--beside: there is no other level 'level-1'"),
        (["--beside", "level-99"], "--beside: there is no other level 'level-99'"),
        (["--language", "xx"], "invalid choice: 'xx'"),
    ],
)
def test_bad_options(run: Run, args: list[str], words: str) -> None:
    ran = run("simulate", "level-1", *args)
    assert ran.status == 2
    assert words in ran.err


@pytest.mark.parametrize(("option", "value"), [("beside", "level-1"), ("language", "de")])
def test_dice2_has_no_such_report(run: Run, option: str, value: str) -> None:
    ran = run("simulate", "four-wins", "--players", "2", f"--{option}", value)
    assert f"--{option}" in ran.refusal


def test_report_of_one_number_of_players_has_its_figures_only(run: Run) -> None:
    text = run("simulate", "level-1", "--players", "3", "--games", "2").out
    assert "Crossed fields: 3 players" in text
    assert "Grades on your own" not in text
    assert "Alone" not in text


def test_words_are_left_aligned_and_figures_right_aligned(run: Run) -> None:
    text = run("simulate", "level-1", "--games", "2", "--beside", "level-7").out
    lines = text.partition("Scores\n")[2].partition("\n\n")[2].splitlines()[:3]
    assert len({len(line) for line in lines}) == 1
    assert lines[1].index("Butterfly") == lines[2].index("Fire mountain") == lines[0].index("Level")


def test_german_report_of_a_level_without_german_words(run: Run, tmp_path: Path) -> None:
    text = run("simulate", write(tmp_path, ODD), "--games", "2", "--language", "de").out
    assert "Stufen im Solospiel" in text
    assert "In three sentences" not in text


def test_figures_for_comparison_are_those_of_the_current_levels() -> None:
    """After changing a level, run ``measure_balance -o sheets/simulation/balance/figures.json``."""
    digests = json.loads(FIGURES.read_text("utf-8"))["digests"]
    assert digests == {id: level_digest(level) for id, level in shipped_levels().items()}
    assert set(shipped_settings()) == set(shipped_levels())


def test_figures_are_written_as_they_are_read() -> None:
    found = json.loads(FIGURES.read_text("utf-8"))
    written = format_figures(found["digests"], found["levels"], found["totals"])
    assert written + "\n" == FIGURES.read_text("utf-8")


def test_figures_replace_the_file_once_all_are_measured(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = shipped_levels()["level-1"]
    monkeypatch.setattr(measure_balance, "shipped_levels", lambda: {"level-1": level})
    monkeypatch.setattr(measure_balance, "plan_games", lambda level: [PlannedGames(1, 4)])
    monkeypatch.setattr(measure_balance, "COMPARISON_GAMES", 4)
    file = tmp_path / "figures.json"
    file.write_text("old")
    assert run("measure_balance", "-o", file) == (0, "", "")
    written = file.read_text("utf-8")
    assert json.loads(written)["digests"] == {"level-1": level_digest(level)}
    assert run("measure_balance").out == written
    refused = run("measure_balance", "-o", tmp_path / "none" / "figures.json")
    assert refused.refusal.endswith("cannot be written: No such file or directory")
    assert list(tmp_path.iterdir()) == [file]


def test_games_for_comparison_include_those_of_the_reports() -> None:
    for level_id, reports in shipped_settings().items():
        many = shipped_totals()[level_id]
        assert many.keys() == reports.keys()
        for players, setting in reports.items():
            games, totals = many[players]
            assert games == 2000
            assert len(totals) == games * players
            assert list(totals) == sorted(totals)
            # Equal seeds start with equal games, so their totals are among all others.
            assert Counter(setting["totals"]) <= Counter(totals)


def test_histograms_of_totals_are_reproducible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measure_balance, "COMPARISON_GAMES", 6)
    level = shipped_levels()["level-1"]
    told: list[int] = []
    first = measure_balance.comparison_totals(level, told.append)
    assert sum(told) == 6 * len(level.player_counts)
    assert measure_balance.comparison_totals(level, told.append) == first
    tally = simulate(level, players=3, games=6, bot=BOT, seed=SEED, processes=1)
    counts = [tally.totals.count(min(tally.totals) + i) for i in range(len(first[3]["counts"]))]
    assert first[3] == {"games": 6, "least": min(tally.totals), "counts": counts}
    assert sum(counts) == 18

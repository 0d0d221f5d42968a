"""``measure_levels``, compared with the shipped docs/levels.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from sheets.levels import find_level, shipped_levels
from sheets.management.commands import measure_levels
from sheets.management.commands.measure_levels import STRENGTH_NAMES
from sheets.rules import parse_level
from sheets.simulation.matches import Wins

PAGE = Path(__file__).parents[2] / "docs" / "levels.md"


def summary_of(page: str) -> dict[str, list[str]]:
    """Return the cells of the summary by level: name, difficulty, elements, players, medians."""
    summary = page.partition("\n## Summary\n")[2].partition("\n## ")[0]
    return {
        cells[0].partition("]")[0].lstrip("["): cells[1:]
        for cells in cells_of(summary)
        if cells[0].startswith("[")
    }


def section_of(page: str, level_id: str) -> str:
    """Return the part of the page about one level."""
    return page.partition(f"\n## {level_id}: ")[2].partition("\n## ")[0]


def cells_of(text: str) -> list[list[str]]:
    """Return the cells of all rows of tables."""
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]


def medians_of(section: str) -> list[str]:
    """Return the median points of each strength, from the level's second table."""
    return [cells[1] for cells in cells_of(section) if cells[0] in STRENGTH_NAMES.values()]


def wording_of(page: str) -> list[str]:
    """Return all lines without their numbers, and of tables the headings alone."""
    lines = page.splitlines()
    shown = [
        line
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
        if not line.startswith("| ") or after.startswith("|---")
    ]
    return [re.sub(r"\d[\d,]*", "#", line) for line in shown]


def test_the_page_has_a_row_for_every_way_to_play(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("measure_levels", "--share", "500", "--seed", "4", "--thought", "0")
    page = capsys.readouterr().out
    assert "--seed 4" in page
    for level in shipped_levels().values():
        _, _, section = page.partition(f"## {level.id}: {level.name['en']}\n")
        section, _, _ = section.partition("\n## ")
        rows = [line for line in section.splitlines() if line.startswith("| ")]
        players = [row.split("|")[1].strip() for row in rows]
        assert players == ["players", "1", *map(str, level.player_counts)]
        _name, difficulty, elements, counts, *medians = summary_of(page)[level.id]
        assert difficulty == str(level.difficulty)
        assert ("track" in elements.split(", ")) == level.rails
        assert counts == f"1–{max(level.player_counts)}"
        assert medians == ["–"] * len(STRENGTH_NAMES)


def test_the_page_says_what_each_strength_reaches(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = {"1": 1, "2": 1}
    level = parse_level(find_level("level-1").document | {"rounds": rounds, "id": "short"})
    monkeypatch.setattr(measure_levels, "shipped_levels", lambda: {"short": level})
    call_command("measure_levels", "--share", "500", "--thought", "2")
    page = capsys.readouterr().out
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| ")]
    strengths = {
        row[0].strip(): row[1:] for row in rows if row[0].strip() in STRENGTH_NAMES.values()
    }
    assert [*strengths] == [*STRENGTH_NAMES.values()]
    for median, against in strengths.values():
        assert float(median) > 0
        assert against.strip() in ("", "0% (0% to 66%)", "50% (9% to 91%)", "100% (34% to 100%)")
    assert strengths["easy"][1].strip() == ""
    assert strengths["hard"][1].strip()
    assert summary_of(page)["short"][-3:] == medians_of(section_of(page, "short"))


@pytest.mark.parametrize("thought", ["-2", "3"])
def test_an_odd_number_of_games_is_refused(thought: str) -> None:
    """Games for two are played in pairs."""
    with pytest.raises(CommandError, match="--thought"):
        call_command("measure_levels", "--thought", thought)


@pytest.mark.parametrize("share", ["0", "501"])
def test_a_share_without_games_is_refused(share: str) -> None:
    with pytest.raises(CommandError, match="--share"):
        call_command("measure_levels", "--share", share)


@pytest.mark.parametrize("level_id", [f"level-{number}" for number in range(1, 9)])
def test_the_shipped_page_measures_the_shipped_sheets(level_id: str) -> None:
    grid = "\n".join(shipped_levels()[level_id].document["grid"])
    assert f"```\n{grid}\n```" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("level_id", [f"level-{number}" for number in range(1, 9)])
def test_the_shipped_summary_has_the_medians_of_the_tables(level_id: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    medians = medians_of(section_of(page, level_id))
    assert summary_of(page)[level_id][-3:] == medians
    assert [float(median) for median in medians] == sorted(map(float, medians))


def test_the_shipped_page_has_the_wording_of_the_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure_levels, "play_alone", lambda *_: [1])
    monkeypatch.setattr(measure_levels, "count_wins", lambda *_: Wins(1, 2))
    call_command("measure_levels", "--share", "500", "--thought", "2")
    assert wording_of(PAGE.read_text(encoding="utf-8")) == wording_of(capsys.readouterr().out)

"""``simulate`` for the four games of Dice²."""

from __future__ import annotations

import re

import pytest

from tests.commands.conftest import Run


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("square", ["Points", "Dice"]),
        ("four-wins", ["Dice", "Wins"]),
        ("last-man", ["Dice", "Wins"]),
        ("major", ["Markers", "Dice", "Wins"]),
    ],
)
def test_report_of_each_game_has_its_rows(run: Run, name: str, rows: list[str]) -> None:
    text = run("simulate", name, "--games", "3").out
    assert re.findall(r"^([A-Z]\w+) ", text, re.MULTILINE) == rows


@pytest.mark.parametrize("bot", ["beginner", "player", "expert"])
def test_bots_of_each_strength_play(run: Run, bot: str) -> None:
    asked = ("simulate", "four-wins", "--games", "2", "--json", "--bot")
    found = run(*asked, bot).document
    assert found["bot"] == bot
    assert sum(found["wins"]) == pytest.approx(1, abs=0.001)
    assert found == run(*asked, bot).document


def test_all_numbers_of_players(run: Run) -> None:
    text = run("simulate", "major", "--players", "all", "--games", "2").out
    assert re.findall(r"major: players (\d)", text) == ["2", "3"]
    ran = run("simulate", "major", "--players", "all", "--games", "2", "--json")
    assert [setting["players"] for setting in ran.document["settings"]] == [2, 3]
    ran = run("simulate", "major", "--players", "4")
    assert ran.status == 2
    assert "major can be played by 2, 3, not by 4" in ran.refusal

"""Does ``measure_levels`` write the page about the levels, and is the shipped one up to date?"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from sheets.experts import STRENGTHS
from sheets.levels import find_level, shipped_levels
from sheets.management.commands import measure_levels
from sheets.rules import parse_level

PAGE = Path(__file__).parents[2] / "docs" / "levels.md"


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


def test_the_page_says_what_each_strength_reaches(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = {"1": 1, "2": 1}
    level = parse_level(find_level("level-1").document | {"rounds": rounds, "id": "short"})
    monkeypatch.setattr(measure_levels, "shipped_levels", lambda: {"short": level})
    call_command("measure_levels", "--share", "500", "--thought", "2")
    page = capsys.readouterr().out
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| ")]
    strengths = {row[0].strip(): row[1:] for row in rows if row[0].strip() in STRENGTHS}
    assert [*strengths] == [*STRENGTHS]
    for median, against in strengths.values():
        assert float(median) > 0
        assert against.strip() in ("", "0% (0% to 66%)", "50% (9% to 91%)", "100% (34% to 100%)")
    assert strengths["beginner"][1].strip() == ""
    assert strengths["expert"][1].strip()


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

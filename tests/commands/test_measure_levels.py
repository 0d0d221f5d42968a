"""Does ``measure_levels`` write the page about the levels, and is the shipped one up to date?"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from sheets.levels import shipped_levels

PAGE = Path(__file__).parents[2] / "docs" / "levels.md"


def test_the_page_has_a_row_for_every_way_to_play(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("measure_levels", "--share", "500", "--seed", "4")
    page = capsys.readouterr().out
    assert "--seed 4" in page
    for level in shipped_levels().values():
        _, _, section = page.partition(f"## {level.id}: {level.name['en']}\n")
        section, _, _ = section.partition("\n## ")
        rows = [line for line in section.splitlines() if line.startswith("| ")]
        players = [row.split("|")[1].strip() for row in rows]
        assert players == ["players", "1", *map(str, level.player_counts)]


@pytest.mark.parametrize("share", ["0", "501"])
def test_a_share_without_games_is_refused(share: str) -> None:
    with pytest.raises(CommandError, match="--share"):
        call_command("measure_levels", "--share", share)


@pytest.mark.parametrize("level_id", [f"level-{number}" for number in range(1, 9)])
def test_the_shipped_page_measures_the_shipped_sheets(level_id: str) -> None:
    grid = "\n".join(shipped_levels()[level_id].document["grid"])
    assert f"```\n{grid}\n```" in PAGE.read_text(encoding="utf-8")

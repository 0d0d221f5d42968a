"""Reports and refusals of ``simulate``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.commands.conftest import Run
from tests.commands.test_process import ROOT, manage

TINY = {
    "format": "dizzle-level/1",
    "id": "tiny",
    "name": "Tiny",
    "grid": ["4x 2 5Gy", "1 3 6"],
    "points": {"gem": {"yellow": 2}},
}


def simulate(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    call_command("simulate", *args, "--json")
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def test_the_json_report_has_all_parts(capsys: pytest.CaptureFixture[str]) -> None:
    report = simulate(capsys, "level-8", "--players", "3", "--games", "4", "--seed", "9")
    assert list(report) == [
        *("level", "players", "games", "bot", "seed"),
        *("scores", "grades", "crossed", "pays", "fields", "wins"),
    ]
    assert [report[key] for key in ("level", "players", "games", "bot", "seed")] == [
        *("level-8", 3, 4, "greedy", 9)
    ]
    assert list(report["scores"]) == ["worst", "lower_quartile", "median", "upper_quartile", "best"]
    assert report["grades"] is None
    assert sum(report["wins"]) == pytest.approx(1, abs=0.001)
    assert list(report["pays"]) == [
        *("symbols", "planets", "lines", "puzzles", "areas", "flags", "tracks", "stops"),
        *("heaps", "bombs"),
    ]


def test_a_solo_report_has_grades(capsys: pytest.CaptureFixture[str]) -> None:
    report = simulate(capsys, "level-1", "--games", "3", "--bot", "random")
    assert sum(report["grades"]["shares"]) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize("bot", ["beginner", "player", "expert"])
def test_bots_of_each_strength_play(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, bot: str
) -> None:
    file = tmp_path / "tiny.json"
    file.write_text(json.dumps(TINY))
    asked = (str(file), "--players", "2", "--games", "3", "--bot")
    report = simulate(capsys, *asked, bot)
    assert report["bot"] == bot
    assert sum(report["wins"]) == pytest.approx(1, abs=0.001)
    assert report == simulate(capsys, *asked, bot)
    if bot == "player":
        assert report == simulate(capsys, *asked, "greedy") | {"bot": "player"}


def test_a_level_can_come_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "tiny.json"
    file.write_text(json.dumps(TINY))
    assert simulate(capsys, str(file), "--games", "2")["level"] == "tiny"


def test_people_get_a_text_and_no_progress_bar_in_a_pipe() -> None:
    ran = manage("simulate", "level-7", "--games", "12", "--seed", "2")
    assert (ran.returncode, ran.stderr) == (0, b"")
    text = ran.stdout.decode()
    for word in ("Scores", "Grades", "Fields crossed", "Orange gem", "Row 3", "Red flag", "Castle"):
        assert word in text


BAD_OPTIONS = {
    "nowhere": "level: There is no level “nowhere” here. [unknown-level]",
    "level-1 --players 5": "--players: level-1 can be played by 1, 2, 3, 4, not by 5",
    "level-1 --games 0": "--games: 0 is not from 1 to",
    "level-1 --bot clever": "invalid choice: 'clever'",
    "level-1 --seed x": "invalid int value: 'x'",
    "level-1 --quick": "unrecognized arguments: --quick",
    "": "the following arguments are required: level",
    "manage.py": "This is not a JSON file. [not-json]",
    "sheets": "cannot be read",
}


def test_bad_options_end_with_2_and_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    wrong = {}
    for args, words in BAD_OPTIONS.items():
        ran = run("simulate", *args.split())
        if (ran.status, ran.out, ran.err.count("\n")) != (2, "", 1) or words not in ran.err:
            wrong[args] = ran
    assert wrong == {}


def test_process_ends_with_2_and_one_line_for_a_bad_option() -> None:
    ran = manage("simulate", "nowhere")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.count(b"\n") == 1
    assert BAD_OPTIONS["nowhere"] in ran.stderr.decode()


def test_house_rules_change_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("level-1", "--players", "2", "--games", "4")
    plain = simulate(capsys, *asked)
    report = simulate(capsys, *asked, "--house-rule", "keep-dice", "--house-rule", "dice=12")
    assert report["house_rules"] == {"keep_dice": True, "dice": 12}
    assert "house_rules" not in plain
    assert report["crossed"] > plain["crossed"]


def test_five_can_play_any_level_by_a_house_rule(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="can be played by 1, 2, 3, 4, not by 5"):
        call_command("simulate", "level-1", "--players", "5")
    report = simulate(
        capsys, "level-1", "--players", "5", "--games", "2", "--house-rule", "more-players"
    )
    assert report["players"] == 5


@pytest.mark.parametrize("word", ["foo", "dice=99", "dice", "keep-dice=5", "starter=youngest"])
def test_impossible_house_rules_are_refused(word: str) -> None:
    with pytest.raises(CommandError, match=f"'{word}' is none of keep-dice, "):
        call_command("simulate", "level-1", "--house-rule", word)


def test_dice2_has_no_house_rules() -> None:
    with pytest.raises(CommandError, match="--house-rule: "):
        call_command("simulate", "square", "--house-rule", "keep-dice")

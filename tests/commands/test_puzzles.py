"""Output, stored puzzles and refusals of ``manage.py puzzles``."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from sheets.levels import find_level
from sheets.models import AddedPuzzle
from sheets.puzzles import generation, search
from sheets.puzzles.document import format_puzzle, key_of, parse_puzzle
from sheets.puzzles.generation import play_record
from sheets.puzzles.store import find_puzzle
from sheets.rules.documents.game import Record, format_game
from tests.commands.conftest import Run

pytestmark = pytest.mark.django_db


def call(*args: object) -> str:
    """Run the command, which keeps the connection to the database, and return its output."""
    out = StringIO()
    call_command("puzzles", *map(str, args), stdout=out)
    return out.getvalue()


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate fewer games for each choice, and accept smaller leads."""
    monkeypatch.setattr(search, "GAMES", (16, 48))
    monkeypatch.setattr(search, "MIN_LEAD", 0.5)


def played() -> Record:
    """Return a game of two bots."""
    record = play_record(find_level("level-1"), ("beginner", "beginner"), "command")
    return record._replace(players=("Ana", "Ben"))


def write(folder: Path, **changes: Any) -> Path:
    """Write the document of a game to a file."""
    path = folder / "game.json"
    path.write_text(json.dumps(format_game(played()) | changes))
    return path


def test_puzzles_in_a_recorded_game_are_added_once(tmp_path: Path, client: Client) -> None:
    path = write(tmp_path)
    out = call(path)
    count = AddedPuzzle.objects.count()
    assert count > 0
    assert out == f"Found {count} puzzles, of which {count} are new.\n"
    assert call(path) == f"Found {count} puzzles, of which 0 are new.\n"
    for row in AddedPuzzle.objects.all():
        puzzle = find_puzzle(row.key)
        assert puzzle.record.players == ("1", "2")  # no names of people
        before = puzzle.record.actions[: puzzle.decision]
        assert before == played().actions[: puzzle.decision]
        assert client.get(f"/puzzles/{row.key}/").status_code == 200


def test_puzzles_are_written_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "puzzles.jsonl"
    assert call(write(tmp_path), "-o", target) == ""
    documents = [json.loads(line) for line in target.read_text("utf-8").splitlines()]
    assert documents
    assert all(format_puzzle(parse_puzzle(one)) == one for one in documents)
    assert len({key_of(one) for one in documents}) == len(documents)
    assert not AddedPuzzle.objects.exists()


def test_bots_play_until_there_are_enough() -> None:
    out = call("--count", 2, "--level", "level-1", "--seed", "few")
    assert out == "Found 2 puzzles, of which 2 are new.\n"
    assert {row.document["game"]["level"] for row in AddedPuzzle.objects.all()} == {"level-1"}


def test_command_says_if_bots_games_have_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MIN_LEAD", 500)
    monkeypatch.setattr(generation, "MAX_FRUITLESS", 2)
    error = StringIO()
    call_command("puzzles", "--count", "2", "--level", "level-1", stdout=StringIO(), stderr=error)
    assert error.getvalue().startswith("These are fewer than 2: 2 more games had none ")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dice": "untracked"}, "its dice are not known, they lay on the table"),
        ({"level": "nowhere"}, "There is no level “nowhere”"),
        ({"actions": [{"do": "drop", "player": 0}]}, "first the start player rolls the dice"),
    ],
)
def test_file_that_cannot_be_searched_changes_nothing(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    (tmp_path / "good").mkdir()
    good, bad = write(tmp_path / "good"), write(tmp_path, **changes)
    with pytest.raises(CommandError) as refused:
        call(good, bad)
    assert str(refused.value).startswith(f"{bad}: ")
    assert message in str(refused.value)
    assert not AddedPuzzle.objects.exists()


def test_missing_file_is_named(run: Run, tmp_path: Path) -> None:
    assert "cannot be read" in run("puzzles", tmp_path / "none.json").refusal


@pytest.mark.parametrize("count", ["0", "1001", "x", "-3"])
def test_count_has_limits(run: Run, count: str) -> None:
    ran = run("puzzles", f"--count={count}")
    assert ran.status == 2
    assert "a number from 1 to 1000" in ran.err

"""Output and exit status of ``manage.py analyse``."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from sheets.analysis import analyser
from sheets.documents.analysis import read_analysis
from sheets.rules import parse_level
from sheets.rules.documents.game import format_game
from tests.analysis.tiny_games import play_tiny_game
from tests.commands.conftest import Run
from tests.table_games import TINY


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyser, "GAMES_PER_CHOICE", (12, 16, 16))
    monkeypatch.setattr(analyser, "GAMES_PER_PASS", (0, 16, 16))


def game(**change: Any) -> bytes:
    record = play_tiny_game(parse_level(TINY), ("Ana", "Ben"), Random(1))
    return json.dumps(format_game(record) | change).encode()


def test_analysis_can_be_read_back(run: Run) -> None:
    ran = run("analyse", "-", stdin=game())
    assert ran.status == 0
    assert read_analysis(ran.out.encode()) == ran.document
    assert ran.document["game"]["players"] == ["Ana", "Ben"]
    assert ran.document["round"] == 1
    assert run("analyse", "--check", "-", stdin=ran.out.encode()).document["ok"]
    assert run("analyse", "-", stdin=game()).out == ran.out


def test_options_set_rounds_and_seed(run: Run) -> None:
    closer = run("analyse", "-", "--rounds", "2", "--seed", "5", stdin=game()).document
    assert (closer["round"], closer["seed"]) == (2, 5)


def test_an_unfinished_game_is_analysed_as_far_as_it_goes(run: Run) -> None:
    actions = json.loads(game())["actions"][:9]
    found = run("analyse", "-", stdin=game(actions=actions)).document
    assert not found["game"]["finished"]
    assert found["players"][0]["points"]["end"]["within"] > 0


def test_a_game_without_known_dice_is_refused(run: Run) -> None:
    ran = run("analyse", "-", stdin=game(dice="untracked", actions=[]))
    assert "its dice are not known" in ran.refusal


def test_a_game_that_breaks_a_rule_says_which(run: Run) -> None:
    ran = run("analyse", "-", stdin=game(actions=[{"do": "drop", "player": 0}]))
    assert ran.status == 1
    assert ran.document["error"]["rule"] == "not-now"


def test_check_refuses_a_document_that_is_no_analysis(run: Run) -> None:
    assert "format" in run("analyse", "--check", "-", stdin=game()).refusal

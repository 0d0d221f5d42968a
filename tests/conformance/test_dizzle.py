"""Results of recorded Dizzle games, compared with those of an independent implementation."""

import json
from pathlib import Path
from typing import Any

import pytest

from sheets.rules.documents.game import parse_game, replay_record
from tests.conformance.comparison import differences
from tests.rules import naive

FOLDER = Path(__file__).parent / "dizzle"
"""The folder of the recorded games."""

NUMBERS = sorted(path.name.split(".")[0] for path in FOLDER.glob("*.game.json"))
"""The numbers of the recorded games, as in their file names."""


def load(number: str, kind: str) -> Any:
    return json.loads((FOLDER / f"{number}.{kind}.json").read_text(encoding="utf-8"))


def test_no_recorded_game_is_missing() -> None:
    assert len(NUMBERS) == 165


def test_engine_returns_the_expected_results() -> None:
    found = {
        number: differences(
            load(number, "expected"), replay_record(parse_game(load(number, "game")))
        )
        for number in NUMBERS
    }
    assert {number: differing for number, differing in found.items() if differing} == {}


def test_second_implementation_returns_the_expected_results() -> None:
    wrong = {}
    for number in NUMBERS:
        expected = load(number, "expected")
        result = naive.replay(load(number, "game"))
        if differing := differences(expected, result):
            wrong[number] = differing
        # It lists all rules that an action breaks, as the comparison with the engine needs them.
        elif result["error"] and set(result["error"]["also"]) != set(expected["error"]["also"]):
            wrong[number] = {"also": (expected["error"]["also"], result["error"]["also"])}
    assert wrong == {}


RESULT = {
    "ok": False,
    "applied": 3,
    "error": {"action": 3, "rule": "wrong-number", "also": ["wrong-number", "no-such-die"]},
}
"""An expected result for the tests of the comparison."""


@pytest.mark.parametrize(
    ("change", "keys"),
    [
        ({}, set()),
        ({"error": {"action": 3, "rule": "no-such-die", "message": "any words"}}, set()),
        ({"error": {"action": 3, "rule": "locked", "message": ""}}, {"error"}),
        ({"error": {"action": 2, "rule": "wrong-number", "message": ""}}, {"error"}),
        ({"error": None}, {"error"}),
        ({"ok": 0}, {"ok"}),
        ({"applied": 3.0}, {"applied"}),
        ({"pool": []}, {"pool"}),
    ],
    ids=lambda value: None if isinstance(value, set) else str(value),
)
def test_comparison_finds_differing_values(change: dict[str, Any], keys: set[str]) -> None:
    assert differences(RESULT, RESULT | change).keys() == keys


def test_comparison_finds_a_missing_key() -> None:
    assert differences(RESULT | {"rating": None}, RESULT).keys() == {"rating"}

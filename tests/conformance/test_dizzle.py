"""Do whole games of Dizzle end where an independent implementation says they end?"""

import json
from pathlib import Path
from typing import Any

import pytest

from sheets.rules.documents.game import parse_game, replay_record
from tests.conformance.comparison import differences
from tests.rules import naive

FOLDER = Path(__file__).parent / "dizzle"
NUMBERS = sorted(path.name.split(".")[0] for path in FOLDER.glob("*.game.json"))


def load(number: str, kind: str) -> Any:
    return json.loads((FOLDER / f"{number}.{kind}.json").read_text(encoding="utf-8"))


def test_no_vector_is_missing() -> None:
    assert len(NUMBERS) == 165


def test_engine_gives_the_expected_results() -> None:
    found = {
        number: differences(
            load(number, "expected"), replay_record(parse_game(load(number, "game")))
        )
        for number in NUMBERS
    }
    assert {number: differing for number, differing in found.items() if differing} == {}


def test_second_opinion_gives_the_expected_results() -> None:
    wrong = {}
    for number in NUMBERS:
        expected = load(number, "expected")
        result = naive.replay(load(number, "game"))
        if differing := differences(expected, result):
            wrong[number] = differing
        # It names all the rules an action breaks, so that it can judge the engine the same way.
        elif result["error"] and set(result["error"]["also"]) != set(expected["error"]["also"]):
            wrong[number] = {"also": (expected["error"]["also"], result["error"]["also"])}
    assert wrong == {}


RESULT = {
    "ok": False,
    "applied": 3,
    "error": {"action": 3, "rule": "wrong-number", "also": ["wrong-number", "no-such-die"]},
}


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
def test_comparison_notices(change: dict[str, Any], keys: set[str]) -> None:
    assert differences(RESULT, RESULT | change).keys() == keys


def test_comparison_notices_a_missing_key() -> None:
    assert differences(RESULT | {"rating": None}, RESULT).keys() == {"rating"}

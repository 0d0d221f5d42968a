"""The engine's answers to the recorded Dice² games and relays."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheets.rules.dice2.record import parse_dice2, parse_relay, replay_dice2, replay_relay

FOLDER = Path(__file__).parent


def expected_and_result(path: Path, result: dict[str, Any]) -> tuple[Any, Any]:
    """Both documents, made comparable: any rule of ``also`` will do, messages are free."""
    expected = json.loads(path.with_name(path.name.replace(".game.", ".expected.")).read_text())
    also = (expected.get("error") or {}).pop("also", [])
    error = result.get("error") or {}
    error.pop("message", None)
    if error.get("rule") in also:
        error["rule"] = expected["error"]["rule"]
    return expected, json.loads(json.dumps(result))


@pytest.mark.parametrize(
    ("folder", "parse", "replay"),
    [("dice2", parse_dice2, replay_dice2), ("relay", parse_relay, replay_relay)],
    ids=["games", "relays"],
)
def test_recorded_results(
    folder: str, parse: Callable[[Any], Any], replay: Callable[[Any], dict[str, Any]]
) -> None:
    wrong = {}
    paths = sorted((FOLDER / folder).glob("*.game.json"))
    assert paths
    for path in paths:
        expected, result = expected_and_result(path, replay(parse(json.loads(path.read_text()))))
        if result != expected:
            keys = expected.keys() | result.keys()
            wrong[path.name] = {
                key: (expected.get(key), result.get(key))
                for key in keys
                if expected.get(key) != result.get(key)
            }
    assert wrong == {}

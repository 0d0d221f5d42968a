"""The engine's answers to the recorded Dice² games and relays."""

import json
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
    "path", sorted((FOLDER / "dice2").glob("*.game.json")), ids=lambda p: p.name
)
def test_recorded_game(path: Path) -> None:
    expected, result = expected_and_result(
        path, replay_dice2(parse_dice2(json.loads(path.read_text())))
    )
    assert result == expected


@pytest.mark.parametrize(
    "path", sorted((FOLDER / "relay").glob("*.game.json")), ids=lambda p: p.name
)
def test_recorded_relay(path: Path) -> None:
    expected, result = expected_and_result(
        path, replay_relay(parse_relay(json.loads(path.read_text())))
    )
    assert result == expected

"""Results of recorded Dice² games and relays, compared with those of another implementation."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheets.rules.dice2.record import parse_dice2, parse_relay, replay_dice2, replay_relay
from tests.conformance.comparison import differences

FOLDER = Path(__file__).parent
"""Folder of the recorded games."""


@pytest.mark.parametrize(
    ("folder", "parse", "replay"),
    [("dice2", parse_dice2, replay_dice2), ("relay", parse_relay, replay_relay)],
    ids=["games", "relays"],
)
def test_recorded_games_have_the_expected_results(
    folder: str, parse: Callable[[Any], Any], replay: Callable[[Any], dict[str, Any]]
) -> None:
    paths = sorted((FOLDER / folder).glob("*.game.json"))
    assert paths
    found = {}
    for path in paths:
        expected = path.with_name(path.name.replace(".game.", ".expected."))
        result = replay(parse(json.loads(path.read_text())))
        # As JSON, the result has string keys and lists, like the expected one.
        found[path.name] = differences(
            json.loads(expected.read_text()), json.loads(json.dumps(result))
        )
    assert {name: differing for name, differing in found.items() if differing} == {}

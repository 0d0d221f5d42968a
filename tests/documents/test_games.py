"""Valid and refused game documents."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sheets.documents.structure import read_game
from sheets.levels import find_level
from sheets.rules import DocumentError
from sheets.rules.documents.game import format_game, history, replay_record
from tests.documents.examples import GAME, HARBOUR, RAILS, encode
from tests.documents.refusals import not_refused_there
from tests.rules.random_games import random_game


def acts(*entries: Any) -> dict[str, Any]:
    return {"actions": [{"do": "end_pass"}, *entries]}


ONE = "action 1"

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"format": "dizzle-sheets/1"}, "format"),
    ({"comment": "x"}, ""),
    ({"level": "nowhere"}, "level"),
    ({"level": ""}, "level"),
    ({"level": "../level-1"}, "level"),
    ({"level": 1}, "level"),
    ({"level": None}, "level"),
    ({"level": {}}, "level"),
    ({"level": HARBOUR | {"grid": ["1", 2]}}, "level grid row 2"),
    ({"level": HARBOUR | {"grid": ["1", "9"]}}, "level grid row 2"),
    ({"level": HARBOUR | {"ratings": [1]}}, "level ratings"),
    ({"dice": "mixed"}, "dice"),
    ({"dice": True}, "dice"),
    ({"players": []}, "players"),
    ({"players": ["Ana"] * 6}, "players"),
    ({"players": ["Ana"] * 7}, "players"),
    ({"players": ["Ana", ""]}, "players entry 2"),
    ({"players": ["Ana", "B" * 41]}, "players entry 2"),
    ({"players": ["Ana", 2]}, "players entry 2"),
    ({"players": "Ana"}, "players"),
    ({"level": "level-1", "players": ["Ana"] * 5}, "players"),
    ({"level": RAILS | {"dice": {"5": 9}}, "players": ["Ana"] * 5}, "players"),
    ({"level": RAILS | {"rounds": {"5": 9}}, "players": ["Ana"] * 5}, "players"),
    ({"actions": {}}, "actions"),
    ({"actions": [{"do": "end_pass"}] * 5001}, "actions"),
    (acts("roll"), ONE),
    (acts({}), ONE),
    (acts({"dice": [1]}), ONE),
    (acts({"do": "fly"}), f"{ONE} do"),
    (acts({"do": None}), f"{ONE} do"),
    (acts({"do": "roll"}), ONE),
    (acts({"do": "roll", "dice": [0]}), f"{ONE} dice entry 1"),
    (acts({"do": "roll", "dice": [1, 7]}), f"{ONE} dice entry 2"),
    (acts({"do": "roll", "dice": [1, 2.0]}), f"{ONE} dice entry 2"),
    (acts({"do": "roll", "dice": [True]}), f"{ONE} dice entry 1"),
    (acts({"do": "roll", "dice": 5}), f"{ONE} dice"),
    (acts({"do": "roll", "dice": [1], "player": 0}), ONE),
    (acts({"do": "extra", "dice": ["1", 2]}), f"{ONE} dice entry 1"),
    (acts({"do": "erupt"}), ONE),
    (acts({"do": "erupt", "die": 7}), f"{ONE} die"),
    (acts({"do": "lava", "player": 0}), ONE),
    (acts({"do": "place", "player": 0}), ONE),
    (acts({"do": "place", "at": "a1"}), ONE),
    (acts({"do": "place", "player": 2, "at": "a1"}), ONE),
    (acts({"do": "place", "player": -1, "at": "a1"}), f"{ONE} player"),
    (acts({"do": "place", "player": 6, "at": "a1"}), f"{ONE} player"),
    (acts({"do": "place", "player": 0.0, "at": "a1"}), f"{ONE} player"),
    (acts({"do": "place", "player": "Ana", "at": "a1"}), f"{ONE} player"),
    (acts({"do": "place", "player": 0, "at": "a1", "die": None}), f"{ONE} die"),
    (acts({"do": "place", "player": 0, "at": "a1", "die": 0}), f"{ONE} die"),
    *(
        (acts({"do": "place", "player": 0, "at": at}), f"{ONE} at")
        for at in ("", "a", "1", "A1", "1a", "aa1", "a-1", "a1 ", "a1\n", "a٣", "ä1", 11, ["a1"])
    ),
    (acts({"do": "reroll", "player": 0}), ONE),
    (acts({"do": "drop"}), ONE),
    (acts({"do": "drop", "player": 2}), ONE),
    (acts({"do": "drop", "player": 0, "at": "a1"}), ONE),
    (acts({"do": "end_pass", "player": 0}), ONE),
    (acts({"do": "track", "player": 0, "at": "a1"}), ONE),
    (acts({"do": "track", "player": 0, "at": "a1", "shape": "SN"}), f"{ONE} shape"),
    (acts({"do": "rocket", "player": 0}), ONE),
]


def describe(value: Any) -> str | None:
    return str(value)[:60].encode("unicode_escape").decode() if isinstance(value, dict) else None


def test_refused_naming_the_place() -> None:
    assert (
        not_refused_there(lambda change: read_game(encode(GAME | change), find_level), REFUSED)
        == []
    )


@pytest.mark.parametrize("key", list(GAME))
def test_every_key_is_required(key: str) -> None:
    with pytest.raises(DocumentError) as refusal:
        read_game(encode({k: v for k, v in GAME.items() if k != key}), find_level)
    assert (refusal.value.fault, refusal.value.facts) == ("missing-key", {"key": key})


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"level": "level-1"},
        {"players": ["Ana"]},
        {"players": ["Ana", "Ana"]},
        {"players": ["A" * 40] * 5},
        {"dice": "untracked"},
        {"actions": []},
        {"actions": [{"do": "end_pass"}] * 5000},
        acts({"do": "roll", "dice": []}, {"do": "roll", "dice": [6] * 1000}),
        acts({"do": "place", "player": 1, "at": "z99"}, {"do": "place", "player": 0, "at": "a0"}),
        acts({"do": "place", "player": 1, "at": "a1", "die": 6}),
        acts({"do": "track", "player": 0, "at": "a1", "shape": "SW"}),
        acts({"do": "rocket", "player": 0, "at": "f2"}, {"do": "lava", "player": 0, "at": "f2"}),
        acts({"do": "reroll", "player": 0, "dice": [1]}, {"do": "return", "player": 0, "at": "a1"}),
        acts({"do": "extra", "dice": [1, 1]}, {"do": "erupt", "die": 3}),
    ],
    ids=describe,
)
def test_accepted_document_is_written_unchanged(change: dict[str, Any]) -> None:
    document = GAME | change
    assert format_game(read_game(encode(document), find_level)) == document


def test_history_of_a_game_ends_where_its_replay_ends() -> None:
    document = random_game(Random(3))
    document["actions"] = document["actions"][:20]
    record = read_game(encode(document), find_level)
    result = replay_record(record)
    record = record._replace(actions=record.actions[: result["applied"]])
    *_, last = history(record)
    assert replay_record(record)["sheets"] == result["sheets"]
    assert last.phase == result["phase"]
    assert len(list(history(record))) == result["applied"] + 1


@pytest.mark.parametrize(
    ("level", "actions", "rule"),
    [
        ("level-1", [{"do": "roll", "dice": [1]}], "bad-dice"),
        ("level-1", [{"do": "roll", "dice": []}], "bad-dice"),
        ("level-1", [{"do": "roll", "dice": [1] * 5000}], "bad-dice"),
        (
            "level-1",
            [{"do": "roll", "dice": [1] * 7}, {"do": "drop", "player": 1}],
            "not-your-turn",
        ),
        ("level-1", [{"do": "end_pass"}], "not-now"),
        ("level-1", [{"do": "erupt", "die": 1}], "not-now"),
    ],
)
def test_rules_refuse_well_formed_actions(level: str, actions: list[Any], rule: str) -> None:
    document = GAME | {"level": level, "actions": actions}
    result = replay_record(read_game(encode(document), find_level))
    assert not result["ok"]
    assert result["error"]["rule"] == rule
    assert result["applied"] == len(actions) - 1

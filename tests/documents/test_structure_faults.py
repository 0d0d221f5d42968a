"""Structure faults: found exactly in the documents that msgspec refuses."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from sheets.documents.dice2 import Dice2GameDocument, RelayDocument
from sheets.documents.faults import find_structure_faults
from sheets.documents.structure import (
    GameDocument,
    LevelDocument,
    SheetsDocument,
    find_level_faults,
)
from sheets.groups.documents import GroupFile
from sheets.levels import shipped_levels
from sheets.rules.violations import FAULTS, format_place
from tests.documents.examples import GAME, HARBOUR, PROOF, RAILS, SHEETS
from tests.documents.mutations import encode, mutate
from tests.rules.random_games import random_game

CHECKOUT = Path(__file__).resolve().parents[2]
DICE2: dict[str, Any] = {
    "format": "dice2-game/1",
    "game": "four-wins",
    "players": ["Ana", "Ben"],
    "actions": [
        {"do": "place", "player": 0, "die": 3, "at": "e5"},
        {"do": "skip", "player": 1, "die": 6},
    ],
}
RELAY: dict[str, Any] = {
    "format": "dice2-relay/1",
    "target": 5,
    "handicap": True,
    "players": ["Ana", "Ben"],
    "games": [{"game": "four-wins", "starter": 0, "actions": DICE2["actions"]}],
}
GROUP: dict[str, Any] = {
    "format": "dizzle-group/1",
    "name": "Family",
    "players": [{"name": "Ana", "also": ["Anna"], "same_as": 1}, {"name": "Ben", "retired": True}],
    "evenings": [{"day": "2026-11-22", "place": "At Ben's"}],
    "games": [
        {
            "played": "2026-11-22T19:30:05Z",
            "day": "2026-11-22",
            "kind": "table",
            "results": [
                {"place": 1, "player": 0, "points": 44, "won": 0.5, "parts": {"bomb": -3}},
                {"place": 1, "label": "Bot 1", "points": None, "won": 0.5, "crossed": "ff"},
            ],
            "name": {"en": "Castle"},
            "starter": 1,
            "rating": None,
        }
    ],
    "levels": [HARBOUR],
}
STRUCTURES: dict[str, tuple[type[msgspec.Struct], list[Any]]] = {
    "level": (LevelDocument, [HARBOUR, RAILS]),
    "game": (GameDocument, [GAME, GAME | {"dice_proof": PROOF}, random_game(Random(3))]),
    "sheets": (SheetsDocument, [SHEETS]),
    "dice2": (Dice2GameDocument, [DICE2]),
    "relay": (RelayDocument, [RELAY]),
    "group": (GroupFile, [GROUP]),
}


@pytest.mark.parametrize("name", STRUCTURES)
@pytest.mark.parametrize("seed", range(5))
def test_exactly_the_documents_that_msgspec_refuses_have_a_fault(name: str, seed: int) -> None:
    random = Random(f"structure {name} {seed}")
    kind, documents = STRUCTURES[name]
    agreed = {True: 0, False: 0}
    for _ in range(300):
        text = encode(mutate(random, random.choice(documents), random.choice([1, 1, 2, 5])))
        try:
            msgspec.json.decode(text, type=kind)
            is_refused = False
        except msgspec.ValidationError:
            is_refused = True
        except (msgspec.DecodeError, UnicodeError):
            continue
        found = list(find_structure_faults(json.loads(text), kind))
        assert bool(found) == is_refused, (text, found)
        assert all(fault.fault in FAULTS for fault in found)
        agreed[is_refused] += 1
    assert min(agreed.values()) > 5


def test_all_faults_are_found_at_once() -> None:
    broken = HARBOUR | {
        "grid": ["1 2 9", "1 3"],
        "lines": [{"row": 7, "points": 1}, {"fields": ["z9"], "points": 1}],
        "ratings": [1, 2, 3, 4, 5, 5],
    }
    del broken["name"], broken["links"], broken["walls"], broken["areas"]
    del broken["shifts"], broken["labels"]
    found = [(format_place(fault.place), fault.fault) for fault in find_level_faults(broken)]
    assert found == [
        ("grid row 1", "not-a-field"),
        ("grid row 2", "uneven-rows"),
        ("lines entry 1", "unknown-row"),
        ("lines entry 2", "unknown-field"),
        ("ratings", "ratings-not-rising"),
        ("", "missing-key"),
    ]


def test_meaning_is_not_checked_in_a_wrong_structure() -> None:
    broken = HARBOUR | {"grid": [1], "lines": 5, "ratings": [1, 1, 1, 1, 1, 1]}
    found = [(fault.place, fault.fault) for fault in find_level_faults(broken)]
    assert found == [(("grid", 0), "not-a-text"), (("lines",), "not-a-list")]


@pytest.mark.parametrize("level_id", sorted(shipped_levels()))
def test_our_own_levels_have_no_fault(level_id: str) -> None:
    assert find_level_faults(shipped_levels()[level_id].document) == []


def test_every_pattern_and_format_names_its_fault() -> None:
    named = set()
    for kind, _documents in STRUCTURES.values():
        for part in parts_of(inspect.type_info(kind), name=""):
            assert part in FAULTS, kind
            named.add(part)
    faults = {
        *("other-format", "not-an-id", "not-a-column", "not-a-field-name", "not-allowed"),
        "not-hexadecimal",
    }
    assert named == faults


def parts_of(kind: inspect.Type, name: str) -> list[str]:
    """Return the fault named by each pattern and format inside a structure, empty if none."""
    match kind:
        case inspect.Metadata():
            return parts_of(kind.type, (kind.extra or {})["fault"])
        case inspect.StructType():
            return [name for field in kind.fields for name in parts_of(field.type, "")]
        case inspect.UnionType():
            return [name for one in kind.types for name in parts_of(one, "")]
        case inspect.ListType():
            return parts_of(kind.item_type, "")
        case inspect.DictType():
            return [*parts_of(kind.key_type, ""), *parts_of(kind.value_type, "")]
        case inspect.StrType() if kind.pattern:
            return [name]
        case inspect.LiteralType() if any("/" in str(value) for value in kind.values):
            return [name]
    return []


def test_raised_faults_are_known() -> None:
    raised = {}
    for path in sorted((CHECKOUT / "sheets").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "DocumentError":
                for part in ast.walk(node.args[0]):
                    if isinstance(part, ast.Constant):
                        raised[part.value] = f"{path.name}:{part.lineno}"
    assert {name: place for name, place in raised.items() if name not in FAULTS} == {}

"""Puzzles of the site: those of the release, and those that were added."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from sheets.levels import find_level
from sheets.models import AddedPuzzle
from sheets.puzzles.document import key_of, parse_puzzle
from sheets.puzzles.puzzle import GRADES, Puzzle
from sheets.rules import Level
from sheets.rules.documents.game import parse_game_level
from sheets.text.house_rules import level_title

SHIPPED: Final = Path(__file__).with_name("shipped.jsonl")
"""File with the puzzles of the release, one document in each line, written by
``manage.py puzzles --count 100 -o sheets/puzzles/shipped.jsonl``."""


class ListedPuzzle(NamedTuple):
    """A puzzle in the list; ``level`` is the title of the level with its house rules."""

    key: str
    level: str
    grade: str


def list_puzzles() -> list[ListedPuzzle]:
    """Return all puzzles: those of the release first, then the added ones, the oldest first."""
    added = AddedPuzzle.objects.order_by("pk").values_list(
        "key", "document__game__level", "document__game__house_rules", "document__grade"
    )
    rows = [*_shipped_rows(), *(row for row in added if row[0] not in shipped_puzzles())]
    return [
        ListedPuzzle(key, level_title(_parse_level(json.dumps([level, house_rules]))), grade)
        for key, level, house_rules, grade in rows
    ]


def find_puzzle(key: str) -> Puzzle:
    """Return a puzzle. Raises AddedPuzzle.DoesNotExist."""
    if key in shipped_puzzles():
        return _parse_shipped(key)
    return parse_puzzle(AddedPuzzle.objects.get(key=key).document)


def add_puzzle(document: Mapping[str, Any]) -> bool:
    """Add a puzzle to the site; return False if the site has it already."""
    key = key_of(document)
    if key in shipped_puzzles():
        return False
    return AddedPuzzle.objects.get_or_create(key=key, defaults={"document": document})[1]


def sort_for_list(documents: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return puzzles in the order of the list: by level, then by grade."""
    grades = list(GRADES.values())
    return sorted(
        documents, key=lambda one: (str(one["game"]["level"]), grades.index(one["grade"]))
    )


@cache
def shipped_puzzles() -> Mapping[str, Mapping[str, Any]]:
    """Return the documents of the release's puzzles by key, in their order in the list."""
    documents = map(json.loads, SHIPPED.read_text("utf-8").splitlines())
    return {key_of(document): document for document in documents}


@lru_cache(maxsize=128)
def _parse_shipped(key: str) -> Puzzle:
    return parse_puzzle(shipped_puzzles()[key])


@cache
def _shipped_rows() -> list[tuple[str, Any, Any, str]]:
    return [
        (key, document["game"]["level"], document["game"].get("house_rules"), document["grade"])
        for key, document in shipped_puzzles().items()
    ]


@lru_cache(maxsize=64)
def _parse_level(text: str) -> Level:
    """Return the level of a game; the text has its entry ``level``, and ``house_rules`` or null."""
    level, house_rules = json.loads(text)
    game = {"level": level} | ({"house_rules": house_rules} if house_rules else {})
    return parse_game_level(game, find_level)[0]

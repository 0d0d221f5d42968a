"""Time limit for the largest documents: read, used or refused in linear time."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from sheets.documents.structure import MAX_BYTES, read_game, read_level, read_sheets
from sheets.levels import find_level
from sheets.rules import DocumentError
from sheets.rules.documents.game import replay_record
from sheets.rules.doubts import find_doubts
from sheets.rules.paper_scoring import score_paper
from sheets.text.doubts import describe_doubt
from tests.documents.examples import Document, encode

MAX_SECONDS = 5
"""Maximum CPU time on a busy machine; most documents need a fraction, quadratic work minutes."""

FIELDS = [f"{column}{row}" for row in range(1, 27) for column in "abcdefghijklmnopqrstuvwxyz"]
SNAKE = [at for at in FIELDS if int(at[1:]) % 2 or at[0] == "za"[int(at[1:]) // 2 % 2]]
NAMES = ["Ana", "Ben", "Cem", "Dora", "Emil", "Fay"]


def level(**more: Any) -> Document:
    """Return the largest level: all fields, and the maximum number of lines and races."""
    return {
        "format": "dizzle-level/1",
        "id": "large",
        "name": "Large",
        "grid": ["1x " + "1 " * 25] + [" ".join("123456" * 5)[:51]] * 25,
        "lines": [{"fields": FIELDS, "points": 1}] * 40,
        "areas": [{"fields": FIELDS, "race": [5, 3]}] * 40,
        "dice": dict.fromkeys("123456", 30),
        "rounds": dict.fromkeys("123456", 50),
    } | more


def rails() -> Document:
    """Return the largest rail level, with one long snake of tracks."""
    grid = [" ".join("1" * 26)] * 26
    return level(marks="tracks", grid=grid, tracks=dict.fromkeys(FIELDS[::2], "EW"))


def sheets(level: Document, **marks: Any) -> Document:
    entries = [{"player": name, **marks} for name in NAMES]
    return {"format": "dizzle-sheets/1", "level": level, "sheets": entries}


def game(level: Document, actions: list[Document]) -> Document:
    return {
        "format": "dizzle-game/1",
        "level": level,
        "dice": "untracked",
        "players": NAMES,
        "actions": actions,
    }


def long_game() -> Document:
    """Return a game in which six players place one die after the other, field by field."""
    places = [{"do": "place", "player": p, "at": at} for at in FIELDS[26:] for p in range(6)]
    return game(level(), [*places, {"do": "end_pass"}, *places][:5000])


def use_game(text: bytes) -> None:
    replay_record(read_game(text, find_level))


def use_sheets(text: bytes) -> None:
    paper = read_sheets(text, find_level)
    score_paper(paper)
    for doubt in find_doubts(paper):
        describe_doubt(doubt, paper)


def with_double_key(keys: int) -> bytes:
    """Return sheets with many races and one duplicate key."""
    text = encode(sheets(level(), races={str(number): 1 for number in range(keys)}))
    return text.replace(b'"7": 1', b'"7": 1, "7": 1', 1)


SEAT = {"do": "place", "player": 0, "at": "a1"}
LARGE: dict[str, tuple[Callable[[bytes], Any], Any]] = {
    "level": (read_level, level()),
    "level of links": (read_level, level(links=[["a1", "c3"]] * 400)),
    "unknown keys": (read_level, level(**{f"k{i}": i for i in range(30_000)})),
    "labels": (read_level, level(labels={f"gem {i}": "x" for i in range(30_000)})),
    "too many links": (read_level, level(links=[["a1", "c3"]] * 40_000)),
    "names of one field": (read_level, level(lines=[{"fields": ["a1"] * 100_000, "points": 1}])),
    "text": (read_level, level(author="x" * 600_000)),
    "text of escapes": (read_level, level(author="\\" * 300_000)),
    "digits": (read_level, encode(level(difficulty=1))[:-1] + b"1" * 600_000 + b"}"),
    "brackets": (read_level, encode(level(author=1))[:-2] + b"[" * 600_000),
    "long game": (use_game, long_game()),
    "one long roll": (use_game, game(level(), [{"do": "roll", "dice": [1] * 200_000}])),
    "too many actions": (use_game, game(level(), [SEAT] * 15_000)),
    "full sheets": (use_sheets, sheets(level(), crosses=FIELDS)),
    "sheets of a snake": (use_sheets, sheets(level(), crosses=SNAKE)),
    "sheets of lava": (use_sheets, sheets(level(), lava=FIELDS[1:], exploded=FIELDS[1:])),
    "tracks": (use_sheets, sheets(rails(), tracks=dict.fromkeys(FIELDS, "EW"))),
    "races": (use_sheets, sheets(level(), races={str(i): 1 for i in range(9_000)})),
    "races one of which is double": (use_sheets, with_double_key(9_000)),
}


@pytest.mark.parametrize(("use", "document"), LARGE.values(), ids=LARGE)
def test_large_documents_are_handled_quickly(use: Callable[[bytes], Any], document: Any) -> None:
    text = document if isinstance(document, bytes) else encode(document)
    assert len(text) <= MAX_BYTES
    began = time.process_time()
    with suppress(DocumentError):
        use(text)
    assert time.process_time() - began < MAX_SECONDS

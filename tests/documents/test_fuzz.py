"""Fuzzing of documents: each is refused in one line, or can be used to the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, NamedTuple

import pytest

from sheets.documents.structure import read_game, read_level, read_sheets
from sheets.levels import find_level
from sheets.management.commands.levels import describe
from sheets.rules import DocumentError, Level, format_level
from sheets.rules.documents.game import Record, format_game, format_scores, replay_record
from sheets.rules.documents.sheets import format_sheets
from sheets.rules.doubts import find_doubts
from sheets.rules.paper_scoring import Paper, score_paper
from sheets.rules.scoring import score_sheet
from sheets.rules.sheet import blank_sheet
from sheets.text.doubts import describe_doubt
from sheets.text.refusals import explain
from tests.documents.mutations import encode, mutate, mutate_bytes
from tests.documents.random_sheets import random_sheets
from tests.rules.random_games import random_game, random_level


def use_level(level: Level) -> None:
    again = read_level(encode(format_level(level)))
    assert format_level(again) == format_level(level)
    json.dumps(describe(level), allow_nan=False)
    score_sheet(blank_sheet(level), solo=True)


def use_game(record: Record) -> None:
    again = read_game(encode(format_game(record)), find_level)
    assert format_game(again) == format_game(record)
    result = replay_record(record, partial(explain, players=record.players))
    json.dumps(result, allow_nan=False)


def use_sheets(paper: Paper) -> None:
    again = read_sheets(encode(format_sheets(paper)), find_level)
    assert format_sheets(again) == format_sheets(paper)
    assert again.unclear == paper.unclear
    assert score_paper(again) == score_paper(paper)
    scores = format_scores(paper.players, score_paper(paper).scores)
    warnings = [describe_doubt(doubt, paper) for doubt in find_doubts(paper)]
    json.dumps([scores, warnings], allow_nan=False)


class Kind(NamedTuple):
    """Kind of document: functions that create, read and use one."""

    make: Callable[[Random], Any]
    read: Callable[[bytes], Any]
    use: Callable[[Any], None]


KINDS = {
    "level": Kind(random_level, read_level, use_level),
    "game": Kind(random_game, partial(read_game, find_level=find_level), use_game),
    "sheets": Kind(random_sheets, partial(read_sheets, find_level=find_level), use_sheets),
}


def is_used(kind: Kind, text: bytes) -> bool:
    """Return whether the document is usable; a refusal must be one short printable line."""
    try:
        value = kind.read(text)
    except DocumentError as error:
        refusal = str(error)
    else:
        kind.use(value)
        return True
    assert refusal.isprintable(), refusal
    assert 0 < len(refusal) < 300
    return False


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", range(10))
def test_changed_documents_are_refused_or_used(name: str, seed: int) -> None:
    random, kind = Random(f"{name} {seed}"), KINDS[name]
    document = kind.make(random)
    assert is_used(kind, encode(document))
    used = [
        is_used(kind, encode(mutate(random, document, random.choice([1, 1, 1, 2, 5, 20]))))
        for _ in range(40)
    ]
    assert {True, False} == set(used), "the changes must sometimes get past the checks"


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_damaged_bytes_are_refused_or_used(name: str, seed: int) -> None:
    random, kind = Random(f"bytes {name} {seed}"), KINDS[name]
    text = encode(kind.make(random))
    for _ in range(40):
        is_used(kind, mutate_bytes(random, text))

"""All faults of documents, each raised at its place, with a sentence in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import translation

from sheets.documents.dice2 import read_dice2, read_relay
from sheets.documents.opened import read_any
from sheets.documents.structure import (
    MAX_BYTES,
    Document,
    decode,
    read_game,
    read_level,
    read_sheets,
)
from sheets.groups.documents import read_group
from sheets.levels import find_level
from sheets.management.paper_file import read_unambiguous_sheets
from sheets.pages import open
from sheets.rules import DocumentError
from sheets.rules.violations import FAULTS, format_place
from sheets.tables import acts
from sheets.tables.access import Refused
from sheets.tables.dice2 import files as dice2_files
from sheets.text.faults import SENTENCES, describe_fault, format_fault
from sheets.workshop.level_codes import parse_code
from tests.documents.examples import GAME, HARBOUR, PROOF, RAILS, SHEETS, encode
from tests.documents.test_structure_faults import DICE2, RELAY
from tests.groups.test_documents import SMALL
from tests.workshop.test_level_codes import GOOD, press

Raise = Callable[[], Any]


class NeverGood(Document):
    """Structure that msgspec refuses for a reason that its types do not show."""

    number: int = 0

    def __post_init__(self) -> None:
        raise ValueError("never")


def level(**change: Any) -> Raise:
    return lambda: read_level(encode(HARBOUR | change))


def rails(**change: Any) -> Raise:
    return lambda: read_level(encode(RAILS | change))


def game(**change: Any) -> Raise:
    return lambda: read_game(encode(GAME | change), find_level)


def sheet(on: Any = HARBOUR, **marks: Any) -> Raise:
    document = SHEETS | {"level": on, "sheets": [{"player": "Ana", **marks}]}
    return lambda: read_sheets(encode(document), find_level)


def clear(*crosses: list[str]) -> Raise:
    entries = [{"player": "Ana", "crosses": names} for names in crosses]
    return lambda: read_unambiguous_sheets(encode(SHEETS | {"sheets": entries}))


def group(**change: Any) -> Raise:
    games = [SMALL["games"][0] | change]
    return lambda: read_group(encode(SMALL | {"games": games}))


def sent(**form: str) -> Raise:
    return lambda: open._sent_text(RequestFactory().post("/open/", form))


def text(written: bytes) -> Raise:
    return lambda: read_level(written)


def opened(written: bytes) -> Raise:
    return lambda: read_any(written)


LONG = b'{"format": "dizzle-level/1", "id": ' + b"[" * 100_000
RAISED: dict[str, tuple[Raise, str]] = {
    "no-file": (sent(), ""),
    "several-files": (sent(several="1"), ""),
    "empty-file": (opened(b""), ""),
    "picture": (opened(b"%PDF-1.7"), ""),
    "too-large": (text(b" " * (MAX_BYTES + 1)), ""),
    "not-utf-8": (text(encode(HARBOUR).replace(b"Ana", b"\xff")), ""),
    "not-json": (text(b"dizzle"), ""),
    "broken-json": (text(b'{"format":\n  dizzle}'), ""),
    "too-deep": (text(LONG), ""),
    "no-document": (opened(b"[1]"), ""),
    "no-code": (lambda: parse_code("x"), ""),
    "code-cut-off": (lambda: parse_code(GOOD[:300]), ""),
    "code-too-large": (lambda: parse_code(press(b" " * (MAX_BYTES + 1))), ""),
    "other-format": (level(format="dizzle-level/2"), "format"),
    "no-level-inside": (opened(encode(DICE2)), "format"),
    "double-key": (text(encode(HARBOUR).replace(b'"red":', b'"red": [1], "red":')), ""),
    "nul-character": (level(author="A\0"), "author"),
    "missing-key": (lambda: read_relay(encode(RELAY | {"games": [{}]})), "games entry 1"),
    "unknown-key": (level(lines=[{"row": 1, "points": 1, "x": 1}]), "lines entry 1"),
    "not-an-object": (level(points=[]), "points"),
    "not-a-list": (level(grid="1 2"), "grid"),
    "not-a-text": (level(grid=["1", 2]), "grid row 2"),
    "not-an-integer": (level(difficulty=1.0), "difficulty"),
    "not-a-number": (level(shifts=[0, "1"]), "shifts entry 2"),
    "not-a-boolean": (level(repeat_last=1), "repeat_last"),
    "not-allowed": (level(marks="rails"), "marks"),
    "not-a-field-name": (level(links=[["a1", "A1"]]), "links entry 1 entry 2"),
    "not-a-column": (level(lines=[{"column": "A", "points": 1}]), "lines entry 1 column"),
    "not-an-id": (level(id="Harbour"), "id"),
    "not-hexadecimal": (game(dice_proof=PROOF | {"seed": "f" * 63}), "dice_proof seed"),
    "empty": (level(name={"de": ""}), "name de"),
    "too-short": (level(walls=[["a1"]]), "walls entry 1"),
    "too-long": (level(about="x" * 501), "about"),
    "too-small": (level(difficulty=0), "difficulty"),
    "too-great": (game(actions=[{"do": "erupt", "die": 10**30}]), "action 0 die"),
    "unusable": (lambda: decode(b"{}", NeverGood), ""),
    "wrong-size": (level(grid=[" ".join("1" * 27)]), "grid row 1"),
    "uneven-rows": (level(grid=["1 2", "1"]), "grid row 2"),
    "no-fields": (level(grid=[". ."]), "grid"),
    "not-a-field": (game(level=HARBOUR | {"grid": ["1", "1x2"]}), "level grid row 2"),
    "open-number": (level(grid=["1 ?xGy"]), "grid row 1"),
    "volcano-number": (level(grid=["1 1V"]), "grid row 1"),
    "not-on-rails": (rails(grid=["1 2R"]), "grid row 1"),
    "unknown-symbol": (level(labels={"moon": "buoy"}), "labels"),
    "line-kind": (level(lines=[{"points": 1}]), "lines entry 1"),
    "unknown-row": (level(lines=[{"row": 9, "points": 1}]), "lines entry 1"),
    "unknown-column": (level(lines=[{"column": "z", "points": 1}]), "lines entry 1"),
    "unknown-field": (level(links=[["a1", "z9"]]), "links entry 1"),
    "field-twice": (level(areas=[{"fields": ["a1", "a1"], "points": 1}]), "areas entry 1"),
    "not-crossable": (level(areas=[{"fields": ["d3"], "points": 1}]), "areas entry 1"),
    "points-or-race": (level(areas=[{"fields": ["a1"]}]), "areas entry 1"),
    "track-empty": (level(areas=[{"fields": ["a1"], "race": []}]), "areas entry 1 race"),
    "track-rising": (
        level(points=HARBOUR["points"] | {"flag": {"red": [1, 2]}}),
        "points flag red",
    ),
    "rails-only": (level(tracks={"a1": "NS"}), "tracks"),
    "track-on-volcano": (rails(grid=["1 -V 3S", "4 5 6Gy", "1 2Fr 3"]), "tracks"),
    "rails-shifted": (rails(shifts=[0, 0, 0]), "shifts"),
    "shift-count": (level(shifts=[0]), "shifts"),
    "shift-size": (level(shifts=[0, 0.1, 0]), "shifts"),
    "same-field": (level(links=[["a1", "a1"]]), "links entry 1"),
    "ratings-not-rising": (level(ratings=[1, 1, 1, 1, 1, 1]), "ratings"),
    "no-points": (level(points=HARBOUR["points"] | {"gem": {}}), "points"),
    "linked-and-walled": (level(links=[["a1", "b1"]], walls=[["b1", "a1"]]), "walls"),
    "unknown-level": (game(level="nowhere"), "level"),
    "player-count": (game(players=["Ana"] * 6), "players"),
    "unknown-player": (
        lambda: read_dice2(encode(DICE2 | {"game": "square", "players": ["Ana"]})),
        "action 1",
    ),
    "too-many-actions": (
        lambda: dice2_files.go_on_with(encode(DICE2 | {"actions": []}), "token"),
        "",
    ),
    "solo-sheets": (
        lambda: read_sheets(encode(SHEETS | {"solo": True}), find_level),
        "solo",
    ),
    "solo-exploded": (sheet(exploded=["g1"]), "sheets entry 1 exploded"),
    "tracks-alone": (sheet(RAILS, crosses=["a1"]), "sheets entry 1 crosses"),
    "other-track-printed": (sheet(RAILS, tracks={"b1": "EW"}), "sheets entry 1 tracks"),
    "crossed-as-well": (sheet(lava=["a1"], crosses=["a1"]), "sheets entry 1 lava"),
    "not-on-level": (sheet(races={"0": 1}), "sheets entry 1 races"),
    "not-on-track": (sheet(flags={"red": 5}), "sheets entry 1 flags red"),
    "number-unclear": (clear(["c3"], ["c3"]), "sheets entry 1 flags red"),
    "other-count": (
        game(dice_proof=PROOF | {"contributions": [""]}),
        "dice_proof contributions",
    ),
    "not-a-day": (group(day=""), "games entry 1 day"),
    "not-a-time": (group(played="2026-11-22T19:30:00"), "games entry 1 played"),
    "wrong-year": (group(day="1969-12-31"), "games entry 1 day"),
    "ahead": (group(day="2199-12-31"), "games entry 1 day"),
    "player-twice": (
        group(results=[{"place": 1, "player": 0}, {"place": 2, "player": 0}]),
        "games entry 1 results entry 2 player",
    ),
}
"""For each fault, a function that raises it, and the expected place."""


@pytest.fixture
def full_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each table refuse further actions."""

    def refuse(*_args: object) -> None:
        raise Refused("log-full")

    monkeypatch.setattr(acts, "take_over", refuse)


def test_every_fault_has_a_case_and_a_sentence() -> None:
    assert tuple(RAISED) == FAULTS
    assert tuple(SENTENCES) == FAULTS
    assert len(set(FAULTS)) == len(FAULTS)


@pytest.mark.django_db
@pytest.mark.usefixtures("full_tables")
@pytest.mark.parametrize("name", RAISED)
def test_fault_is_raised_at_its_place_with_a_sentence_in_both_languages(name: str) -> None:
    cause, place = RAISED[name]
    with pytest.raises(DocumentError) as raised:
        cause()
    fault = raised.value
    assert (fault.fault, format_place(fault.place)) == (name, place)
    said = {}
    for language in ("en", "de"):
        with translation.override(language):
            said[language] = describe_fault(fault)
            line = format_fault(fault)
        for sentence in (said[language], line.removesuffix(f" [{name}]")):
            assert sentence.endswith(".")
            assert "%(" not in sentence
            assert sentence.isprintable()
    assert said["de"] != said["en"]
    assert line.startswith(f"{place}: " if place else said["de"])
    assert json.dumps([fault.place, fault.facts])

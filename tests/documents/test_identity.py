"""Round trip of final sheets through the parser (levels and games: `tests.rules`)."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sheets.documents.structure import read_sheets
from sheets.levels import find_level
from sheets.rules.documents.sheets import format_sheets
from sheets.rules.paper_scoring import score_paper
from sheets.scoring.marks import place_values, read_paper, stored_marks
from tests.documents.examples import encode
from tests.documents.random_sheets import random_sheets


@given(st.integers(0, 2**32).map(Random))
@settings(deadline=None, max_examples=60)
def test_sheets_survive_reading_and_writing(random: Random) -> None:
    document = random_sheets(random)
    paper = read_sheets(encode(document), find_level)
    written = format_sheets(paper)
    again = read_sheets(encode(written), find_level)
    assert format_sheets(again) == written
    assert again.unclear == paper.unclear
    assert score_paper(again) == score_paper(paper)

    # Printed crosses are left out, and numbers that follow from the sheets are added.
    assert written["level"] == document["level"]
    for sheet, was in zip(written["sheets"], document["sheets"], strict=True):
        assert sheet["player"] == was["player"]
        assert set(sheet["crosses"]) <= set(was["crosses"])
        assert sheet["tracks"].items() <= was["tracks"].items()
        assert set(sheet["exploded"]) == set(was["exploded"])
        assert set(sheet["lava"]) == set(was["lava"])
        assert sheet["flags"].items() >= was["flags"].items()
        assert sheet["races"].items() >= was["races"].items()


@given(st.integers(0, 2**32).map(Random))
@settings(deadline=None, max_examples=60)
def test_sheets_survive_storage_mark_by_mark(random: Random) -> None:
    document = random_sheets(random)
    for sheet in document["sheets"]:
        clear_volcanoes(document["level"], sheet)
    paper = read_sheets(encode(document), find_level)
    level, players = paper.level, paper.players
    stored = [stored_marks(paper, player) for player in range(len(players))]
    solo = paper.is_solo if len(players) == 1 else None
    again = read_paper(level, players, stored, solo)
    assert format_sheets(again)["sheets"] == format_sheets(paper)["sheets"]
    assert again.unclear == paper.unclear
    assert score_paper(again) == score_paper(paper)
    for marks in stored:
        for at, value in marks.items():
            if at in level.number_tracks:
                assert value in place_values(level, at)


def clear_volcanoes(level: dict[str, Any], sheet: dict[str, Any]) -> None:
    """Remove marks on volcanoes, which no player can make and a scoring does not store."""
    volcanoes = {
        f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row}"
        for row, squares in enumerate(level["grid"], start=1)
        for column, square in enumerate(squares.split())
        if square == "-V"
    }
    for name in ("crosses", "exploded", "lava"):
        sheet[name] = [at for at in sheet[name] if at not in volcanoes]

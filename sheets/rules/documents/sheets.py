"""Conversion of finished paper sheets from and to ``dizzle-sheets/1`` documents.

The document's types and ranges are already validated (`sheets.documents.structure`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sheets.rules.documents.game import FindLevel, no_shipped_level, parse_level_reference
from sheets.rules.documents.level import format_level
from sheets.rules.final_sheet import format_final_sheet, parse_final_sheet
from sheets.rules.level import Level
from sheets.rules.paper_scoring import Paper, fill_numbers
from sheets.rules.sheet import Sheet
from sheets.rules.violations import DocumentError


def parse_sheets(document: Mapping[str, Any], find_level: FindLevel = no_shipped_level) -> Paper:
    """Return the sheets that a ``dizzle-sheets/1`` document describes.

    A missing circled number that can only be the first of its track is filled in; other missing
    numbers are listed in ``unclear`` and count 0.

    Raises:
        DocumentError: for impossible marks (see `parse_final_sheet`), and for a solo game with
            several sheets or an exploded bomb.
    """
    level, level_id = parse_level_reference(document["level"], find_level)
    entries = document["sheets"]
    is_solo = document.get("solo", len(entries) == 1)
    if is_solo and len(entries) > 1:
        raise DocumentError("solo-sheets", ("solo",), count=len(entries))
    sheets = [
        parse_final_sheet(level, entry, ("sheets", index)) for index, entry in enumerate(entries)
    ]
    if is_solo and any(sheet.exploded for sheet in sheets):
        raise DocumentError("solo-exploded", ("sheets", 0, "exploded"))
    _check_numbers(level, sheets)
    players = [entry["player"] for entry in entries]
    return fill_numbers(Paper(level, level_id, tuple(players), tuple(sheets), is_solo, ()))


def format_sheets(paper: Paper) -> dict[str, Any]:
    """Return the ``dizzle-sheets/1`` document of paper sheets; printed marks are not listed.

    Only for a single sheet it has the key ``solo``, as several sheets are never solo. A level with
    house rules is contained as a whole, because the id of a shipped level names it without them.
    """
    level = paper.level
    level_id = "" if level.house_rules.changed else paper.level_id
    return {
        "format": "dizzle-sheets/1",
        "level": level_id or format_level(level),
        **({"solo": paper.is_solo} if len(paper.sheets) == 1 else {}),
        "sheets": [
            {"player": player, **format_final_sheet(sheet)}
            for player, sheet in zip(paper.players, paper.sheets, strict=True)
        ],
    }


def _check_numbers(level: Level, sheets: Sequence[Sheet]) -> None:
    """Raise DocumentError for a circled number that no player can have on its track."""
    for track in level.number_tracks.values():
        possible = {*track.numbers, *track.possible_numbers(len(track.takers(sheets)))}
        for index, sheet in enumerate(sheets):
            value = track.circled(sheet)
            if value is not None and value not in possible:
                place = ("sheets", index, track.entry, track.key)
                raise DocumentError("not-on-track", place, number=value)

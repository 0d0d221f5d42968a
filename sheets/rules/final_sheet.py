"""Conversion of a player's final sheet from and to an entry of a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from sheets.rules.level import Level
from sheets.rules.sheet import Sheet, finished_sheet
from sheets.rules.violations import DocumentError, DocumentPath

SHEET_KEYS: Final = ("crosses", "exploded", "lava", "tracks", "flags", "races")
"""The keys of an entry, see `format_final_sheet`."""


def parse_final_sheet(level: Level, entry: Mapping[str, Any], place: DocumentPath = ()) -> Sheet:
    """Return the sheet that an entry describes; printed marks need not be listed.

    Args:
        level: the level.
        entry: the entry, with any of the keys in `SHEET_KEYS`.
        place: path to the entry in its document.

    Raises:
        DocumentError: for impossible marks, such as unknown fields, a field both crossed and
            exploded or lava, tracks on a level without rails, a flag or race that the level does
            not have, a number that is not on its track.
    """
    crosses = _parse_mask(level, entry.get("crosses", ()), (*place, "crosses"))
    exploded = _parse_mask(level, entry.get("exploded", ()), (*place, "exploded"))
    lava = _parse_mask(level, entry.get("lava", ()), (*place, "lava"))
    tracks = dict(entry.get("tracks", {}))
    drawn = _parse_mask(level, tracks, (*place, "tracks"))
    if level.rails:
        if crosses & ~drawn & ~level.printed:
            raise DocumentError("tracks-alone", (*place, "crosses"))
        crosses = drawn
    elif tracks:
        raise DocumentError("rails-only", (*place, "tracks"))
    if drawn & level.printed:
        name = level.names(drawn & level.printed)[0]
        if tracks[name] != level.printed_tracks[name]:
            raise DocumentError("other-track-printed", (*place, "tracks"), at=name)
    for kind, marked in (("exploded", exploded), ("lava", lava)):
        if both := (crosses | level.printed) & marked:
            raise DocumentError("crossed-as-well", (*place, kind), at=level.names(both)[0])
    sheet = finished_sheet(level, crosses=crosses, exploded=exploded, lava=lava, tracks=tracks)
    return _circle_numbers(sheet, entry, place)


def format_final_sheet(sheet: Sheet) -> dict[str, Any]:
    """Return the entry of a sheet; printed marks are not listed.

    ``crosses``, ``exploded`` and ``lava`` are lists of field names; ``tracks`` maps a field to its
    shape, ``flags`` a colour to the circled number, ``races`` the index of an area, as a string, to
    the circled number.
    """
    level = sheet.level
    return {
        "crosses": [] if level.rails else level.names(sheet.crosses & ~level.printed),
        "exploded": level.names(sheet.exploded),
        "lava": level.names(sheet.lava),
        "tracks": {
            level.fields[i].name: shape
            for i, shape in sorted(sheet.tracks.items())
            if not level.printed >> i & 1
        },
        "flags": dict(sheet.flags),
        "races": {str(index): points for index, points in sheet.races.items()},
    }


def _parse_mask(level: Level, names: Iterable[str], place: DocumentPath) -> int:
    mask = 0
    for name in names:
        if name not in level.index:
            raise DocumentError("unknown-field", place, at=name)
        mask |= 1 << level.index[name]
    return mask


def _circle_numbers(sheet: Sheet, entry: Mapping[str, Any], place: DocumentPath) -> Sheet:
    known = {(track.entry, track.key): track for track in sheet.level.number_tracks.values()}
    for name in ("flags", "races"):
        for key, number in entry.get(name, {}).items():
            track = known.get((name, key))
            if not track:
                raise DocumentError("not-on-level", (*place, name), key=key)
            if number not in (*track.numbers, 0):
                raise DocumentError("not-on-track", (*place, name, key), number=number)
            sheet = track.with_circled(sheet, number)
    return sheet

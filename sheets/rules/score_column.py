"""Description of a level's score column as JSON, for scoring in an offline browser.

The scripts in `sheets/static/sheets/offline_scoring/` score sheets without the server. For them,
this module lists the symbols, their points and their fields, so that only the few ways of paying
are implemented twice, there and in `scoring`.
`tests/browser/test_scoring_scripts.py` checks that both return the same scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sheets.rules.level import Level
from sheets.rules.rails import OPPOSITE
from sheets.rules.scoring import SOLO_BOMB_POINTS, TRACK_POINTS
from sheets.rules.symbols import (
    COLOURED_PAYING_ALL,
    COLOURED_PAYING_EACH,
    PLAIN_PAYING_EACH,
    SYMBOLS,
)
from sheets.rules.tracks import NumberTrack

Row = dict[str, Any]
"""One row of the score column.

``category`` and ``key`` are the same as in `scoring.Item`. ``pays`` is the way of paying: ``each``,
``all``, ``costs``, ``circled``, ``exploded``, ``tracks`` or ``on-loop``. ``fields`` are the names
of the fields that count, ``points`` is the amount. Other keys belong to one way of paying.
"""


def score_column(level: Level) -> dict[str, Any]:
    """Return everything needed to score sheets of a level, as JSON-compatible values."""
    return {
        "rows": list(_rows(level)),
        "tracks": [_track(level, track) for track in level.number_tracks.values()],
        "printed": level.names(level.printed),
        "printedTracks": dict(level.printed_tracks),
        "beyond": _track_neighbours(level) if level.rails else {},
        "ratings": list(level.ratings),
    }


def _row(level: Level, category: str, key: str, pays: str, fields: int, **more: Any) -> Row:
    names = level.names(fields)
    return {"category": category, "key": key, "pays": pays, "fields": names, **more}


def _rows(level: Level) -> Iterator[Row]:
    """Yield the rows in the order of `scoring.score_sheet`."""
    for name in COLOURED_PAYING_EACH:
        yield from _of_colours(level, name, "each")
    for number, line in enumerate(level.lines, start=1):
        key = f"{line.kind} {line.which or number}"
        yield _row(level, "lines", key, "all", line.fields, points=line.points)
    for name in COLOURED_PAYING_ALL:
        yield from _of_colours(level, name, "all")
    yield from _areas(level)
    for track in level.flags:
        yield _row(level, "flags", track.key, "circled", track.fields, place=track.place)
    for name in PLAIN_PAYING_EACH:
        if fields := level.by_symbol[name]:
            symbol = SYMBOLS[name]
            pays = "costs" if symbol.costs else "each"
            yield _row(level, symbol.category, "", pays, fields, points=level.points[name])
    if fields := level.by_symbol["bomb"]:
        points = level.points["bomb"]
        yield _row(level, "bombs", "", "exploded", fields, points=points, solo=SOLO_BOMB_POINTS)
    yield from _rails(level)


def _areas(level: Level) -> Iterator[Row]:
    races = {track.area: track for track in level.races}
    for index, area in enumerate(level.areas):
        key = str(index + 1)
        if index in races:
            place = races[index].place
            yield _row(level, "areas", key, "circled", area.fields, place=place)
        else:
            yield _row(level, "areas", key, "all", area.fields, points=area.points)


def _rails(level: Level) -> Iterator[Row]:
    """Yield the rows of a rail level.

    On a sheet, the scripts split the row ``tracks`` into one row per loop and one for open routes.
    """
    if level.rails:
        yield _row(level, "tracks", "", "tracks", 0, points=dict(TRACK_POINTS))
        if stops := level.by_symbol["stop"]:
            yield _row(level, "stops", "", "on-loop", stops, points=level.points["stop"])


def _of_colours(level: Level, name: str, pays: str) -> Iterator[Row]:
    for colour, fields in level.by_colour[name].items():
        points = level.points_by_colour[name][colour]
        yield _row(level, SYMBOLS[name].category, colour, pays, fields, points=points)


def _track(level: Level, track: NumberTrack) -> dict[str, Any]:
    """Return a `tracks.NumberTrack` as JSON-compatible values."""
    return {
        "place": track.place,
        "kind": track.kind,
        "key": track.key,
        "numbers": list(track.numbers),
        "fields": level.names(track.fields),
        "unprinted": level.names(track.unprinted),
        "repeatLast": track.repeat_last,
    }


def _track_neighbours(level: Level) -> dict[str, dict[str, tuple[str, str]]]:
    """Return the neighbour of each field across each edge, with the neighbour's name of this edge.

    The keys are field and edge: ``{"a1": {"E": ("b1", "W")}}``.
    """
    return {
        field.name: {
            edge: (level.fields[other].name, OPPOSITE[edge])
            for edge, other in level.track_neighbours[index].items()
        }
        for index, field in enumerate(level.fields)
    }

"""What is each row of a level's score column about, before anything is marked?

For who adds sheets up without `scoring`: the browser that has no network
(`sheets/static/sheets/here/`). Which symbols there are, what each pays and where it lies is worked
out here, so that only the few ways of paying are written twice. `tests/browser/test_here_twins.py`
holds both to the same scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sheets.rules.level import Level
from sheets.rules.rails import OPPOSITE
from sheets.rules.scoring import SOLO_BOMB, TRACK_POINTS
from sheets.rules.symbols import ALL_OF_COLOUR, EACH, EACH_OF_COLOUR, SYMBOLS
from sheets.rules.tracks import NumberTrack

Row = dict[str, Any]
"""``category`` and ``key`` as in `scoring.Item`; ``pays`` says in which way, ``fields`` for which
fields, ``points`` how much: what else there is belongs to one way of paying alone."""


def score_column(level: Level) -> dict[str, Any]:
    """All that is to be known of a level to score its sheets, as JSON can have it."""
    return {
        "rows": list(_rows(level)),
        "tracks": [_track(level, track) for track in level.number_tracks.values()],
        "printed": level.names(level.printed),
        "printedTracks": dict(level.printed_tracks),
        "beyond": _beyond(level) if level.rails else {},
        "ratings": list(level.ratings),
    }


def _row(level: Level, category: str, key: str, pays: str, fields: int, **more: Any) -> Row:
    names = level.names(fields)
    return {"category": category, "key": key, "pays": pays, "fields": names, **more}


def _rows(level: Level) -> Iterator[Row]:
    """In the order of `scoring.score_sheet`."""
    for name in EACH_OF_COLOUR:
        yield from _of_colours(level, name, "each")
    for number, line in enumerate(level.lines, start=1):
        key = f"{line.kind} {line.which or number}"
        yield _row(level, "lines", key, "all", line.fields, points=line.points)
    for name in ALL_OF_COLOUR:
        yield from _of_colours(level, name, "all")
    yield from _areas(level)
    for track in level.flags:
        yield _row(level, "flags", track.key, "circled", track.fields, place=track.place)
    for name in EACH:
        if fields := level.by_symbol[name]:
            symbol = SYMBOLS[name]
            pays = "costs" if symbol.costs else "each"
            yield _row(level, symbol.category, "", pays, fields, points=level.points[name])
    if fields := level.by_symbol["bomb"]:
        points = level.points["bomb"]
        yield _row(level, "bombs", "", "exploded", fields, points=points, solo=SOLO_BOMB)
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
    """As many loops as there are have a row each, in place of the one here."""
    if level.rails:
        yield _row(level, "tracks", "", "tracks", 0, points=dict(TRACK_POINTS))
        if stops := level.by_symbol["stop"]:
            yield _row(level, "stops", "", "on-loop", stops, points=level.points["stop"])


def _of_colours(level: Level, name: str, pays: str) -> Iterator[Row]:
    for colour, fields in level.by_colour[name].items():
        points = level.points_by_colour[name][colour]
        yield _row(level, SYMBOLS[name].category, colour, pays, fields, points=points)


def _track(level: Level, track: NumberTrack) -> dict[str, Any]:
    """A `tracks.NumberTrack`."""
    return {
        "place": track.place,
        "kind": track.kind,
        "key": track.key,
        "numbers": list(track.numbers),
        "fields": level.names(track.fields),
        "unprinted": level.names(track.unprinted),
        "repeatLast": track.repeat_last,
    }


def _beyond(level: Level) -> dict[str, dict[str, tuple[str, str]]]:
    """By field and edge: the field beyond, and which of its edges it is."""
    return {
        field.name: {
            edge: (level.fields[other].name, OPPOSITE[edge])
            for edge, other in level.beyond[index].items()
        }
        for index, field in enumerate(level.fields)
    }

"""Scoring of the second implementation: every amount computed from the marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.rules.naive.level import NaiveLevel, column_of, row_of

EDGES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""Offset of the neighbour across each edge: columns, rows."""


@dataclass(eq=False)
class NaiveSheet:
    """The mutable marks on one player's copy of the level."""

    crosses: set[str]
    dice: set[str] = field(default_factory=set)
    exploded: set[str] = field(default_factory=set)
    lava: set[str] = field(default_factory=set)
    tracks: dict[str, str] = field(default_factory=dict)
    flags: dict[str, int] = field(default_factory=dict)
    races: dict[int, int] = field(default_factory=dict)
    out: bool = False
    rockets_owed: int = 0
    tracks_owed: set[str] = field(default_factory=set)
    crosses_before: set[str] = field(default_factory=set)


def score(level: NaiveLevel, sheet: NaiveSheet, solo: bool) -> dict[str, int]:
    """Return the points by category."""
    crosses, points = sheet.crosses, level.points
    tracks, stops = score_tracks(level, sheet.tracks)
    bombs = level.with_symbol("B")
    return {
        "gems": sum(
            value * len(level.with_symbol("G", colour) & crosses)
            for colour, value in points.get("gem", {}).items()
        ),
        "lines": sum(value for fields, value in level.lines if fields <= crosses),
        "puzzles": sum(
            value
            for colour, value in points.get("puzzle", {}).items()
            if level.with_symbol("J", colour) and level.with_symbol("J", colour) <= crosses
        ),
        "areas": sum(
            value for fields, value, race in level.areas if race is None and fields <= crosses
        )
        + sum(sheet.races.values()),
        "flags": sum(sheet.flags.values()),
        "heaps": points.get("heap", 0) * len(level.with_symbol("H") & crosses),
        "bombs": 2 * len(bombs & crosses) if solo else points.get("bomb", 0) * len(sheet.exploded),
        "tracks": tracks,
        "stops": stops,
    }


def score_tracks(level: NaiveLevel, tracks: Mapping[str, str]) -> tuple[int, int]:
    """Return the points for the routes, and for the stops on loops."""
    routes = find_routes(level, tracks)
    loops = [route for route in routes if is_loop(level, tracks, route)]
    points = sum(2 * len(route) if route in loops else len(route) for route in routes)
    points += max((len(loop) for loop in loops), default=0)
    stops_on_loops = level.with_symbol("S") & {field for loop in loops for field in loop}
    return points, level.points.get("stop", 0) * len(stops_on_loops)


def find_routes(level: NaiveLevel, tracks: Mapping[str, str]) -> list[set[str]]:
    routes = []
    unvisited = set(tracks)
    while unvisited:
        route, reached = set(), {unvisited.pop()}
        while reached:
            field = reached.pop()
            route.add(field)
            reached |= joined_to(level, tracks, field) - route
        unvisited -= route
        routes.append(route)
    return routes


def is_loop(level: NaiveLevel, tracks: Mapping[str, str], route: set[str]) -> bool:
    return all(len(joined_to(level, tracks, field)) == 2 for field in route)


def joined_to(level: NaiveLevel, tracks: Mapping[str, str], field: str) -> set[str]:
    """Return the fields whose tracks meet this one's at an edge without a wall."""
    return {
        other
        for edge in tracks[field]
        for other in tracks
        if (column_of(other) - column_of(field), row_of(other) - row_of(field)) == EDGES[edge]
        and {"N": "S", "E": "W", "S": "N", "W": "E"}[edge] in tracks[other]
        and frozenset((field, other)) not in level.walls
    }

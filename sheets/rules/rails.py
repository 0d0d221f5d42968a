"""Routes and loops of the tracks on a rail sheet, as connected components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from sheets.rules.level import Level

OPPOSITE: Final = {"N": "S", "S": "N", "E": "W", "W": "E"}
"""The name of each edge as seen from the field across it."""


class Route(NamedTuple):
    """Tracks joined to each other: a mask of fields, and whether they form a loop."""

    fields: int
    is_loop: bool


def joined_fields(level: Level, tracks: Mapping[int, str], field: int) -> list[int]:
    """Return the indexes of the fields whose track joins the track on ``field``.

    Two tracks join if both lead to the edge between their fields. ``tracks`` has the shape by field
    index.
    """
    result = []
    for edge in tracks[field]:
        other = level.track_neighbours[field].get(edge)
        if other is not None and OPPOSITE[edge] in tracks.get(other, ""):
            result.append(other)
    return result


def find_routes(level: Level, tracks: Mapping[int, str]) -> list[Route]:
    """Return all routes of a sheet, in the order of their first fields (`track`).

    Args:
        level: the rail level.
        tracks: the shape by field index, printed tracks included.
    """
    routes = []
    unvisited = set(tracks)
    for start in sorted(tracks):
        if start not in unvisited:
            continue
        unvisited.discard(start)
        route, waiting, is_loop = [], [start], True
        while waiting:
            field = waiting.pop()
            route.append(field)
            joined = joined_fields(level, tracks, field)
            # A track has two ends, so a route is a loop exactly when both ends of each are joined.
            is_loop = is_loop and len(joined) == 2
            for other in joined:
                if other in unvisited:
                    unvisited.discard(other)
                    waiting.append(other)
        routes.append(Route(sum(1 << field for field in route), is_loop))
    return routes

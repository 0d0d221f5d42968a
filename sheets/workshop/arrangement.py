"""Copying, mirroring and moving of a draft's rows and columns.

Tracks, links, walls and sets of fields move with their fields. The arrow of a row or column moves
only if the whole row or column moves; a mirrored one keeps its arrow. Indices count from 0.
"""

from __future__ import annotations

from typing import Final

from sheets.rules.level import SHAPES, format_field
from sheets.workshop.draft import Draft, Rename, in_reading_order

TURNED: Final = {True: str.maketrans("EW", "WE"), False: str.maketrans("NS", "SN")}
"""Translation of a track's edges when its row (True) or its column (False) is mirrored."""


def copy_lane(draft: Draft, at: int, *, is_row: bool) -> None:
    """Copy a row or column, with its printed tracks and shift, into the next one."""
    tracks = draft.parts.get("tracks", {})
    for i in range(draft.columns if is_row else draft.rows):
        if is_row:
            draft.squares[at + 1][i] = draft.squares[at][i]
            name, copy = format_field(i, at), format_field(i, at + 1)
        else:
            draft.squares[i][at + 1] = draft.squares[i][at]
            name, copy = format_field(at, i), format_field(at + 1, i)
        if name in tracks:
            tracks[copy] = tracks[name]
    if is_row and (shifts := draft.parts.get("shifts")):
        shifts[at + 1] = shifts[at]


def swap_lanes(draft: Draft, at: int, to: int, *, is_row: bool) -> None:
    """Swap two rows or columns."""
    places = {at: to, to: at}

    def new_place(column: int, row: int) -> tuple[int, int]:
        if is_row:
            return column, places.get(row, row)
        return places.get(column, column), row

    if is_row and (shifts := draft.parts.get("shifts")):
        shifts[at], shifts[to] = shifts[to], shifts[at]
    _rearrange(draft, new_place)


def mirror_lane(draft: Draft, at: int, *, is_row: bool) -> None:
    """Reverse the order of the squares in a row or column."""

    def new_place(column: int, row: int) -> tuple[int, int]:
        if is_row:
            return (draft.columns - 1 - column if row == at else column), row
        return column, (draft.rows - 1 - row if column == at else row)

    ends = [dict(line) for line in draft.parts.get("lines", ())]
    _rearrange(draft, new_place)
    # Mirroring moves fields only: arrows of rows and columns keep their places.
    draft.parts["lines"] = [
        line if "fields" in line else end
        for line, end in zip(draft.parts.get("lines", ()), ends, strict=True)
    ]
    tracks = draft.parts.get("tracks", {})
    for i in range(draft.columns if is_row else draft.rows):
        name = format_field(i, at) if is_row else format_field(at, i)
        if name in tracks:
            edges = set(tracks[name].translate(TURNED[is_row]))
            tracks[name] = next(shape for shape in SHAPES if set(shape) == edges)


def _rearrange(draft: Draft, new_place: Rename) -> None:
    squares = [list(row) for row in draft.squares]
    for row, old in enumerate(squares):
        for column, square in enumerate(old):
            to_column, to_row = new_place(column, row) or (column, row)
            draft.squares[to_row][to_column] = square
    draft.rename(new_place)
    for entry in (*draft.parts.get("lines", ()), *draft.parts.get("areas", ())):
        if "fields" in entry:
            entry["fields"] = in_reading_order(entry["fields"])
    for kind in ("links", "walls"):
        draft.parts[kind] = [in_reading_order(pair) for pair in draft.parts.get(kind, ())]

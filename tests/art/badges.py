"""Placement of badges on fields, and the best possible placement by exhaustive search."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import ceil, inf, isclose
from typing import NamedTuple

from sheets.art.glyphs import text_width
from sheets.art.layout import BADGE_PADDING, MAX_NARROW_WIDTH, TEXT_SIZES, Badge, Box, lay_out
from sheets.rules import Level


class Choice(NamedTuple):
    """Fields on which a badge can be, and whether it takes the whole width of its field."""

    is_wide: bool
    fields: Collection[str]


def badge_fields(level: Level) -> Iterator[str]:
    """Yield the field of each badge."""
    boxes = lay_out(level).fields
    for badge in lay_out(level).badges:
        x, y = badge.box.middle
        (field,) = (
            at
            for at, box in boxes.items()
            if 0 < x - box.x < box.width and 0 < y - box.y < box.height
        )
        yield field


def badly_placed(level: Level) -> int:
    """Return the number of badges that cover something (`_cost`)."""
    badges = lay_out(level).badges
    return sum(
        _cost(level, field, is_top=badge.is_top)
        for field, badge in zip(badge_fields(level), badges, strict=True)
    )


def _cost(level: Level, at: str, *, is_top: bool) -> bool:
    """Return whether a badge covers a printed cross, rails, or a symbol without a number."""
    field = level.fields[level.index[at]]
    is_below = not is_top and bool(field.symbol) and not field.number
    return field.printed or at in level.printed_tracks or is_below


def min_badly_placed(level: Level) -> int | None:
    """Return the minimum number of badges that cover something while none covers another.

    None means that a badge has to cover another one.
    """
    badges = zip(lay_out(level).badges, badge_fields(level), strict=True)
    choices = [_choice(level, badge, field) for badge, field in badges]
    choices.sort(key=lambda choice: len(choice.fields))
    fewest = _min_cost(level, choices, {}, inf)
    return None if fewest == inf else int(fewest)


def _min_cost(
    level: Level, choices: Sequence[Choice], placed: dict[str, tuple[int, int]], bound: float
) -> float:
    """Return the minimum cost of these badges if it is below the bound, else infinity.

    ``placed`` has the numbers of wide and narrow badges by field (branch and bound).
    """
    if not choices:
        return 0
    (choice, *others), lowest = choices, inf
    for field in choice.fields:
        wide, narrow = before = placed.get(field, (0, 0))
        here = (wide + choice.is_wide, narrow + (not choice.is_wide))
        cost = _cost(level, field, is_top=before == (0, 0))
        if cost < min(lowest, bound) and _has_room(level, field, *here):
            placed[field] = here
            rest = _min_cost(level, others, placed, min(lowest, bound) - cost)
            lowest = min(lowest, cost + rest)
            placed[field] = before
    return lowest


def _has_room(level: Level, field: str, wide: int, narrow: int) -> bool:
    """Return whether these badges fit a field: one above and one below its number.

    On a field without a symbol, two narrow badges have the room of a wide one.
    """
    if level.fields[level.index[field]].symbol:
        return wide + narrow <= 2
    return wide + ceil(narrow / 2) <= 2


def _choice(level: Level, badge: Badge, field: str) -> Choice:
    size = TEXT_SIZES[min(len(badge.text), 3)]
    is_wide = text_width(badge.text, size) + BADGE_PADDING >= MAX_NARROW_WIDTH
    members = level.names(_sets(level, badge.kind)[badge.position])
    return Choice(is_wide, members if badge.kind == "line" else _piece(level, members, field))


def _sets(level: Level, kind: str) -> list[int]:
    return [found.fields for found in (level.areas if kind == "area" else level.lines)]


def _piece(level: Level, members: Collection[str], field: str) -> set[str]:
    """Return the connected component of the members that contains a field."""
    boxes = lay_out(level).fields
    piece, queue = {field}, [field]
    while queue:
        here = boxes[queue.pop()]
        near = {at for at in members if at not in piece and _share_side(here, boxes[at])}
        piece |= near
        queue += near
    return piece


def _share_side(a: Box, b: Box) -> bool:
    across, down = abs(a.x - b.x), abs(a.y - b.y)
    is_same_row = isclose(across, 1) and isclose(down, 0, abs_tol=0.01)
    return is_same_row or (isclose(down, 1) and across < 0.99)

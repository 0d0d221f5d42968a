"""On which fields do a sheet's badges stand, and on which could they? By trying everything."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import ceil, inf, isclose
from typing import NamedTuple

from sheets.artwork.glyphs import text_width
from sheets.artwork.layout import BADGE_PADDING, MAX_NARROW, TEXT_SIZES, Badge, Box, lay_out
from sheets.rules import Level


class Choice(NamedTuple):
    """Whether a badge takes the whole width of its field, and the fields it can be on."""

    is_wide: bool
    fields: Collection[str]


def badge_fields(level: Level) -> Iterator[str]:
    """The field on which each badge stands."""
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
    """How many badges stand on something, see `_cost`."""
    badges = lay_out(level).badges
    return sum(
        _cost(level, field, is_top=badge.is_top)
        for field, badge in zip(badge_fields(level), badges, strict=True)
    )


def _cost(level: Level, at: str, *, is_top: bool) -> bool:
    """Whether a badge stands on a printed cross, rails, or a symbol that has the field alone."""
    field = level.fields[level.index[at]]
    is_below = not is_top and bool(field.symbol) and not field.number
    return field.printed or at in level.printed_tracks or is_below


def least_badly_placed(level: Level) -> int | None:
    """The fewest that have to, while no badge stands on another; None: one has to do that."""
    badges = zip(lay_out(level).badges, badge_fields(level), strict=True)
    choices = [_choice(level, badge, field) for badge, field in badges]
    choices.sort(key=lambda choice: len(choice.fields))
    least = _least(level, choices, {}, inf)
    return None if least == inf else int(least)


def _least(
    level: Level, choices: Sequence[Choice], placed: dict[str, tuple[int, int]], most: float
) -> float:
    """The fewest of these if below ``most``; ``placed`` are wide and narrow ones by field."""
    if not choices:
        return 0
    (choice, *others), least = choices, inf
    for field in choice.fields:
        wide, narrow = before = placed.get(field, (0, 0))
        here = (wide + choice.is_wide, narrow + (not choice.is_wide))
        cost = _cost(level, field, is_top=before == (0, 0))
        if cost < min(least, most) and _has_room(level, field, *here):
            placed[field] = here
            least = min(least, cost + _least(level, others, placed, min(least, most) - cost))
            placed[field] = before
    return least


def _has_room(level: Level, field: str, wide: int, narrow: int) -> bool:
    """A badge above and one below; without a symbol two narrow ones have room in place of one."""
    if level.fields[level.index[field]].symbol:
        return wide + narrow <= 2
    return wide + ceil(narrow / 2) <= 2


def _choice(level: Level, badge: Badge, field: str) -> Choice:
    size = TEXT_SIZES[min(len(badge.text), 3)]
    is_wide = text_width(badge.text, size) + BADGE_PADDING >= MAX_NARROW
    members = level.names(_sets(level, badge.kind)[badge.position])
    return Choice(is_wide, members if badge.kind == "line" else _piece(level, members, field))


def _sets(level: Level, kind: str) -> list[int]:
    return [found.fields for found in (level.areas if kind == "area" else level.lines)]


def _piece(level: Level, members: Collection[str], field: str) -> set[str]:
    """Those of the fields that hang together with one of them."""
    boxes = lay_out(level).fields
    piece, ahead = {field}, [field]
    while ahead:
        here = boxes[ahead.pop()]
        near = {at for at in members if at not in piece and _share_side(here, boxes[at])}
        piece |= near
        ahead += near
    return piece


def _share_side(a: Box, b: Box) -> bool:
    across, down = abs(a.x - b.x), abs(a.y - b.y)
    beside = isclose(across, 1) and isclose(down, 0, abs_tol=0.01)
    return beside or (isclose(down, 1) and across < 0.99)

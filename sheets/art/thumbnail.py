"""Thumbnail of a level: the shape of its sheet, with a coloured square for each symbol.

A thumbnail has no numbers and only about ten paths, so that a page can show many levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final
from zlib import crc32

from sheets.art.field_contents import field_group
from sheets.art.layout import lay_out
from sheets.art.outlines import outline
from sheets.art.shapes import Point, Shape, number_text
from sheets.art.svg import draw_path
from sheets.rules import Level

THUMBNAIL_GROUPS: Final = ("purple", "red", "blue", "green", "planet", "heap", "orange", "stop")
"""Palette groups of thumbnails; the number at the end of a level's id selects one."""

RIM: Final = 20.0
"""Width of the rim around the fields, in hundredths of a field."""

_ROUND: Final = 16.0
"""Width of the line around a field, in hundredths of a field; it makes the corners round."""

_LINE: Final = 9.0
"""Width of the outline of a symbol's square, in hundredths of a field.

The outline makes white squares visible.
"""

_FIELD: Final = 72.0
"""Side of a field without the line around it, in hundredths of a field."""

_PATCH: Final = 62.0
"""Side of a symbol's square without its outline, in hundredths of a field."""

_CROSS: Final = 36.0
"""Side of a printed cross, in hundredths of a field."""


def thumbnail_group(level: Level) -> str:
    """Return the palette group of a level's thumbnail, which depends only on its id."""
    found = re.search(r"-(\d{1,3})$", level.id)
    number = int(found[1]) - 1 if found else crc32(level.id.encode())
    return THUMBNAIL_GROUPS[number % len(THUMBNAIL_GROUPS)]


def draw_thumbnail(level: Level) -> str:
    """Return a level as one ``<svg>`` that refers to nothing else in the page."""
    middles = {name: box.middle for name, box in lay_out(level).fields.items()}
    corners = [(x - 0.5, y - 0.5) for x, y in middles.values()]
    patches: dict[str, list[Point]] = {}
    for field in level.fields:
        if group := field_group(field):
            patches.setdefault(group, []).append(middles[field.name])
    printed = [middles[field.name] for field in level.fields if field.printed]

    drawn = [_group(thumbnail_group(level), Shape(_shape(corners), "solid", "solid", 2 * RIM))]
    drawn.append(_group("", Shape(_squares(middles.values(), _FIELD), "paper", "paper", _ROUND)))
    for group, places in patches.items():
        drawn.append(_group(group, Shape(_squares(places, _PATCH), "solid", "line", _LINE)))
    if printed:
        drawn.append(_group("", Shape(_crosses(printed), "", "ink", _ROUND)))

    return _picture("silhouette", corners, drawn)


def draw_highlighted_fields(level: Level, fields: int) -> str:
    """Return a thumbnail that highlights some of a level's fields, given as a bit mask."""
    middles = {name: box.middle for name, box in lay_out(level).fields.items()}
    corners = [(x - 0.5, y - 0.5) for x, y in middles.values()]
    some = [middles[name] for name in level.names(fields)]
    drawn = [
        _group("", Shape(_shape(corners), "field-line", "field-line", 2 * RIM)),
        _group("", Shape(_squares(middles.values(), _FIELD), "paper", "paper", _ROUND)),
        _group("", Shape(_squares(some, _FIELD), "pen", "pen", _ROUND)),
    ]
    return _picture("where", corners, drawn)


def _picture(name: str, corners: Sequence[Point], drawn: Iterable[str]) -> str:
    left, top = (100 * min(place[i] for place in corners) - RIM for i in (0, 1))
    right, bottom = (100 * max(place[i] for place in corners) + 100 + RIM for i in (0, 1))
    box = " ".join(map(number_text, (left, top, right - left, bottom - top)))
    return f'<svg class="{name}" viewBox="{box}" aria-hidden="true">{"".join(drawn)}</svg>'


def _group(group: str, shape: Shape) -> str:
    return f'<g class="art{f" g-{group}" if group else ""}">{draw_path(shape)}</g>'


def _shape(corners: Iterable[Point]) -> str:
    return "".join(
        "M" + "L".join(f"{number_text(x * 100)} {number_text(y * 100)}" for x, y in loop) + "Z"
        for loop in outline(corners)
    )


def _squares(middles: Iterable[Point], side: float) -> str:
    s = number_text(side)
    return "".join(f"M{_from(middle, side)}h{s}v{s}h-{s}z" for middle in middles)


def _crosses(middles: Iterable[Point]) -> str:
    s = number_text(_CROSS)
    return "".join(f"M{_from(middle, _CROSS)}l{s} {s}m0-{s}l-{s} {s}" for middle in middles)


def _from(middle: Point, side: float) -> str:
    """Return the top left corner of a square with this middle, as path coordinates."""
    return " ".join(number_text(value * 100 - side / 2) for value in middle)

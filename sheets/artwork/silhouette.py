"""Thumbnail of a level: its shape, without numbers, and a patch of colour for each symbol.

About ten paths draw a level, so that a page can show many levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final
from zlib import crc32

from sheets.artwork.compose import field_group
from sheets.artwork.layout import lay_out
from sheets.artwork.outline import outline
from sheets.artwork.shapes import Point, Shape, number_text
from sheets.artwork.svg import draw_path
from sheets.rules import Level

HUES: Final = ("purple", "red", "blue", "green", "planet", "heap", "orange", "stop")
"""Palette groups of thumbnails. The number at the end of a level's id selects one in turn."""

RIM: Final = 20.0
"""Width of the rim around the fields, in hundredths of a field."""

_ROUND: Final = 16.0
"""Width of the line that rounds the corners of fields, in hundredths of a field."""

_LINE: Final = 9.0
"""Width of a patch's outline, which makes white patches visible, in hundredths of a field."""

_FIELD: Final = 72.0
"""Side of a field without the line around it, in hundredths of a field."""

_PATCH: Final = 62.0
"""Side of a patch without the line around it."""

_CROSS: Final = 36.0
"""Side of a printed cross."""


def hue_of(level: Level) -> str:
    """Return the palette group of a level's thumbnail, which depends only on its id."""
    found = re.search(r"-(\d{1,3})$", level.id)
    number = int(found[1]) - 1 if found else crc32(level.id.encode())
    return HUES[number % len(HUES)]


def draw_silhouette(level: Level) -> str:
    """Return a level as one ``<svg>`` that refers to nothing else in the page."""
    middles = {name: box.middle for name, box in lay_out(level).fields.items()}
    corners = [(x - 0.5, y - 0.5) for x, y in middles.values()]
    patches: dict[str, list[Point]] = {}
    for field in level.fields:
        if group := field_group(field):
            patches.setdefault(group, []).append(middles[field.name])
    printed = [middles[field.name] for field in level.fields if field.printed]

    drawn = [_group(hue_of(level), Shape(_shape(corners), "solid", "solid", 2 * RIM))]
    drawn.append(_group("", Shape(_squares(middles.values(), _FIELD), "paper", "paper", _ROUND)))
    for group, places in patches.items():
        drawn.append(_group(group, Shape(_squares(places, _PATCH), "solid", "line", _LINE)))
    if printed:
        drawn.append(_group("", Shape(_crosses(printed), "", "ink", _ROUND)))

    return _picture("silhouette", corners, drawn)


def draw_where(level: Level, fields: int) -> str:
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
    """Format the top left corner of a square around a middle."""
    return " ".join(number_text(value * 100 - side / 2) for value in middle)

"""Pointers that show a mistake on a sheet: the field that was played, and a better one.

A pointer is a line around the field with a sign at a corner. The two signs differ in shape, for
players without colour vision, and in corner, so that both fit on one field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sheets.art.layout import Layout
from sheets.art.shapes import circle, number_text, on_circle, polygon

PLAYED: Final = "played"
"""Kind of the pointer at the played field."""

BETTER: Final = "better"
"""Kind of the pointer at the better field."""

RADIUS: Final = {PLAYED: 20, BETTER: 30}
"""Radius of each sign, in hundredths of a field."""

CORNER: Final = {PLAYED: (6, 6), BETTER: (94, 6)}
"""Middle of each sign, in hundredths of a field from its top left."""

ROOM: Final = 34
"""Half the side of a square that contains a sign with its edge, in hundredths of a field."""


class Pointer(NamedTuple):
    """A pointer at the field with the name ``at``; ``kind`` is `PLAYED` or `BETTER`."""

    at: str
    kind: str


def draw_pointers(layout: Layout, pointers: Iterable[Pointer]) -> str:
    """Return the pointers as SVG elements over the fields of a sheet."""
    return "".join(_drawn(layout, pointers))


def _drawn(layout: Layout, pointers: Iterable[Pointer]) -> Iterator[str]:
    for at, kind in pointers:
        box = layout.fields[at]
        x, y = number_text(box.x * 100), number_text(box.y * 100)
        yield (
            f'<g class="pointer {kind}" data-points="{at}" '
            f'transform="translate({x} {y})scale({box.width:.3f})">'
            '<rect x="-4" y="-4" width="108" height="108" rx="17" class="edge"/>'
            '<rect x="-4" y="-4" width="108" height="108" rx="17" class="line"/>'
            f"{_sign(kind, *CORNER[kind])}</g>"
        )


def pointer_sign(kind: str) -> str:
    """Return the sign of a kind of pointer as an ``<svg>``, for the legend of the sheet."""
    return (
        f'<svg class="pointer {kind}" viewBox="{-ROOM} {-ROOM} {2 * ROOM} {2 * ROOM}" '
        f'aria-hidden="true">{_sign(kind, 0, 0)}</svg>'
    )


def _sign(kind: str, x: float, y: float) -> str:
    radius = RADIUS[kind]
    path = circle(x, y, radius)
    if kind == BETTER:
        path = polygon(
            on_circle(x, y, radius * (0.5 if tip % 2 else 1), 36 * tip - 90) for tip in range(10)
        )
    return f'<path class="sign" d="{path}"/>'

"""Pointers at the fields of a mistake on a sheet: the played field and the better one.

Each is a line around the field with a sign at its corner. The signs differ in shape and corner, so
that they differ without colour vision and fit on the same field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sheets.artwork.layout import Layout
from sheets.artwork.shapes import circle, number_text, on_circle, polygon

PLAYED: Final = "played"
"""Kind of the pointer at the played field."""

BETTER: Final = "better"
"""Kind of the pointer at the better field."""

RADIUS: Final = {PLAYED: 20, BETTER: 30}
"""Radius of each sign, in hundredths of a field."""

CORNER: Final = {PLAYED: (6, 6), BETTER: (94, 6)}
"""Middle of each sign, in hundredths of a field."""

ROOM: Final = 34
"""Half the side of a square around a sign and its edge, in hundredths of a field."""


class Pointer(NamedTuple):
    """A pointer at a field; ``kind`` is `PLAYED` or `BETTER`."""

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
    """Return the sign alone as an ``<svg>``, for the legend of the sheet."""
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

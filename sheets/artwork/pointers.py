"""How does a sheet point at fields: at what was chosen, and at what would have been better?

A line around the field and a sign at its corner, of other shapes and at other corners, so that both
can be told apart without their colours and can stand at one field.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from sheets.artwork.layout import Layout
from sheets.artwork.shapes import circle, number_text, on_circle, polygon

PLAYED: Final = "played"
BETTER: Final = "better"

RADIUS: Final = {PLAYED: 20, BETTER: 30}
CORNER: Final = {PLAYED: (6, 6), BETTER: (94, 6)}
"""Where the middle of a sign lies, in hundredths of a field."""

ROOM: Final = 34
"""So far a sign and its edge reach around its middle."""


class Pointer(NamedTuple):
    """A field that is pointed at, as `PLAYED` or `BETTER`."""

    at: str
    kind: str


def draw_pointers(layout: Layout, pointers: Iterable[Pointer]) -> str:
    """All that points at fields of a sheet, to be drawn over them."""
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
    """The sign alone as an ``<svg>``, for the words beside the sheet."""
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

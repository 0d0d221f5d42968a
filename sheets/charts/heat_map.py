"""Heat map of a sheet: a field is darker the more often it is crossed.

A page may have a dozen heat maps of up to 676 fields. To keep it small, all fields of one tint are
one SVG path, in which each field is a stroke as wide as it is long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from sheets.art.layout import Layout, lanes
from sheets.art.shapes import number_text
from sheets.art.svg import PREFIX
from sheets.charts.drawing import WIDTH, plot

MIN_OPACITY: Final = 0.04
"""Lower end of the scale of opacities, which the tints divide into equal steps."""

MAX_OPACITY: Final = 0.52
"""Opacity of the strongest tint, on which ink stays legible."""

STEPS: Final = 20
"""Number of tints."""

RIM: Final = 0.03
"""Width of the line around a field; 1 is the distance between two fields."""

MIN_TEXT: Final = 5.5
"""Minimum font size that is legible on phones.

If the percentages would be smaller, only the table next to the chart has them.
"""

NAMES_MARGIN: Final = 13.0
"""Width and height of the room for the names of rows and columns."""


def heat_map(
    label: str,
    layout: Layout,
    shares: Mapping[str, float],
    symbols: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> str:
    """Return a chart of the fields with the percentage of sheets on which each is crossed.

    Args:
        label: label of the chart.
        layout: the positions of the fields.
        shares: share of sheets (0 to 1) by field; fields without a share are volcanoes.
        symbols: by field, the id of a drawing in the page's sprite, and its colour group.
    """
    boxes = layout.fields
    left, top = min(box.x for box in boxes.values()), min(box.y for box in boxes.values())
    places = {n: (round(b.x - left, 2), round(b.y - top, 2)) for n, b in boxes.items()}
    side = next(iter(boxes.values())).width
    across = max(x for x, _y in places.values()) + side
    unit = (WIDTH - 8 - NAMES_MARGIN) / max(across, 6)
    corner = ((WIDTH + NAMES_MARGIN - unit * across) / 2, 4 + NAMES_MARGIN)
    inner = side - 2 * RIM
    parts = [
        _group(corner, unit, side),
        _rows(places.values(), side, "s-field-line"),
        "</g>",
        _group((corner[0] + RIM * unit, corner[1] + RIM * unit), unit, inner),
        _rows(places.values(), inner, "s-paper"),
    ]
    for step in range(1, STEPS + 1):
        tinted = [places[name] for name, share in shares.items() if round(share * STEPS) == step]
        if tinted:
            opacity = MIN_OPACITY + step / STEPS * (MAX_OPACITY - MIN_OPACITY)
            parts.append(_rows(tinted, inner, "s-pen", f' stroke-opacity="{opacity:.2f}"'))
    parts.append("</g>")
    parts += _volcanoes([places[name] for name in boxes if name not in shares], corner, unit)
    drawn = {places[name]: found for name, found in symbols.items() if name in shares}
    parts += _symbols(drawn, corner, unit)
    size = min(14.0, side * unit * 0.38)
    if size >= MIN_TEXT:
        parts += _numbers(places, shares, corner, unit, side, size, symbols)
        parts += _names(places, corner, unit, side)
    down = max(y for _x, y in places.values()) + side
    return plot(label, down * unit + 8 + NAMES_MARGIN, parts)


def _names(
    places: Mapping[str, tuple[float, float]],
    corner: tuple[float, float],
    unit: float,
    side: float,
) -> Iterator[str]:
    """Yield the names of columns and rows at the margins, because texts refer to fields by name."""
    columns, rows = lanes(places)
    yield f'<g class="plot-text names" font-size="{NAMES_MARGIN - 3:.0f}" text-anchor="middle">'
    for letter, x in columns.items():
        middle = number_text(corner[0] + (x + side / 2) * unit)
        yield f'<text x="{middle}" y="{number_text(corner[1] - 4)}">{letter}</text>'
    for number, y in rows.items():
        foot = number_text(corner[1] + (y + side / 2) * unit + NAMES_MARGIN / 3)
        yield f'<text x="{number_text(corner[0] - NAMES_MARGIN / 2)}" y="{foot}">{number}</text>'
    yield "</g>"


def _group(corner: tuple[float, float], unit: float, side: float) -> str:
    """Return the opening tag of a group whose unit is the distance between two fields.

    Its origin is half a field below the top, because strokes are centred on their path.
    """
    x, y = number_text(corner[0]), number_text(corner[1] + side / 2 * unit)
    place = f'transform="translate({x} {y}) scale({unit:.3f})"'
    return f'<g class="heat" {place} stroke-width="{side:.2f}">'


def _rows(corners: Iterable[tuple[float, float]], side: float, paint: str, more: str = "") -> str:
    """Return one path for all fields of one colour; neighbours in a row are dashes of one stroke.

    Coordinates are relative: few different numbers occur, so the page compresses well.
    """
    path, (at_x, at_y) = "", (0.0, 0.0)
    for x, y in sorted(corners, key=lambda corner: (corner[1], corner[0])):
        right, down = round(x - at_x, 1), round(y - at_y, 1)
        if not path or right or down:
            path += f"m{number_text(right)} {number_text(down)}"
        path += "h1"
        at_x, at_y = at_x + right + 1, at_y + down
    dashes = f"{side:.2f} {1 - side:.2f}"
    return f'<path class="{paint}"{more} stroke-dasharray="{dashes}" d="{path}"/>'


def _volcanoes(
    places: Iterable[tuple[float, float]], corner: tuple[float, float], unit: float
) -> Iterator[str]:
    """Yield a mountain with a flame above it in each field: a path of mountains, one of flames."""
    corners = list(places)
    if corners:
        shift = f"translate({number_text(corner[0])} {number_text(corner[1])})"
        yield f'<g class="g-volcano" transform="{shift} scale({unit:.3f})">'
        mountains = "".join(
            f"{_move((x + 0.14, y + 0.84))}l.22-.42h.24l.22.42z" for x, y in corners
        )
        flames = "".join(f"{_move((x + 0.48, y + 0.12))}l.12.22h-.24z" for x, y in corners)
        yield f'<path class="f-solid" d="{mountains}"/><path class="f-flame" d="{flames}"/></g>'


def _symbols(
    drawn: Mapping[tuple[float, float], tuple[str, str]], corner: tuple[float, float], unit: float
) -> Iterator[str]:
    """Yield small symbols in the lower right of their fields, one SVG group per colour group."""
    if not drawn:
        return
    shift = f"translate({number_text(corner[0])} {number_text(corner[1])})"
    yield f'<g transform="{shift} scale({unit / 100:.4f})">'
    for group in dict.fromkeys(group for _id, group in drawn.values()):
        yield f'<g class="g-{group}">'
        for (x, y), (id, its_group) in drawn.items():
            if its_group == group:
                at = f'x="{number_text(x * 100 + 54)}" y="{number_text(y * 100 + 55)}"'
                yield f'<use href="#{PREFIX}{id}" {at} width="40" height="40"/>'
        yield "</g>"
    yield "</g>"


def _move(corner: tuple[float, float]) -> str:
    return f"M{number_text(corner[0])} {number_text(corner[1])}"


def _numbers(
    places: Mapping[str, tuple[float, float]],
    shares: Mapping[str, float],
    corner: tuple[float, float],
    unit: float,
    side: float,
    size: float,
    moved: Collection[str] = (),
) -> Iterator[str]:
    """Yield the percentage of each field; 50 % and more are bold.

    It is in the middle of the field, or at the upper left of it in the ``moved`` fields, which
    have a symbol.
    """
    for is_often in (False, True):
        weight = ' font-weight="700"' if is_often else ""
        yield f'<g class="plot-text" font-size="{number_text(size)}" text-anchor="middle"{weight}>'
        for name, share in shares.items():
            x, y = places[name]
            if (share >= 0.5) == is_often:
                left, up = (0.08, 0.14) if name in moved else (0.0, 0.0)
                middle = number_text(corner[0] + (x + side / 2 - left) * unit)
                foot = number_text(corner[1] + (y + side / 2 - up) * unit + size * 0.36)
                yield f'<text x="{middle}" y="{foot}">{share * 100:.0f}</text>'
        yield "</g>"

"""Drawings of marks: crosses, scribbles, lava, tracks and dice, drawn by players or printed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final
from zlib import crc32

from sheets.art.shapes import Drawing, Point, Shape, circle, moved, number_text, polygon, rectangle
from sheets.rules.marks import DICE, MARKS, PRINTED_TRACKS

CROSS_VARIANTS = 4
"""Number of different hand-drawn crosses."""

SCRIBBLE_VARIANTS = 3
"""Number of different scribbles over exploded bombs."""

MARK_IDS: Final[Mapping[str, tuple[str, ...]]] = {
    **{mark: (mark,) for mark in ("lava", *DICE)},
    **{printed: (f"track-{shape}-print",) for shape, printed in PRINTED_TRACKS.items()},
    **{shape: (f"track-{shape}",) for shape in PRINTED_TRACKS},
    "printed": ("cross-print",),
    "rocket": ("cross-rocket",),
    "cross": tuple(f"cross-{i}" for i in range(CROSS_VARIANTS)),
    "exploded": tuple(f"scribble-{i}" for i in range(SCRIBBLE_VARIANTS)),
}
"""Drawing ids by mark (`sheets.rules.marks.MARKS`), one for each variant of a mark."""

LAYERS: Final[Mapping[str, str]] = {
    **dict.fromkeys(MARKS, "over"),
    "lava": "under",
    **dict.fromkeys(("exploded", *DICE), "top"),
}
"""Layer by mark: ``under`` the symbol, ``over`` the symbol but under the number, or on ``top``."""


def mark_id(name: str, mark: str) -> str:
    """Return the drawing id of a mark on the field with this name."""
    ids = MARK_IDS[mark]
    return ids[variant(name, len(ids))]


def variant(name: str, count: int) -> int:
    """Return which of ``count`` variants a field shows; it depends only on the field's name."""
    return crc32(name.encode()) % count


def _stroke(start: Point, bend: Point, end: Point, widths: tuple[float, float, float]) -> str:
    """Return the outline of a felt-pen stroke as path data.

    The stroke curves from start to end; ``widths`` are its widths at the three points.
    """
    n = number_text

    def side(point: Point, other: Point, width: float) -> tuple[Point, Point]:
        angle = math.atan2(other[1] - point[1], other[0] - point[0]) + math.pi / 2
        dx, dy = math.cos(angle) * width / 2, math.sin(angle) * width / 2
        return (point[0] + dx, point[1] + dy), (point[0] - dx, point[1] - dy)

    a, b = side(start, bend, widths[0])
    e, f = side(end, (2 * end[0] - bend[0], 2 * end[1] - bend[1]), widths[2])
    c, d = side(bend, end, widths[1])
    ra, re = n(widths[0] / 2), n(widths[2] / 2)
    return (
        f"M{n(a[0])} {n(a[1])}Q{n(c[0])} {n(c[1])} {n(e[0])} {n(e[1])}"
        f"A{re} {re} 0 0 0 {n(f[0])} {n(f[1])}Q{n(d[0])} {n(d[1])} {n(b[0])} {n(b[1])}"
        f"A{ra} {ra} 0 0 0 {n(a[0])} {n(a[1])}Z"
    )


_CROSSES = (
    (((13, 14), (46, 54), (88, 86), (7, 13, 9.5)), ((87, 12), (55, 44), (12, 88), (10, 13, 6))),
    (((15, 10), (56, 46), (86, 90), (9, 13.5, 6.5)), ((90, 17), (50, 46), (10, 84), (7, 13, 9))),
    (((10, 17), (52, 46), (90, 82), (10, 12.5, 7)), ((83, 10), (52, 54), (15, 90), (9, 13.5, 6.5))),
    (((16, 12), (46, 50), (85, 89), (7.5, 13, 9)), ((88, 16), (46, 48), (13, 85), (9.5, 13, 6))),
)


def cross(index: int) -> tuple[Shape, ...]:
    """Return one of the hand-drawn crosses."""
    return tuple(Shape(_stroke(*stroke), "pen") for stroke in _CROSSES[index])


def printed_cross() -> tuple[Shape, ...]:
    """Draw the straight cross that is printed on a sheet."""
    return (
        Shape(polygon([(14, 20), (20, 14), (50, 44), (80, 14), (86, 20), (56, 50), (86, 80),
                       (80, 86), (50, 56), (20, 86), (14, 80), (44, 50)]), "print"),
    )  # fmt: skip


def rocket_cross() -> tuple[Shape, ...]:
    """Draw the cross that a rocket puts on a planet: hand-drawn, with a flame at its top."""
    return (
        *cross(1),
        Shape("M50 3C55 10 62 13 60 21C59 27 54 30 50 30C46 30 41 27 40 21C39 16 42 14 43 10"
              "C46 12 48 9 50 3Z", "flame", "paper", 6),
        Shape("M50 16C53 19 55 21 54 24C53 27 47 27 46 24C45 21 48 20 50 16Z", "spark"),
    )  # fmt: skip


_SCRIBBLES: tuple[Sequence[Point], ...] = (
    ((10, 24), (30, 8), (9, 42), (50, 8), (10, 60), (68, 9), (11, 76), (85, 10), (14, 89),
     (92, 22), (30, 91), (91, 40), (47, 92), (92, 57), (64, 92), (91, 74), (81, 92)),
    ((12, 12), (90, 18), (9, 27), (92, 33), (11, 40), (89, 46), (8, 53), (92, 58), (12, 66),
     (90, 71), (9, 79), (91, 84), (14, 91), (80, 91)),
    ((90, 20), (72, 8), (92, 38), (52, 9), (91, 57), (33, 8), (92, 74), (15, 11), (88, 90),
     (9, 24), (70, 92), (8, 42), (52, 91), (9, 60), (34, 92), (10, 77), (18, 91)),
)  # fmt: skip


def scribble(index: int) -> tuple[Shape, ...]:
    """Return one of the scribbles over an exploded bomb."""
    path = "M" + "L".join(f"{x} {y}" for x, y in _SCRIBBLES[index])
    return (Shape(path, "", "pen", 7.5),)


def lava() -> tuple[Shape, ...]:
    """Draw a field full of lava."""
    edge = (
        "M14 3C24 0 30 6 40 4C52 1 58 6 68 3C80 0 90 1 96 8C100 16 94 24 97 34C100 46 94 52 96 62"
        "C99 74 100 86 94 94C86 100 76 94 66 97C54 100 48 94 38 96C26 99 12 100 5 93"
        "C0 84 6 76 3 66C0 54 6 48 4 38C1 26 0 10 14 3Z"
    )
    return (
        Shape(edge, "lava-edge"),
        Shape("M18 11C28 8 34 13 43 11C54 8 60 13 70 11C80 8 87 10 89 16C92 24 87 30 89 39"
              "C92 48 87 54 89 63C91 73 92 82 87 87C80 91 72 87 63 89C53 91 46 87 37 89"
              "C27 91 17 91 12 86C8 79 13 72 11 63C8 53 13 47 11 38C9 28 8 15 18 11Z", "lava"),
        Shape("M24 20C34 15 42 22 54 19C64 17 78 16 80 25C82 33 76 38 79 47C81 56 80 62 81 70"
              "C82 80 72 81 62 79C52 77 44 83 34 81C24 80 17 76 20 66C22 57 18 52 20 43"
              "C22 35 15 26 24 20Z", "lava-glow"),
    )  # fmt: skip


GAUGE = 17.0
"""Distance of each rail from the middle of its track, in hundredths of a field."""

REACH = 2.1
"""Length of a track outside its field, so that tracks join in the gap between two fields."""


def _straight() -> tuple[str, str]:
    near, far = 50 - GAUGE, 50 + GAUGE
    low, high = -REACH, 100 + REACH
    n = number_text
    ties = "".join(f"M{n(y)} 25V75" for y in (8, 29, 50, 71, 92))
    return f"M{n(low)} {n(near)}H{n(high)}M{n(low)} {n(far)}H{n(high)}", ties


def _curve() -> tuple[str, str]:
    """Return rails and ties, as path data, of a curve from the right edge to the bottom edge."""
    n = number_text
    rails = ""
    for r in (50 + GAUGE, 50 - GAUGE):
        at = 100 - r
        rails += f"M{n(100 + REACH)} {n(at)}H100A{n(r)} {n(r)} 0 0 0 {n(at)} 100V{n(100 + REACH)}"
    ties = ""
    for degrees in (188, 209, 225, 241, 262):
        dx, dy = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        inner, outer = 25, 75
        ties += f"M{n(100 + inner * dx)} {n(100 + inner * dy)}"
        ties += f"L{n(100 + outer * dx)} {n(100 + outer * dy)}"
    return rails, ties


TURNS = {"EW": 0, "NS": 90, "ES": 0, "SW": 90, "NW": 180, "NE": 270}
"""Clockwise rotation of the drawn straight or curve that makes each shape of track, in degrees."""


def track(shape: str, printed: bool) -> tuple[Shape, ...]:
    """Draw a piece of track: two rails on ties; ``shape`` is one of the keys of `TURNS`."""
    rails, ties = _straight() if shape in ("EW", "NS") else _curve()
    turned = []
    for path in (ties, rails):
        centred = moved(path, -50, -50)
        turned.append(moved(centred, 50, 50, turn=TURNS[shape]))
    suffix = "-print" if printed else ""
    return (
        Shape(turned[0], "", "tie" + suffix, 5),
        Shape(turned[1], "", "rail" + suffix, 5.5),
    )


PIPS = {
    1: ((50, 50),),
    2: ((29, 29), (71, 71)),
    3: ((28, 28), (50, 50), (72, 72)),
    4: ((29, 29), (71, 29), (29, 71), (71, 71)),
    5: ((28, 28), (72, 28), (50, 50), (28, 72), (72, 72)),
    6: ((29, 26), (71, 26), (29, 50), (71, 50), (29, 74), (71, 74)),
}
"""Middles of the pips by number, in hundredths of a field."""


def die(value: int) -> tuple[Shape, ...]:
    """Draw a die on its field, with a small shadow."""
    return (
        Shape(rectangle(8, 11, 86, 86, 19), "die-shadow"),
        Shape(rectangle(6, 6, 86, 86, 18), "die", "die-line", 5),
        Shape("".join(circle(x - 1, y - 1, 9.5) for x, y in PIPS[value]), "pip"),
    )


def all_marks() -> list[Drawing]:
    """Return the drawings of all marks, with all variants."""
    found = [Drawing(f"cross-{i}", "", cross(i)) for i in range(CROSS_VARIANTS)]
    found += [Drawing(f"scribble-{i}", "", scribble(i)) for i in range(SCRIBBLE_VARIANTS)]
    found += [Drawing(f"die-{value}", "", die(value)) for value in range(1, 7)]
    for shape in TURNS:
        found.append(Drawing(f"track-{shape}", "", track(shape, printed=False)))
        found.append(Drawing(f"track-{shape}-print", "", track(shape, printed=True)))
    found.append(Drawing("cross-print", "", printed_cross()))
    found.append(Drawing("cross-rocket", "", rocket_cross()))
    found.append(Drawing("lava", "", lava()))
    return found

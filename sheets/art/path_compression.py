"""Compression of SVG paths: relative coordinates with few digits."""

from __future__ import annotations

from functools import lru_cache

from fontTools.pens.basePen import BasePen

from sheets.art.shapes import Point, number_text, replay


class ShortPathPen(BasePen):  # type: ignore[misc]  # fontTools has no types
    """fontTools pen that writes an outline as an SVG path with relative coordinates.

    Paths are most of the bytes of a sheet, and phones wait for them.

    Args:
        glyphs: the glyph set of the font, for glyphs that consist of other glyphs.
        digits: number of decimals, 1 or 0.
    """

    def __init__(self, glyphs: object = None, *, digits: int = 1) -> None:
        super().__init__(glyphs)
        self.path = ""
        self._digits = digits
        self._at: Point = (0.0, 0.0)
        self._start: Point = (0.0, 0.0)

    def _rounded(self, point: Point) -> Point:
        return round(point[0], self._digits), round(point[1], self._digits)

    def _write(self, command: str, *points: Point) -> None:
        # Relative to the rounded position, so that rounding errors do not add up.
        rounded = [self._rounded(point) for point in points]
        x0, y0 = self._at
        steps = [number_text(to - at) for x, y in rounded for to, at in ((x, x0), (y, y0))]
        if command == "l" and "0" in steps:
            command, steps = ("v", steps[1:]) if steps[0] == "0" else ("h", steps[:1])
        self.path += command + " ".join(steps).replace(" -", "-")
        self._at = rounded[-1]

    def _moveTo(self, pt: Point) -> None:
        self._start = self._rounded(pt)
        self._write("m", pt)

    def _lineTo(self, pt: Point) -> None:
        self._write("l", pt)

    def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:
        self._write("c", pt1, pt2, pt3)

    def _qCurveToOne(self, pt1: Point, pt2: Point) -> None:
        self._write("q", pt1, pt2)

    def _closePath(self) -> None:
        self.path += "z"
        self._at = self._start


@lru_cache(maxsize=4096)
def short_path(path: str) -> str:
    """Return a path as written by `ShortPathPen`, or unchanged if that is shorter.

    Circles stay unchanged: the pen has no arcs.
    """
    pen = ShortPathPen()
    replay(path, pen)
    return min(path, pen.path, key=len)

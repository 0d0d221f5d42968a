"""How is the artwork painted with Pillow? Large, then reduced, so that edges come out smooth."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont

from sheets.artwork.compose import HALO_WIDTH, Placed, Text
from sheets.artwork.drawings import drawing
from sheets.artwork.furniture import Piece
from sheets.artwork.glyphs import BOLD
from sheets.artwork.letters import EM, cut_to_fit, drawable, is_plain, letter
from sheets.artwork.palette import Palette
from sheets.artwork.shapes import Point, Shape, bounds, commands

OVERSAMPLING = 3
"""Pixels painted per pixel of the picture, each way."""

_STEPS = 10
"""Straight pieces per curve."""

Contour = tuple[tuple[Point, ...], bool]
"""The points of a contour, and whether it is closed."""

Place = tuple[float, float, float]
"""Where a drawing goes: x and y of its origin and the length of its unit, in pixels."""


class Canvas:
    """A picture under construction; all lengths are in pixels of the finished picture."""

    def __init__(self, width: int, height: int, palette: Palette, ground: str = "ground") -> None:
        self.palette = palette
        size = (width * OVERSAMPLING, height * OVERSAMPLING)
        self._image = Image.new("RGB", size, palette.colour(ground))
        self._draw = ImageDraw.Draw(self._image)

    def finished(self) -> Image.Image:
        """The picture at its final size."""
        return self._image.reduce(OVERSAMPLING)

    def shape(self, shape: Shape, place: Place, group: str = "") -> None:
        """Paint a shape: first its stroke, then its fill."""
        x, y, unit = (value * OVERSAMPLING for value in place)
        contours = [
            ([(x + px * unit, y + py * unit) for px, py in points], closed)
            for points, closed in flatten(shape.path)
        ]
        if shape.stroke:
            colour = self.palette.colour(shape.stroke, group)
            for points, closed in contours:
                self._stroke([*points, points[0]] if closed else points, shape.width * unit, colour)
        if shape.fill:
            for points, _ in contours:
                self._draw.polygon(points, fill=self.palette.colour(shape.fill, group))

    def item(self, item: Placed | Text, place: Place, role: str = "ink", group: str = "") -> None:
        """Paint a placed drawing, or a number in a role's colour, within a group."""
        x, y, unit = place
        if isinstance(item, Placed):
            found = drawing(item.id)
            inner = (x + item.x * unit, y + item.y * unit, item.size / 100 * unit)
            for shape in found.shapes:
                self.shape(shape, inner, found.group)
            return
        size = item.size * unit * OVERSAMPLING
        point = ((x + item.x * unit) * OVERSAMPLING, (y + item.y * unit) * OVERSAMPLING)
        face, colour = _font(BOLD, round(size)), self.palette.colour(role)
        if item.halo:
            halo = self.palette.colour(item.halo, group)
            width = size * HALO_WIDTH / 200
            self._draw.text(point, item.text, halo, face, "ms", stroke_width=width)
        self._draw.text(point, item.text, colour, face, "ms")

    def pieces(self, pieces: Iterable[Piece], place: Place) -> None:
        """Paint arrows, borders, badges …"""
        for piece in pieces:
            for item in piece.items:
                if isinstance(item, Shape):
                    self.shape(item, place)
                else:
                    self.item(item, place, "on-badge")

    def words(
        self, text: str, at: Point, font: Path, size: float, role: str, *, anchor: str, room: float
    ) -> None:
        """Write text at an anchor point (Pillow's anchors), smaller if there is no ``room``."""
        bold, most = font == BOLD, room * OVERSAMPLING
        text = drawable(text, bold=bold)

        def length(text: str, size: float) -> float:
            return letter(text, bold=bold).advance * size / EM

        pixels = size * OVERSAMPLING
        if (whole := length(text, pixels)) > most:
            pixels = max(pixels * 0.5, pixels * most / whole)
            text = cut_to_fit(text, lambda text: length(text, pixels) <= most + 1e-6)
        x, y = (value * OVERSAMPLING for value in at)
        colour = self.palette.colour(role)
        if is_plain(text, bold=bold):
            self._draw.text((x, y), text, colour, _font(font, int(pixels)), anchor=anchor)
            return
        x -= {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]] * length(text, pixels)
        for path in letter(text, bold=bold).glyphs:
            self._glyph(path, (x, y, pixels / EM), colour)

    def _glyph(self, path: str, place: Place, colour: str) -> None:
        """Paint one glyph, whose inner outlines are holes."""
        x, y, unit = place
        left, top, right, bottom = (value * unit for value in bounds([Shape(path, "ink")]))
        corner = (math.floor(x + left), math.floor(y + top))
        size = (math.ceil(right - left) + 2, math.ceil(bottom - top) + 2)
        mask = Image.new("1", size)
        for points, _ in flatten(path):
            ring = Image.new("1", size)
            moved = [(x + px * unit - corner[0], y + py * unit - corner[1]) for px, py in points]
            ImageDraw.Draw(ring).polygon(moved, fill=1)
            mask = ImageChops.logical_xor(mask, ring)
        self._image.paste(colour, corner, mask)

    def _stroke(self, points: list[Point], width: float, colour: str) -> None:
        half = width / 2
        for x, y in points:
            self._draw.ellipse((x - half, y - half, x + half, y + half), fill=colour)
        for i, (x, y) in enumerate(points[1:]):
            px, py = points[i]
            length = math.hypot(x - px, y - py)
            if length:
                dx, dy = (y - py) / length * half, (px - x) / length * half
                corners = [
                    (px + dx, py + dy),
                    (x + dx, y + dy),
                    (x - dx, y - dy),
                    (px - dx, py - dy),
                ]
                self._draw.polygon(corners, fill=colour)


@lru_cache(maxsize=2048)
def flatten(path: str) -> tuple[Contour, ...]:
    """A path as straight pieces."""
    contours: list[Contour] = []
    points: list[Point] = []
    for name, args in commands(path):
        match name:
            case "moveTo":
                points = [args[0]]
            case "lineTo":
                points.append(args[0])
            case "curveTo":
                points += _curve([points[-1], *args])
            case "qCurveTo":
                points += _curve([points[-1], *args])
            case "closePath" | "endPath":
                contours.append((tuple(points), name == "closePath"))
    return tuple(contours)


def _curve(control: list[Point]) -> list[Point]:
    """Points along a Bézier curve of any degree, without the first."""
    found = []
    # As complex numbers, which are quicker to add than pairs are.
    corners = [complex(x, y) for x, y in control]
    for step in range(1, _STEPS + 1):
        t, points = step / _STEPS, corners
        while len(points) > 1:
            points = [a + (b - a) * t for a, b in pairwise(points)]
        found.append((points[0].real, points[0].imag))
    return found


@lru_cache(maxsize=64)
def _font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)

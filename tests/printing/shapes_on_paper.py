"""Collision detection of the items of a page, as solid boxes and strokes in millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sheets.art.render.fonts import typeset
from sheets.art.render.items import DrawnPage, Item, PathItem, Stamp, TextLine
from sheets.art.shapes import bounds, flatten

MARKS = ("cross-", "scribble-", "track-", "lava")
"""Prefixes of stamps over a field's print: marks of players, and printed marks."""

OVER_ALL = ("die-", "die2-", "link-", "may-", "struck")
"""Prefixes of stamps that may cover anything: dice, and the signs of the examples of rules."""

NO_WIDTH = np.zeros(0)
"""Half widths of a solid box, which has no strokes."""

FAR_MM = 1e9
"""Distance of two items that are too far apart to measure."""


class Covered(NamedTuple):
    """Paper covered by an item: a solid box, or strokes (n × 4 segments) with half widths."""

    name: str
    box: tuple[float, float, float, float]
    segments: np.ndarray | None
    half_widths: np.ndarray

    @property
    def is_solid(self) -> bool:
        return self.segments is None


def covered(page: DrawnPage, *, has_field_marks: bool = False) -> Iterator[Covered]:
    """Yield the paper covered by each item of a page, with or without marks over fields."""
    for part, x_mm in page.parts:
        fields = {
            _place(item)
            for item in part.items
            if isinstance(item, Stamp) and item.id.startswith("field-")
        }
        for item in part.items:
            is_mark = isinstance(item, Stamp) and (
                item.id.startswith(OVER_ALL)
                or (item.id.startswith(MARKS) and _place(item) in fields)
            )
            is_halo = isinstance(item, PathItem) and item.shape.stroke in ("paper", "tint")
            if is_halo or (is_mark and not has_field_marks):
                continue
            yield from (_moved(found, x_mm) for found in _cover(item))


def _place(item: Stamp) -> tuple[float, ...]:
    return tuple(round(value, 3) for value in (item.x, item.y, item.size))


def covered_by_text(page: DrawnPage) -> Iterator[Covered]:
    """Yield the paper covered by each text of a page."""
    for part, x_mm in page.parts:
        for item in part.items:
            if isinstance(item, TextLine):
                yield from (_moved(found, x_mm) for found in _cover(item))


def _moved(found: Covered, x_mm: float) -> Covered:
    left, top, right, bottom = found.box
    segments = None if found.segments is None else found.segments + np.array([x_mm, 0, x_mm, 0])
    return found._replace(box=(left + x_mm, top, right + x_mm, bottom), segments=segments)


def _cover(item: Item) -> Iterator[Covered]:
    match item:
        case TextLine():
            font, _text, x = typeset(item)
            left, low, right, high = (side * item.size for side in font.extent(item.text))
            box = (x + left, item.y - high, x + right, item.y - low)
            yield Covered(f"text {item.text!r}", box, None, NO_WIDTH)
        case Stamp() if item.id.startswith("field-"):
            shape, scale = item.shapes[-1], item.size / 100
            half = shape.width * scale / 2
            yield _strokes(f"border of {item.id}", shape.path, item.x, item.y, scale, half)
        case Stamp():
            scale = item.size / 100
            parts = [
                _strokes(item.id, shape.path, item.x, item.y, scale,
                         shape.width * scale / 2 if shape.stroke else 0.0)
                for shape in item.shapes
            ]  # fmt: skip
            boxes = np.array([part.box for part in parts])
            box = (*boxes[:, :2].min(0), *boxes[:, 2:].max(0))
            segments = np.concatenate([part.segments for part in parts])
            halves = np.concatenate([part.half_widths for part in parts])
            yield Covered(item.id, tuple(map(float, box)), segments, halves)
        case PathItem():
            shape, scale = item.shape, item.scale
            if shape.stroke:
                half = shape.width * scale / 2
                name = f"line {shape.stroke}"
                yield _strokes(name, shape.path, item.x, item.y, scale, half)
            elif shape.fill not in ("paper", "wash"):
                left, top, right, bottom = bounds((shape,))
                box = (item.x + left * scale, item.y + top * scale,
                       item.x + right * scale, item.y + bottom * scale)  # fmt: skip
                if shape.fill != "code":
                    yield Covered(f"figure {shape.fill}", box, None, NO_WIDTH)


def _strokes(name: str, path: str, x: float, y: float, scale: float, half: float) -> Covered:
    array = _segments(path) * scale + np.array([x, y, x, y])
    xs, ys = array[:, 0::2], array[:, 1::2]
    box = (xs.min() - half, ys.min() - half, xs.max() + half, ys.max() + half)
    return Covered(name, tuple(map(float, box)), array, np.full(len(array), half))


@lru_cache(maxsize=1000)
def _segments(path: str) -> np.ndarray:
    """Return a path as straight segments, an n × 4 array; cached because drawings recur."""
    segments = []
    for points, closed in flatten(path):
        ring = [*points, points[0]] if closed else list(points)
        segments += [(*a, *b) for a, b in pairwise(ring)]
    return np.array(segments)


def touching(page: DrawnPage, clearance_mm: float = 0.0) -> list[tuple[str, str, float]]:
    """Return the pairs of items whose distance is at most the clearance, with that distance."""
    items = list(covered(page))
    boxes = np.array([item.box for item in items])
    near = np.maximum(
        np.maximum(boxes[:, None, 0] - boxes[None, :, 2], boxes[None, :, 0] - boxes[:, None, 2]),
        np.maximum(boxes[:, None, 1] - boxes[None, :, 3], boxes[None, :, 1] - boxes[:, None, 3]),
    )
    found = []
    for i, j in zip(*np.nonzero(near <= clearance_mm), strict=True):
        if i < j:
            distance = _distance(items[i], items[j])
            if distance <= clearance_mm:
                found.append((items[i].name, items[j].name, round(distance, 3)))
    return found


def _distance(first: Covered, second: Covered) -> float:
    if first.is_solid and second.is_solid:
        return 0.0 if _overlap(first.box, second.box) else FAR_MM
    if first.is_solid:
        first, second = second, first
    assert first.segments is not None
    if second.is_solid:
        left, top, right, bottom = second.box
        x, y = first.segments[:, 0], first.segments[:, 1]
        if np.any((x >= left) & (x <= right) & (y >= top) & (y <= bottom)):
            return 0.0
        other = np.array([(left, top, right, top), (right, top, right, bottom),
                          (right, bottom, left, bottom), (left, bottom, left, top)])  # fmt: skip
        return _between(first.segments, first.half_widths, other, np.zeros(4))
    assert second.segments is not None
    a, b = _near(first, second.box), _near(second, first.box)
    return _between(*a, *b) if len(a[0]) and len(b[0]) else FAR_MM


def _near(found: Covered, box: tuple[float, float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Return the strokes, with half widths, that may lie within a millimetre of this box."""
    assert found.segments is not None
    starts, ends, room = (
        found.segments[:, :2],
        found.segments[:, 2:],
        found.half_widths[:, None] + 1,
    )
    low, high = np.minimum(starts, ends) - room, np.maximum(starts, ends) + room
    kept = ((low <= box[2:]) & (high >= box[:2])).all(axis=1)
    return found.segments[kept], found.half_widths[kept]


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _between(a: np.ndarray, half_a: np.ndarray, b: np.ndarray, half_b: np.ndarray) -> float:
    """Return the minimum distance of two sets of strokes."""
    if np.any(_cross(a, b)):
        return 0.0
    widths = half_a[:, None] + half_b[None, :]
    distances = np.minimum(_from_ends(a, b), _from_ends(b, a).T)
    return float((distances - widths).min())


def _from_ends(ends: np.ndarray, segments: np.ndarray) -> np.ndarray:
    """Return the distance of each first segment's nearer end from each second segment."""
    start, along = segments[None, :, :2], (segments[:, 2:] - segments[:, :2])[None]
    length = (along**2).sum(-1)
    least = np.full((len(ends), len(segments)), np.inf)
    for points in (ends[:, :2], ends[:, 2:]):
        to = points[:, None, :] - start
        share = np.clip((to * along).sum(-1) / np.where(length == 0, 1, length), 0, 1)
        least = np.minimum(least, np.sqrt(((to - share[..., None] * along) ** 2).sum(-1)))
    return least


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
        return (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (
            r[..., 0] - p[..., 0]
        )

    p, q = a[:, None, :2], a[:, None, 2:]
    r, s = b[None, :, :2], b[None, :, 2:]
    return (side(p, q, r) * side(p, q, s) < 0) & (side(r, s, p) * side(r, s, q) < 0)

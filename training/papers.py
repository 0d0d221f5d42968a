"""What lies on the table: printed pages that somebody has filled in, with what is true of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as made_by
from functools import lru_cache
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sheets.geometry import PageOptions
from sheets.printing.booklet import draw_booklet
from sheets.printing.places import format_geometry
from sheets.render.raster import draw_pixels
from sheets.rules.level import SHAPES, Field, Level
from training import marks
from training.marks import Hand
from training.pens import METHODS, USUAL, Pen, choose_seen_pen, draw_stroke, smooth

PX_PER_MM: Final = 12.0
_PRESSED_PX: Final = 128


@dataclass
class Truth:
    """What is on one sheet: ``fields`` by name, one of the kinds a reader tells apart.

    ``numbers`` is by track and number as `geometry` names them: ``circled`` or ``struck``.
    ``strays`` are empty fields with a stroke that means nothing, ``noted`` all fields that a note
    runs through, ``ways`` the families of pens and the methods of strokes on it.
    """

    level: str
    place: int
    number: int
    fields: dict[str, str]
    numbers: dict[str, dict[str, str]] = made_by(default_factory=dict)
    strays: set[str] = made_by(default_factory=set)
    noted: set[str] = made_by(default_factory=set)
    ways: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Filling:
    """Who fills sheets in: which pens and ways to draw strokes there are to choose from.

    ``taken_back`` is the share of crosses that are taken back, ``stray`` that of empty fields with
    a stroke that means nothing, ``notes`` those of sheets with no note, one, and three.
    ``extremes`` are the shares of sheets with no mark, with one, and with a mark on every field.
    """

    families: tuple[str, ...] = USUAL
    methods: tuple[str, ...] = METHODS
    taken_back: float = 0.02
    stray: float = 0.02
    notes: tuple[float, float, float] = (0.7, 0.2, 0.1)
    extremes: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Marked(NamedTuple):
    """What is to be marked on a sheet.

    ``fields`` has the kinds of the fields that are, by name; those in ``over_lava`` had been
    coloured in before. ``struck`` is of each track of numbers, as `geometry` names it, how many are
    gone, from the first on; ``circled`` one's own.
    """

    fields: Mapping[str, str]
    over_lava: Collection[str] = ()
    struck: Mapping[str, int] = {}
    circled: Mapping[str, int] = {}


def fill_page(
    rng: Generator,
    levels: Sequence[Level],
    options: PageOptions,
    filling: Filling,
    marked: Sequence[Marked] = (),
) -> tuple[NDArray[np.uint8], list[Truth]]:
    """The first page of a print, filled in; red, green and blue at `PX_PER_MM`.

    Args:
        marked: what is marked on each of its sheets; without it chance decides.
    """
    picture = _toner(rng, _printed(tuple(levels), options))
    geometry = format_geometry(levels, options)
    by_id = {level.id: level for level in levels}
    truths = []
    for number, sheet in enumerate(geometry["sheets"], start=1):
        if sheet["page"] != 1:
            continue
        place = sheet["markers"][0]["id"] // 4
        truth = Truth(sheet["level"], place, number, {})
        wanted = marked[len(truths)] if marked else None
        fill_sheet(rng, picture, by_id[sheet["level"]], sheet, filling, truth, wanted)
        truths.append(truth)
    return picture, truths


@lru_cache(maxsize=8)
def _printed(levels: tuple[Level, ...], options: PageOptions) -> NDArray[np.uint8]:
    (page, *_more) = draw_booklet(levels, options)
    box = (0.0, 0.0, page.width_mm, page.height_mm)
    return draw_pixels(page.parts, page.palette, box, PX_PER_MM)


def _toner(rng: Generator, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Paler or darker print, on paper that is not quite white."""
    ink = rng.uniform(0.75, 1.0) if rng.random() < 0.8 else rng.uniform(0.55, 0.75)
    paper = np.array([rng.uniform(225, 255)] * 3) - np.array([0, 1, 3]) * rng.uniform(0, 4)
    found = paper - (255 - np.arange(256))[:, None] * (ink * paper / 255)
    return cv2.LUT(picture, np.clip(found, 0, 255).astype(np.uint8)[:, None])


class _Writer:
    """Somebody with a pen or two, who draws into layers of ink on a picture."""

    def __init__(
        self,
        rng: Generator,
        filling: Filling,
        shape: tuple[int, int],
        grounds: NDArray[np.float32],
    ) -> None:
        def choose() -> Pen:
            return choose_seen_pen(rng, filling.families, filling.methods, grounds)

        self.rng = rng
        self.hand = Hand(rng)
        self.pen = choose()
        is_alone = rng.random() < 0.6
        self.other = self.pen if is_alone else choose()
        self.layers: dict[Pen, NDArray[np.float32]] = {}
        self._shape = shape

    def draw(self, strokes: marks.Strokes, box: Sequence[float], *, other: bool = False) -> None:
        """Draw strokes of a box of side 1 into a box of millimetres."""
        x, y, width, height = box
        pen = self.other if other else self.pen
        layer = self.layers.setdefault(pen, np.zeros(self._shape, np.float32))
        for stroke in strokes:
            at = stroke * (width, height) + (x + width / 2, y + height / 2)
            draw_stroke(self.rng, layer, smooth(at), pen, PX_PER_MM)


def fill_sheet(
    rng: Generator,
    picture: NDArray[np.uint8],
    level: Level,
    sheet: dict[str, Any],
    filling: Filling,
    truth: Truth,
    marked: Marked | None = None,
) -> None:
    """Fill in a sheet of a page whose places are those of `geometry`, and say so in ``truth``."""
    grounds = _grounds(picture, sheet["fields"].values())
    writer = _Writer(rng, filling, picture.shape[:2], grounds)
    if any(filling.extremes):
        marked = _choose_extreme(rng, level, filling.extremes) or marked
    density = rng.uniform(0.1, 0.85)
    for field in level.fields:
        kind = _choose_kind(rng, level, field, density, filling, marked)
        truth.fields[field.name] = kind
        if marked is not None and field.name in marked.over_lava:
            box = sheet["fields"][field.name]
            writer.draw(marks.colouring(rng, writer.hand), box, other=True)
        if kind in SHAPES:
            writer.draw(marks.track(rng, writer.hand, kind), sheet["fields"][field.name])
        elif kind in _DRAWN:
            strokes = _DRAWN[kind](rng, writer.hand)
            writer.draw(strokes, sheet["fields"][field.name], other=kind == "lava")
        elif kind == "empty" and rng.random() < filling.stray:
            writer.draw(marks.stray(rng, writer.hand), sheet["fields"][field.name])
            truth.strays.add(field.name)
    for track, numbers in sheet["numbers"].items():
        gone, got = _choose_numbers(rng, track, numbers, marked)
        truth.numbers[track] = _fill_track(rng, writer, gone, got)
    truth.noted = _write(rng, writer, sheet, filling)
    truth.ways = frozenset(way for pen in writer.layers for way in (pen.family, pen.method))
    for pen, layer in writer.layers.items():
        _press(picture, layer, pen)


def _grounds(picture: NDArray[np.uint8], boxes: Collection[Sequence[float]]) -> NDArray[np.float32]:
    """What is behind digits and symbols in each of these boxes, N × 3."""
    found = []
    for x, y, width, height in boxes:
        left, top = (round((at + 0.1 * side) * PX_PER_MM) for at, side in ((x, width), (y, height)))
        right, low = (
            round((at + 0.9 * side) * PX_PER_MM) for at, side in ((x, width), (y, height))
        )
        found.append(np.median(picture[top:low:2, left:right:2], axis=(0, 1)))
    return np.array(found, np.float32)


_DRAWN: Final = {
    "cross": marks.cross,
    "exploded": marks.scribble,
    "lava": marks.colouring,
    "taken-back": marks.taken_back,
}


def _choose_kind(
    rng: Generator,
    level: Level,
    field: Field,
    density: float,
    filling: Filling,
    marked: Marked | None,
) -> str:
    if field.printed or field.name in level.printed_tracks:
        return "printed"
    if marked is not None:
        return marked.fields.get(field.name, "empty")
    if field.symbol == "volcano":
        return "empty"
    if field.symbol == "bomb" and rng.random() < 0.45:
        return "exploded"
    if level.by_symbol["volcano"] and rng.random() < 0.2:
        return "lava"
    if rng.random() >= density:
        return "empty"
    if level.rails:
        return str(rng.choice(SHAPES))
    return "taken-back" if rng.random() < filling.taken_back else "cross"


def _choose_extreme(
    rng: Generator, level: Level, shares: tuple[float, float, float]
) -> Marked | None:
    """No mark at all, one, or a mark on every field; mostly None, for neither of these."""
    chance = rng.random()
    names = [
        field.name
        for field in level.fields
        if not (field.printed or field.name in level.printed_tracks or field.symbol == "volcano")
    ]
    none, one, every = np.cumsum(shares)
    if chance >= every:
        return None
    count = 0 if chance < none else 1 if chance < one else len(names)
    chosen = rng.choice(names, count, replace=False).tolist()
    return Marked({name: str(rng.choice(SHAPES)) if level.rails else "cross" for name in chosen})


_Room = tuple[str, list[float]]
"""A number of a track, and its box."""


def _choose_numbers(
    rng: Generator, track: str, numbers: dict[str, Any], marked: Marked | None
) -> tuple[list[_Room], _Room | None]:
    """The numbers others have got, and one's own."""
    boxes = [(number, box) for number, some in numbers.items() for box in _each(some)]
    if marked is not None:
        wanted = str(marked.circled.get(track))
        own = next((room for room in boxes if room[0] == wanted), None)
        return [room for room in boxes[: marked.struck.get(track, 0)] if room is not own], own
    struck = int(rng.integers(0, len(boxes) + 1)) if rng.random() < 0.6 else 0
    is_got = struck < len(boxes) and rng.random() < 0.7
    return boxes[:struck], boxes[struck] if is_got else None


def _fill_track(
    rng: Generator, writer: _Writer, gone: list[_Room], got: _Room | None
) -> dict[str, str]:
    """Strike the numbers others have got, and circle one's own."""
    found: dict[str, str] = {}
    for number, box in gone:
        writer.draw(marks.strike(rng, writer.hand), box, other=rng.random() < 0.2)
        found[number] = "struck"
    if got:
        number, box = got
        writer.draw(marks.ring(rng, writer.hand), box)
        found[number] = "circled"
    return found


def _each(found: Any) -> list[list[float]]:
    return found if isinstance(found[0], list) else [found]


def _write(rng: Generator, writer: _Writer, sheet: dict[str, Any], filling: Filling) -> set[str]:
    """A name and points: wavy lines will do, nobody reads them. Gives the fields with a note."""
    rooms = [sheet["name"], *(box for box in sheet["scores"].values() if rng.random() < 0.5)]
    fields = list(sheet["fields"].values())
    for _ in range(int(rng.choice([0, 1, 3], p=filling.notes))):  # a note, anywhere
        x, y, width, height = fields[int(rng.integers(len(fields)))]
        rooms.append([x + rng.normal(0, 15), y + rng.normal(0, 20), 2 * width, height / 2])
    noted = set()
    for x, y, width, height in rooms:
        length = min(width, height * rng.uniform(0.8, 5))
        steps = max(4, int(length / 1.3))
        xs = np.linspace(-length / 2, length / 2, steps) * 0.9
        ys = rng.uniform(-0.35, 0.35, steps) * min(height, 7)
        unit = (x + width / 2 - 0.5, y + height / 2 - 0.5, 1.0, 1.0)
        writer.draw([np.stack([xs, ys], 1)], unit)
        at = xs + x + width / 2, ys + y + height / 2
        noted |= {name for name, box in sheet["fields"].items() if _runs_into(at, box)}
    return noted


def _runs_into(at: tuple[NDArray[np.float64], NDArray[np.float64]], box: Sequence[float]) -> bool:
    """Whether a line along these points may run into a box; all in millimetres."""
    (xs, ys), (left, top, width, height) = at, box
    return bool(
        xs.max() >= left
        and xs.min() <= left + width
        and ys.max() >= top
        and ys.min() <= top + height
    )


def _press(picture: NDArray[np.uint8], layer: NDArray[np.float32], pen: Pen) -> None:
    """Put ink on paper, square by square where there is any."""
    for top in range(0, picture.shape[0], _PRESSED_PX):
        for left in range(0, picture.shape[1], _PRESSED_PX):
            here = np.s_[top : top + _PRESSED_PX, left : left + _PRESSED_PX]
            if layer[here].any():
                cover = layer[here][..., None]
                part = picture[here].astype(np.float32)
                picture[here] = cv2.convertScaleAbs(part * (1 - cover) + pen.on(part) * cover)

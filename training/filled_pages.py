"""Synthetic printed pages, filled in by hand, with their ground truth."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import lru_cache
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sheets.art.render.raster import draw_pixels
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import PageOptions
from sheets.printing.geometry_document import format_geometry
from sheets.rules.level import SHAPES, Field, Level
from sheets.vision.mark_kinds import CIRCLED
from training import marks
from training.marks import Hand
from training.pad_pages import PX_PER_MM
from training.pens import METHODS, USUAL, Pen, choose_visible_pen, draw_stroke, smooth

DrawMark = Callable[[Generator, Hand], marks.Strokes]
"""Function that draws one mark, in a unit square around its centre."""

DRAWN: Final[Mapping[str, DrawMark]] = {
    "cross": marks.cross,
    "exploded": marks.scribble,
    "lava": marks.colouring,
    "taken-back": marks.taken_back,
    CIRCLED: marks.ring,
}
"""Function that draws each kind of mark of a field, and the circle around a number."""

_TILE_PX: Final = 128
"""Side of the tiles in which ink is applied to the page."""


@dataclass
class Truth:
    """Ground truth of a sheet: ``fields`` has the kind of each field by name.

    ``numbers`` has ``circled`` or ``struck`` by track and number as in `geometry`. ``strays`` are
    empty fields with a meaningless stroke, ``noted`` all fields that a note crosses.
    """

    level: str
    place: int
    number: int
    fields: dict[str, str]
    numbers: dict[str, dict[str, str]] = dataclass_field(default_factory=dict)
    strays: set[str] = dataclass_field(default_factory=set)
    noted: set[str] = dataclass_field(default_factory=set)


@dataclass(frozen=True)
class Filling:
    """Parameters of filling sheets in: families of pens, methods of strokes, and shares.

    ``taken_back`` is the share of crosses that are taken back, ``stray`` that of empty fields with
    a meaningless stroke. ``notes`` are the shares of sheets with no note, one, and three.
    ``extremes`` are the shares of sheets with no mark, with one, and with a mark on each field.
    ``handwriting`` is called once per sheet and replaces functions of `DRAWN`.
    """

    families: tuple[str, ...] = USUAL
    methods: tuple[str, ...] = METHODS
    taken_back: float = 0.02
    stray: float = 0.02
    notes: tuple[float, float, float] = (0.7, 0.2, 0.1)
    extremes: tuple[float, float, float] = (0.0, 0.0, 0.0)
    handwriting: Callable[[Generator], Mapping[str, DrawMark]] | None = None


class PlannedMarks(NamedTuple):
    """Marks to draw on a sheet.

    ``fields`` has the kind of each marked field by name; those in ``over_lava`` are hatched first.
    ``struck`` is the number of struck numbers by track as in `geometry`, from the first on;
    ``circled`` is the player's own number.
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
    marked: Sequence[PlannedMarks] = (),
) -> tuple[NDArray[np.uint8], list[Truth]]:
    """Return the first page of a print, filled in, and the ground truth of its sheets.

    The picture is red, green and blue at `PX_PER_MM`.

    Args:
        marked: marks of each of its sheets; random marks without it.
    """
    picture = _vary_print(rng, _printed(tuple(levels), options))
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


def _vary_print(rng: Generator, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Vary the darkness of the print and the colour of the paper."""
    ink = rng.uniform(0.75, 1.0) if rng.random() < 0.8 else rng.uniform(0.55, 0.75)
    paper = np.array([rng.uniform(225, 255)] * 3) - np.array([0, 1, 3]) * rng.uniform(0, 4)
    found = paper - (255 - np.arange(256))[:, None] * (ink * paper / 255)
    return cv2.LUT(picture, np.clip(found, 0, 255).astype(np.uint8)[:, None])


class _Writer:
    """A simulated player with one or two pens, who draws into layers of ink."""

    def __init__(
        self,
        rng: Generator,
        filling: Filling,
        shape: tuple[int, int],
        grounds: NDArray[np.float32],
    ) -> None:
        def choose() -> Pen:
            return choose_visible_pen(rng, filling.families, filling.methods, grounds)

        self.rng = rng
        self.hand = Hand(rng)
        self.drawn = {**DRAWN, **(filling.handwriting(rng) if filling.handwriting else {})}
        self.pen = choose()
        is_alone = rng.random() < 0.6
        self.other = self.pen if is_alone else choose()
        self.layers: dict[Pen, NDArray[np.float32]] = {}
        self._shape = shape

    def draw(self, strokes: marks.Strokes, box: Sequence[float], *, other: bool = False) -> None:
        """Draw strokes in a unit square into a box of millimetres."""
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
    marked: PlannedMarks | None = None,
) -> None:
    """Fill in a sheet at the places of `geometry`, and record the ground truth in ``truth``."""
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
        elif kind in writer.drawn:
            strokes = writer.drawn[kind](rng, writer.hand)
            writer.draw(strokes, sheet["fields"][field.name], other=kind == "lava")
        elif kind == "empty" and rng.random() < filling.stray:
            writer.draw(marks.stray(rng, writer.hand), sheet["fields"][field.name])
            truth.strays.add(field.name)
    for track, numbers in sheet["numbers"].items():
        gone, got = _choose_numbers(rng, track, numbers, marked)
        truth.numbers[track] = _fill_track(rng, writer, gone, got)
    truth.noted = _write_notes(rng, writer, sheet, filling)
    for pen, layer in writer.layers.items():
        _apply_ink(picture, layer, pen)


def _grounds(picture: NDArray[np.uint8], boxes: Collection[Sequence[float]]) -> NDArray[np.float32]:
    """Return the background colour of each box, N × 3."""
    found = []
    for x, y, width, height in boxes:
        left, top = (round((at + 0.1 * side) * PX_PER_MM) for at, side in ((x, width), (y, height)))
        right, low = (
            round((at + 0.9 * side) * PX_PER_MM) for at, side in ((x, width), (y, height))
        )
        found.append(np.median(picture[top:low:2, left:right:2], axis=(0, 1)))
    return np.array(found, np.float32)


def _choose_kind(
    rng: Generator,
    level: Level,
    field: Field,
    density: float,
    filling: Filling,
    marked: PlannedMarks | None,
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
) -> PlannedMarks | None:
    """Choose no mark, one mark, or a mark on each field; None for neither of these."""
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
    return PlannedMarks(
        {name: str(rng.choice(SHAPES)) if level.rails else "cross" for name in chosen}
    )


_Room = tuple[str, list[float]]
"""A number of a track, and its box."""


def _choose_numbers(
    rng: Generator, track: str, numbers: dict[str, Any], marked: PlannedMarks | None
) -> tuple[list[_Room], _Room | None]:
    """Return the numbers that other players got, and the player's own."""
    boxes = [(number, box) for number, some in numbers.items() for box in _as_boxes(some)]
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
    """Strike the numbers of other players, and circle the player's own."""
    found: dict[str, str] = {}
    for number, box in gone:
        writer.draw(marks.strike(rng, writer.hand), box, other=rng.random() < 0.2)
        found[number] = "struck"
    if got:
        number, box = got
        writer.draw(writer.drawn[CIRCLED](rng, writer.hand), box)
        found[number] = CIRCLED
    return found


def _as_boxes(found: Any) -> list[list[float]]:
    return found if isinstance(found[0], list) else [found]


def _write_notes(
    rng: Generator, writer: _Writer, sheet: dict[str, Any], filling: Filling
) -> set[str]:
    """Draw wavy lines for name, points and notes; return the fields that a note crosses."""
    rooms = [sheet["name"], *(box for box in sheet["scores"].values() if rng.random() < 0.5)]
    fields = list(sheet["fields"].values())
    for _ in range(int(rng.choice([0, 1, 3], p=filling.notes))):  # notes at random places
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
    """Return whether the bounding box of a line may overlap a box; all in millimetres."""
    (xs, ys), (left, top, width, height) = at, box
    return bool(
        xs.max() >= left
        and xs.min() <= left + width
        and ys.max() >= top
        and ys.min() <= top + height
    )


def _apply_ink(picture: NDArray[np.uint8], layer: NDArray[np.float32], pen: Pen) -> None:
    """Apply a layer of ink to the page, tile by tile."""
    for top in range(0, picture.shape[0], _TILE_PX):
        for left in range(0, picture.shape[1], _TILE_PX):
            here = np.s_[top : top + _TILE_PX, left : left + _TILE_PX]
            if layer[here].any():
                cover = layer[here][..., None]
                part = picture[here].astype(np.float32)
                picture[here] = cv2.convertScaleAbs(part * (1 - cover) + pen.on(part) * cover)

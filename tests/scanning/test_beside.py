"""Fields of a leaf are shown beside those of its empty sheet, whatever is printed on them."""

from __future__ import annotations

import cv2
import numpy as np

from sheets.rules import parse_level
from sheets.scanning.kinds import CROSS, EMPTY, EXPLODED, LAVA
from sheets.scanning.patches import SIDE, Look
from sheets.scanning.straighten import PX_PER_MM
from sheets.scanning.unknown.flat import FIELD_PX
from sheets.scanning.unknown.pad import Pad
from sheets.scanning.unknown.pens import by_pens
from sheets.scanning.unknown.template import Template
from tests.scanning.leaf_shots import look_at_flat

COUNT = 5
PAPER, PURPLE, RED, BLUE = (235, 235, 235), (70, 40, 130), (200, 60, 60), (60, 60, 200)
WITHIN = np.s_[:, SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4]


def print_pad(*colours: tuple[int, int, int], part: float) -> Pad:
    """An empty sheet of so many fields each way, with a symbol on so much of each one's width."""
    grid = [" ".join("1" for _ in range(COUNT)) for _ in range(COUNT)]
    level = parse_level({"format": "dizzle-level/1", "id": "pad", "name": "Pad", "grid": grid})
    picture = np.full(((COUNT + 3) * FIELD_PX,) * 2 + (3,), 235, np.uint8)
    for one in level.fields:
        left, top = (round((at + 1.5) * FIELD_PX) for at in (one.column, one.row))
        right, low = left + FIELD_PX, top + FIELD_PX
        symbol = colours[(one.column + one.row) % len(colours)]
        cv2.rectangle(picture, (left, top), (left + round(part * FIELD_PX), low), symbol, -1)
        cv2.rectangle(picture, (left, top), (right, low), (40, 40, 40), 2)
    return Pad(level, Template(picture, b"", FIELD_PX, (2.0 * FIELD_PX,) * 2, (1.0, 1.0), {}))


def test_a_pencil_shows_on_paper_beside_a_dark_symbol_that_fills_most_of_its_field() -> None:
    pad = print_pad(PURPLE, PAPER, PAPER, part=0.6)
    picture = pad.picture.copy()
    x, y, wide, high = (v * PX_PER_MM for v in pad.boxes["c2"])
    left, top = (v * PX_PER_MM for v in pad.box[:2])
    at = round(x - left + 0.8 * wide)
    ends = [(at, round(y - top + share * high)) for share in (0.1, 0.9)]
    cv2.line(picture, *ends, (150, 150, 150), 4)
    look = look_at_flat(picture, pad)
    more = (look.photo - look.printed)[WITHIN].mean(3).max((1, 2))
    line = look.names.index("c2")
    assert more[line] > 0.15
    assert np.delete(more, line).max() < 0.05


def test_print_is_no_mark_where_a_camera_shows_one_of_its_colours_in_another() -> None:
    pad = print_pad(RED, BLUE, part=0.3)
    shown = pad.picture.astype(int)
    is_red = (shown[..., 0] - shown[..., 2] > 90)[..., None]
    look = look_at_flat(
        np.where(is_red, shown + np.array([-30, 60, 40]), shown).astype(np.uint8), pad
    )
    off = np.abs(look.photo - look.printed)[WITHIN].mean(3)
    assert np.quantile(off, 0.9) < 0.02


def seen_in(*pens: float) -> Look:
    """Fields that are filled with pens so blue."""
    names = tuple(f"a{i}" for i in range(1, len(pens) + 1))
    photo = np.zeros((len(pens), SIDE, SIDE, 3), np.float32)
    photo[WITHIN] = 0.8
    photo[WITHIN][..., 2] -= np.array(pens, np.float32)[:, None, None]
    return Look(names, photo, np.zeros_like(photo))


def test_of_two_pens_the_one_that_lava_has_says_what_is_lava() -> None:
    sure = {EMPTY: 0.005, CROSS: 0.98, EXPLODED: 0.01, LAVA: 0.005}
    lava = {EMPTY: 0.005, CROSS: 0.005, EXPLODED: 0.01, LAVA: 0.98}
    doubtful = {EMPTY: 0.0, CROSS: 0.1, EXPLODED: 0.6, LAVA: 0.3}
    answers = {f"a{i}": one for i, one in enumerate([sure] * 3 + [lava] * 3 + [doubtful] * 2, 1)}
    two = by_pens(seen_in(0, 0, 0, 0.6, 0.6, 0.6, 0, 0.6), answers)
    assert two["a7"][EXPLODED] > 0.85
    assert two["a8"][LAVA] > 0.85
    assert sum(two["a8"].values()) == sum(doubtful.values())
    assert two["a8"][CROSS] == doubtful[CROSS]
    same = by_pens(seen_in(*[0.6] * 8), answers)
    assert same == answers
    few = {name: one for name, one in answers.items() if name not in ("a5", "a6")}
    look = seen_in(0, 0, 0, 0.6, 0.6, 0.6, 0, 0.6)
    assert by_pens(look, few)["a8"] == doubtful

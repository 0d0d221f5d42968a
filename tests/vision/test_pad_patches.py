"""Tests of the patches of a pad's filled sheet relative to its empty sheet."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from sheets.rules.level import Field
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.pads.rectification import FIELD_PX
from sheets.vision.patches import SIDE
from sheets.vision.pixels import Picture
from sheets.vision.rectification import PX_PER_MM
from tests.vision.filled_sheet_shots import cut_flat_patches, draw_pad_form

COUNT = 5
PAPER, PURPLE, RED, BLUE = (235, 235, 235), (70, 40, 130), (200, 60, 60), (60, 60, 200)
WITHIN = np.s_[:, SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4]


def print_pad(*colours: tuple[int, int, int], part: float) -> PadForm:
    """Return a pad with a symbol over a share of each field's width."""

    def draw(picture: Picture, field: Field, corner: tuple[int, int]) -> None:
        right, low = corner[0] + FIELD_PX, corner[1] + FIELD_PX
        symbol = colours[(field.column + field.row) % len(colours)]
        cv2.rectangle(picture, corner, (corner[0] + round(part * FIELD_PX), low), symbol, -1)
        cv2.rectangle(picture, corner, (right, low), (40, 40, 40), 2)

    return draw_pad_form(COUNT, draw)


def test_a_pencil_shows_next_to_a_dark_symbol_that_fills_most_of_its_field() -> None:
    pad = print_pad(PURPLE, PAPER, PAPER, part=0.6)
    picture = pad.picture.copy()
    x, y, wide, high = (v * PX_PER_MM for v in pad.boxes["c2"])
    left, top = (v * PX_PER_MM for v in pad.box[:2])
    at = round(x - left + 0.8 * wide)
    ends = [(at, round(y - top + share * high)) for share in (0.1, 0.9)]
    cv2.line(picture, *ends, (150, 150, 150), 4)
    look = cut_flat_patches(picture, pad)
    more = (look.photo - look.printed)[WITHIN].mean(3).max((1, 2))
    line = look.names.index("c2")
    assert more[line] > 0.15
    assert np.delete(more, line).max() < 0.05


def test_print_in_a_colour_shifted_by_the_camera_is_no_mark() -> None:
    pad = print_pad(RED, BLUE, part=0.3)
    shown = pad.picture.astype(int)
    is_red = (shown[..., 0] - shown[..., 2] > 90)[..., None]
    look = cut_flat_patches(
        np.where(is_red, shown + np.array([-30, 60, 40]), shown).astype(np.uint8), pad
    )
    off = np.abs(look.photo - look.printed)[WITHIN].mean(3)
    assert np.quantile(off, 0.9) < 0.02


def test_a_shadow_on_the_empty_sheet_alone_is_removed() -> None:
    pad = print_pad(PURPLE, PAPER, PAPER, part=0.3)
    plain = pad.picture.copy()
    high, wide = pad.template.picture.shape[:2]
    across = np.arange(wide) + 0.3 * np.arange(high)[:, None] - 0.6 * wide
    light = 0.25 + 0.75 / (1 + np.exp(across / 20))
    shaded = (pad.template.picture * light[..., None]).astype(np.uint8)
    look = cut_flat_patches(plain, PadForm(pad.level, replace(pad.template, picture=shaded)))
    bare = [i for i, one in enumerate(pad.level.fields) if (one.column + one.row) % 3]
    for patches in (look.photo, look.printed):
        assert np.abs(patches[WITHIN][bare]).max() < 0.1

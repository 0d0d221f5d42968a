"""Blurred QR codes, matched with the possible codes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sheets.levels import shipped_levels
from sheets.vision.decoding import decode_photo
from sheets.vision.layouts import layouts_of
from sheets.vision.qr_codes import match_blurred_code
from sheets.vision.sheet_detection import DetectedSheet, detect_sheets
from tests.vision.shots import take

LAYOUTS = layouts_of(list(shipped_levels().values()))


@pytest.fixture
def blurred() -> tuple[np.ndarray, DetectedSheet]:
    """A photo that no reader of codes can read, and the sheet on it."""
    photo = decode_photo(take("level-4", paper="a5", seed=3).jpeg)
    (found,) = detect_sheets(photo, LAYOUTS)
    soft = cv2.GaussianBlur(photo, (0, 0), 6)
    (unread,) = detect_sheets(soft, [layout for layout in LAYOUTS if layout.level.id != "level-4"])
    assert unread.level is None
    return soft, found


def alike(found: DetectedSheet) -> list:
    """All forms whose sheets look like this one from afar."""
    chosen = found.layouts[0]
    return [layout for layout in LAYOUTS if layout.options == chosen.options]


def test_a_blurred_code_is_matched_with_all_possible_codes(
    blurred: tuple[np.ndarray, DetectedSheet],
) -> None:
    photo, found = blurred
    assert match_blurred_code(photo, alike(found), found.to_photo) == (
        "level-4", found.number, found.layouts[0].hash,
    )  # fmt: skip


def test_a_code_of_something_else_is_not_guessed(blurred: tuple[np.ndarray, DetectedSheet]) -> None:
    photo, found = blurred
    others = [layout for layout in alike(found) if layout.level.id != "level-4"]
    assert match_blurred_code(photo, others, found.to_photo) is None
    assert match_blurred_code(photo, [], found.to_photo) is None

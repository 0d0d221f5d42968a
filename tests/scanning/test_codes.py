"""A QR code that is too blurred to be read is compared with those that it can be."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sheets.levels import shipped_levels
from sheets.scanning.codes import guess_code
from sheets.scanning.forms import forms_of
from sheets.scanning.locate import Found, locate
from sheets.scanning.photos import open_photo
from tests.scanning.shots import take

FORMS = forms_of(list(shipped_levels().values()))


@pytest.fixture
def blurred() -> tuple[np.ndarray, Found]:
    """A photo that no reader of codes can read, and the sheet on it."""
    photo = open_photo(take("level-4", paper="a5", seed=3).jpeg)
    (found,) = locate(photo, FORMS)
    soft = cv2.GaussianBlur(photo, (0, 0), 6)
    (unread,) = locate(soft, [form for form in FORMS if form.level.id != "level-4"])
    assert unread.level is None
    return soft, found


def alike(found: Found) -> list:
    """All forms whose sheets look like this one from afar."""
    chosen = found.forms[0]
    return [form for form in FORMS if form.options == chosen.options]


def test_a_blurred_code_is_told_by_what_it_can_be(blurred: tuple[np.ndarray, Found]) -> None:
    photo, found = blurred
    assert guess_code(photo, alike(found), found.to_photo) == (
        "level-4", found.number, found.forms[0].hash,
    )  # fmt: skip


def test_a_code_of_something_else_is_not_guessed(blurred: tuple[np.ndarray, Found]) -> None:
    photo, found = blurred
    others = [form for form in alike(found) if form.level.id != "level-4"]
    assert guess_code(photo, others, found.to_photo) is None
    assert guess_code(photo, [], found.to_photo) is None

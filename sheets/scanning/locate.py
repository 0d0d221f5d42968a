"""Which sheets are in a photo, and where?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.codes import Code, guess_code, read_code
from sheets.scanning.forms import Form, fitting_forms
from sheets.scanning.markers import Group, find_markers, group_markers
from sheets.scanning.pixels import Picture


class Found(NamedTuple):
    """A sheet in a photo.

    ``forms`` are what it may be, the likeliest first; ``number`` is from its QR code. ``markers``
    are its corners in pixels, ``place`` which sheet of its page it is.
    """

    place: int
    number: int | None
    level: str | None
    forms: tuple[Form, ...]
    markers: dict[int, NDArray[np.float64]]

    def to_photo(self, form: Form) -> NDArray[np.float64]:
        """The homography from millimetres of the leaf to pixels, if it is of this form."""
        corners = sorted(self.markers)
        pixels = np.vstack([self.markers[corner] for corner in corners])
        return np.asarray(cv2.findHomography(form.marker_points(corners), pixels)[0])


LEAST_MARKERS = 3


def locate(photo: Picture, forms: Sequence[Form]) -> list[Found]:
    """The sheets of a photo from left to right as they are numbered; those of few markers last.

    ``forms`` are what is looked for. A sheet whose code names another level has no forms.
    """
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    found = [_found(photo, group, forms) for group in group_markers(find_markers(grey))]
    return sorted(found, key=lambda one: (one.number or 10**6, one.place))


def _found(photo: Picture, group: Group, forms: Sequence[Form]) -> Found:
    if len(group.markers) < LEAST_MARKERS:
        return Found(group.place, None, None, (), group.markers)
    fitting = fitting_forms(forms, group.markers)
    code: Code | None = None
    for form in _by_span(fitting):
        one = Found(group.place, None, None, (form,), group.markers)
        third = form.frame.markers[2]
        low_right = (third.x + third.width, third.y + third.height)
        code = read_code(photo, one.to_photo(form), low_right)
        if code:
            break
    if code is None:
        as_found = Found(group.place, None, None, (), group.markers)
        code = guess_code(photo, fitting, as_found.to_photo)
    if code is None:
        return Found(group.place, None, None, tuple(fitting), group.markers)
    named = [form for form in forms if form.level.id.lower() == code.level]
    exact = [form for form in named if form.hash == code.hash]
    chosen = exact or [form for form in fitting if form in named]
    return Found(group.place, code.number, code.level, tuple(chosen), group.markers)


def _by_span(forms: Sequence[Form]) -> list[Form]:
    """One form of each size: for where the code lies, levels are all alike."""
    chosen: list[Form] = []
    for form in forms:
        if all(
            abs(form.span[0] - one.span[0]) + abs(form.span[1] - one.span[1]) > 6 for one in chosen
        ):
            chosen.append(form)
    return chosen[:3]

"""Which sheets are in a photo, and where?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.scanning.codes import Code, Lying, guess_code, read_code, read_codes
from sheets.scanning.forms import Form, fitting_forms
from sheets.scanning.markers import Group, find_markers, group_markers
from sheets.scanning.pixels import Picture

LEAST_MARKERS: Final = 3


class Found(NamedTuple):
    """A sheet in a photo.

    ``forms`` are what it may be, the likeliest first; ``number`` is from its QR code. ``markers``
    are its corners in pixels, ``place`` which sheet of its page it is. ``is_exact``: its QR code
    was read and names the layout of ``forms``.
    """

    place: int
    number: int | None
    level: str | None
    forms: tuple[Form, ...]
    markers: dict[int, NDArray[np.float64]]
    is_exact: bool = False

    def to_photo(self, form: Form) -> NDArray[np.float64]:
        """The homography from millimetres of the leaf to pixels, if it is of this form."""
        corners = sorted(self.markers)
        pixels = np.vstack([self.markers[corner] for corner in corners])
        return np.asarray(cv2.findHomography(form.marker_points(corners), pixels)[0])

    def outline(self, form: Form | None = None) -> NDArray[np.float64]:
        """The convex hull of its markers in pixels of the photo, N × 2.

        With a form also of those markers that were not seen.
        """
        if form is None or len(self.markers) < 2:
            corners = np.vstack(list(self.markers.values()))
        else:
            on_leaf = form.marker_points(range(len(form.frame.markers)))
            corners = cv2.perspectiveTransform(on_leaf.reshape(1, -1, 2), self.to_photo(form))[0]
        return np.asarray(cv2.convexHull(corners.astype(np.float32))[:, 0], np.float64)


_ASIDE_MM: Final = ((-15.0, 75.0), (-30.0, 110.0))
"""How far right and below of its third marker the middle of a sheet's code may lie: generously, for
before its code is read it is taken for a form that only nearly fits."""


def locate(photo: Picture, forms: Sequence[Form]) -> list[Found]:
    """The sheets of a photo from left to right as they are numbered; those of few markers last.

    ``forms`` are what is looked for. A sheet whose code names another level has no forms.
    """
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    groups = group_markers(find_markers(grey))
    everywhere = cache(partial(read_codes, photo))
    found = [
        _found(photo, group, forms, partial(_nearest, group, groups, everywhere))
        for group in groups
    ]
    return sorted(found, key=lambda one: (one.number or 10**6, one.place))


def _found(
    photo: Picture, group: Group, forms: Sequence[Form], lying: Callable[[], Sequence[Lying]]
) -> Found:
    fitting = fitting_forms(forms, group.markers)
    if len(group.markers) < LEAST_MARKERS:
        return Found(group.place, None, None, tuple(fitting), group.markers)
    code: Code | None = None
    as_found = Found(group.place, None, None, (), group.markers)
    for form in _by_span(fitting):
        code = read_code(photo, as_found.to_photo(form), _low_right(form))
        if code:
            break
    if code is None and fitting:
        code = _beside(lying(), as_found.to_photo(fitting[0]), _low_right(fitting[0]))
    is_read = code is not None
    if code is None:
        code = guess_code(photo, fitting, as_found.to_photo)
    if code is None:
        return Found(group.place, None, None, tuple(fitting), group.markers)
    named = [form for form in forms if form.level.id.lower() == code.level]
    exact = [form for form in named if form.hash == code.hash]
    chosen = exact or [form for form in fitting if form in named]
    return Found(
        group.place, code.number, code.level, tuple(chosen), group.markers, is_read and bool(exact)
    )


def _low_right(form: Form) -> tuple[float, float]:
    third = form.frame.markers[2]
    return third.x + third.width, third.y + third.height


def _nearest(
    group: Group, groups: Sequence[Group], everywhere: Callable[[], Sequence[Lying]]
) -> list[Lying]:
    """The codes in a photo that lie nearer to this sheet's markers than to those of any other."""

    def middle(one: Group) -> NDArray[np.float64]:
        return np.asarray(np.vstack(list(one.markers.values())).mean(0))

    middles = [middle(one) for one in groups]
    mine = middle(group)
    return [
        one
        for one in everywhere()
        if np.hypot(*(mine - one.middle)) <= min(np.hypot(*(at - one.middle)) for at in middles)
    ]


def _beside(
    lying: Sequence[Lying], to_photo: NDArray[np.float64], low_right: tuple[float, float]
) -> Code | None:
    """Of the codes that lie anywhere in a photo the nearest that can be this sheet's."""
    (left, right), (above, below) = _ASIDE_MM
    near = []
    for code, middle in lying:
        on_leaf = cv2.perspectiveTransform(middle.reshape(1, 1, 2), np.linalg.inv(to_photo))
        x, y = on_leaf[0, 0] - low_right
        if left <= x <= right and above <= y <= below:
            near.append((float(np.hypot(x, y)), code))
    return min(near)[1] if near else None


def _by_span(forms: Sequence[Form]) -> list[Form]:
    """One form of each size: for where the code lies, levels are all alike."""
    chosen: list[Form] = []
    for form in forms:
        if all(
            abs(form.span[0] - one.span[0]) + abs(form.span[1] - one.span[1]) > 6 for one in chosen
        ):
            chosen.append(form)
    return chosen[:3]

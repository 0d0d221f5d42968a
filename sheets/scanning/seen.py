"""Which sheets are in a photo, laid flat, with all that may be marked on them?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.rules.level import Level
from sheets.scanning.blank import draw_blank
from sheets.scanning.forms import Form, Leaf, forms_of
from sheets.scanning.locate import LEAST_MARKERS, Found, locate
from sheets.scanning.markers import is_blurred
from sheets.scanning.patches import Look, look_at
from sheets.scanning.pixels import Picture
from sheets.scanning.straighten import Straight, glance, straighten

_TRIED: Final = 3
"""So many forms of a level are tried where the QR code does not say which it is."""

_LEVELS_TRIED: Final = 2
"""So many levels are, those whose print the sheet looks like the most."""

_LEVELS_GLANCED_AT: Final = 24
"""So many levels are compared with a sheet, of those that somebody named."""

_LEAST_AHEAD: Final = 0.15
"""How much more a sheet looks like the print of its level than like that of any other."""


@dataclass
class SeenSheet:
    """One sheet: ``refused`` is why nothing can be read on it, else None.

    ``form`` is which sheet it is and how it was printed, ``number`` what its QR code says;
    ``straight`` is the sheet laid flat, ``look`` what is to be judged on it. ``outline`` is where
    a refused sheet lies in the photo, N × 2 pixels.
    """

    number: int | None
    place: int
    refused: str | None = None
    form: Leaf | None = None
    straight: Straight | None = None
    look: Look | None = None
    outline: NDArray[np.float64] | None = None


def see_sheets(
    photo: Picture, levels: Sequence[Level], known: Sequence[Level] = ()
) -> list[SeenSheet]:
    """Every sheet of a photo whose markers show.

    Args:
        levels: what the sheets may be; ``known`` are those somebody named, for sheets whose code
            cannot be read.
    """
    named = {level.id for level in known}
    every = [*known, *(level for level in levels if level.id not in named)]
    return [_see(photo, one, named) for one in locate(photo, forms_of(every))]


def _see(photo: Picture, found: Found, named: set[str]) -> SeenSheet:
    if len(found.markers) < LEAST_MARKERS:
        return _refused(found, _or_blurred("markers", photo, found))
    forms = found.forms
    if found.level is None:
        forms = tuple(form for form in forms if form.level.id in named)
    if not forms:
        refused = "does-not-fit" if found.level is None and named else "which-level"
        if found.level is None and not named:
            refused = _or_blurred(refused, photo, found)
        return _refused(found, refused)
    likely = _likeliest(photo, found, _by_level(forms)[:_LEVELS_GLANCED_AT])
    best = [_best(photo, found, some) for some in likely]
    (form, straight), *others = sorted(best, key=lambda one: -one[1].score)
    if others and straight.score < others[0][1].score + _LEAST_AHEAD:
        return _refused(found, "which-level")
    if not straight.fits(is_named=found.level is not None, is_exact=found.is_exact):
        return _refused(found, "does-not-fit", form)
    look = look_at(straight, form)
    return SeenSheet(found.number, found.place, None, form, straight, look)


def _refused(found: Found, why: str, form: Form | None = None) -> SeenSheet:
    """A sheet that is refused; ``form`` is what it was taken for, if for anything."""
    guess = form or next(iter(found.forms), None)
    return SeenSheet(found.number, found.place, why, form, outline=found.outline(guess))


def _or_blurred(refused: str, photo: Picture, found: Found) -> str:
    """Why corners or the code were not seen: the print may be hidden, or the photo blurred."""
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    return "blurred" if is_blurred(grey, list(found.markers.values())) else refused


def _by_level(forms: Sequence[Form]) -> list[list[Form]]:
    """The likeliest forms of each level, the likeliest level first."""
    found: dict[str, list[Form]] = {}
    for form in forms:
        found.setdefault(form.level.id, []).append(form)
    return [some[:_TRIED] for some in found.values()]


def _likeliest(
    photo: Picture, found: Found, by_level: Sequence[list[Form]]
) -> Sequence[list[Form]]:
    """Of many levels the few whose print a sheet looks like at a glance."""
    if len(by_level) <= _LEVELS_TRIED:
        return by_level

    def alike(forms: list[Form]) -> float:
        return max(
            glance(photo, found.to_photo(form), form, draw_blank(form, bw=False)) for form in forms
        )

    return sorted(by_level, key=alike, reverse=True)[:_LEVELS_TRIED]


def _best(photo: Picture, found: Found, forms: Sequence[Form]) -> tuple[Form, Straight]:
    """The form that the sheet looks like the most, and the sheet laid flat as that."""
    tried = [
        (form, straighten(photo, found.to_photo(form), form, draw_blank(form, bw=False)))
        for form in forms
    ]
    return max(tried, key=lambda one: one[1].score)

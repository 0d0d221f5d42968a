"""What is on the sheets of a photo? From its bytes to the marks, each with how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor
from typing import Any, Final

import cv2
import numpy as np

from sheets.rules.level import SHAPES, Level
from sheets.scanning.blank import draw_blank
from sheets.scanning.forms import Form, forms_of
from sheets.scanning.ink import answers_by_ink
from sheets.scanning.kinds import CROSS, EMPTY, EXPLODED, LAVA, TAKEN_BACK, possible_kinds
from sheets.scanning.locate import LEAST_MARKERS, Found, locate
from sheets.scanning.patches import look_at
from sheets.scanning.photos import open_photo
from sheets.scanning.pixels import Picture
from sheets.scanning.refusals import Refused
from sheets.scanning.straighten import Straight, straighten

FORMAT: Final = "dizzle-reading/1"

SURE: Final = 0.95
"""Whoever is less sure of a field asks."""

_TRIED: Final = 3
"""So many forms of a level are tried where the QR code does not say which it is."""

_DARK, _BLURRED = 45, 12.0
"""Of a photo in which no marker is found: its median grey, and how sharp its sharpest parts are."""


@dataclass
class SheetReading:
    """One sheet: ``refused`` is why nothing was read on it, else None.

    ``form`` is which sheet it is and how it was printed, ``number`` what its QR code says.
    ``answers`` has for each field how likely each kind is; ``straight`` is the sheet laid flat.
    """

    number: int | None
    place: int
    refused: str | None = None
    form: Form | None = None
    answers: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    straight: Straight | None = None

    def best(self) -> dict[str, tuple[str, float]]:
        """The likeliest kind of each field, and how sure it is.

        A cross that was taken back is none, and always asked about.
        """
        found = {}
        for name, likely in self.answers.items():
            kind = max(likely, key=lambda kind: likely[kind])
            sure = likely[kind]
            if kind == TAKEN_BACK:
                kind, sure = EMPTY, min(likely[EMPTY] + sure, SURE - 0.01)
            found[name] = (kind, sure)
        return found


@dataclass
class Reading:
    """All sheets of a photo; ``refused`` is why there is none."""

    refused: str | None
    sheets: list[SheetReading]


def read_photo(data: bytes, levels: Sequence[Level], *, known: Sequence[Level] = ()) -> Reading:
    """Read every sheet of a photo.

    Args:
        levels: what the sheets may be; ``known`` are those somebody named, for sheets whose code
            cannot be read.
    """
    try:
        photo = open_photo(data)
    except Refused as refused:
        return Reading(refused.name, [])
    named = {level.id for level in known}
    every = [*known, *(level for level in levels if level.id not in named)]
    found = locate(photo, forms_of(every))
    if not found:
        return Reading(_why_nothing(photo), [])
    return Reading(None, [_read_sheet(photo, one, named) for one in found])


def _why_nothing(photo: Picture) -> str:
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    if float(np.median(grey)) < _DARK:
        return "too-dark"
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    sharp = np.abs(cv2.Laplacian(small, cv2.CV_16S))
    return "blurred" if float(np.percentile(sharp, 99.5)) < _BLURRED else "no-sheet"


def _read_sheet(photo: Picture, found: Found, named: set[str]) -> SheetReading:
    if len(found.markers) < LEAST_MARKERS:
        return SheetReading(None, found.place, "markers")
    forms = found.forms
    if found.level is None:
        forms = tuple(form for form in forms if form.level.id in named)
    if not forms:
        refused = "does-not-fit" if found.level is None and named else "which-level"
        return SheetReading(found.number, found.place, refused)
    tried = [(form, _laid(photo, found, form)) for form in forms[:_TRIED]]
    form, straight = max(tried, key=lambda one: one[1].score)
    if not straight.fits:
        return SheetReading(found.number, found.place, "does-not-fit", form)
    look = look_at(straight, form.frame.fields, draw_blank(form))
    possible = {one.name: possible_kinds(form.level, one) for one in form.level.fields}
    answers = answers_by_ink(look, possible)
    return SheetReading(found.number, found.place, None, form, answers, straight)


def _laid(photo: Picture, found: Found, form: Form) -> Straight:
    return straighten(photo, found.to_photo(form), form.frame, draw_blank(form))


def sheet_document(sheet: SheetReading) -> dict[str, Any]:
    """A sheet of a ``dizzle-reading/1`` document."""
    best = sheet.best()
    return {
        "level": sheet.form.level.id if sheet.form else None,
        "number": sheet.number,
        "place": sheet.place,
        "refused": sheet.refused,
        "crosses": [name for name, (kind, _sure) in best.items() if kind == CROSS],
        "exploded": [name for name, (kind, _sure) in best.items() if kind == EXPLODED],
        "lava": [name for name, (kind, _sure) in best.items() if kind == LAVA],
        "tracks": {name: kind for name, (kind, _sure) in best.items() if kind in SHAPES},
        "flags": {},
        "races": {},
        "unsure": {
            name: {"best": kind, "sure": floor(1000 * sure) / 1000}
            for name, (kind, sure) in best.items()
            if sure < SURE
        },
    }


def reading_document(photo: str, reading: Reading, seconds: float) -> dict[str, Any]:
    """A ``dizzle-reading/1`` document."""
    return {
        "format": FORMAT,
        "photo": photo,
        "refused": reading.refused,
        "seconds": round(seconds, 3),
        "sheets": [sheet_document(sheet) for sheet in reading.sheets],
    }

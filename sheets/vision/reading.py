"""Reading of photos: from the bytes of a file to the marks of its sheets, with confidences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sheets.rules.level import SHAPES, Level
from sheets.vision.corners import Corner, locate_corners
from sheets.vision.decoding import decode_photo, explain_no_sheet
from sheets.vision.layouts import SheetLayout
from sheets.vision.mark_classifier import WEIGHTS, classify_marks
from sheets.vision.mark_kinds import (
    CIRCLED,
    CROSS,
    EMPTY,
    EXPLODED,
    LAVA,
    MARK_KINDS,
    NUMBER_KINDS,
    TAKEN_BACK,
    possible_kinds,
)
from sheets.vision.overexposure import find_overexposed
from sheets.vision.patches import find_hidden_print
from sheets.vision.pixels import Picture
from sheets.vision.plausibility import find_implausible
from sheets.vision.refusals import Refused
from sheets.vision.sheet_extraction import ExtractedSheet, extract_at_corners, extract_sheets

FORMAT: Final = "dizzle-reading/1"
"""Format of the documents."""

MIN_CONFIDENCE: Final = 0.95
"""Minimum confidence of an answer that the app does not ask about."""

ASKED_CONFIDENCE: Final = MIN_CONFIDENCE - 0.01
"""Maximum confidence of an answer that the app always asks about."""

_PRIOR_RATIO: Final = {TAKEN_BACK: 0.5}
"""Ratio of class priors, real sheets to training set: the training set has more crosses that were
taken back, see `training.cases`, so that the network learns them."""


Probabilities = Mapping[str, float]
"""Probability of each kind."""


@dataclass
class SheetReading(ExtractedSheet):
    """Reading of one sheet.

    ``answers`` has the probabilities of each field. ``circled`` has, for each track of numbers
    (``flag-red``, ``race-1``), the probability of each number being the circled one (None: none of
    them). ``unseen`` are places whose print is hidden, or so overexposed that a pale pen would not
    show. ``is_overexposed``: no mark was detected at all, and a pale pen would not show; the app
    asks about no field then.
    """

    answers: Mapping[str, Probabilities] = field(default_factory=dict)
    circled: Mapping[str, Mapping[int | None, float]] = field(default_factory=dict)
    unseen: frozenset[str] = frozenset()
    is_overexposed: bool = False

    def best(self) -> dict[str, tuple[str, float]]:
        """Return the most likely kind of each field, and its confidence.

        A cross that was taken back counts as empty. The app always asks about it, about implausible
        marks, and about fields that seem empty because their print is hidden.
        """
        found = {}
        for name, probabilities in self.answers.items():
            kind = max(probabilities, key=lambda kind: probabilities[kind])
            confidence = probabilities[kind]
            if kind == TAKEN_BACK:
                kind, confidence = EMPTY, min(probabilities[EMPTY] + confidence, ASKED_CONFIDENCE)
            elif kind == EMPTY and name in self.unseen and len(probabilities) > 1:
                confidence = min(confidence, ASKED_CONFIDENCE)
            found[name] = (kind, confidence)
        if self.layout:
            kinds = {name: kind for name, (kind, _sure) in found.items()}
            for name in find_implausible(self.layout.level, kinds):
                if len(self.answers[name]) > 1:
                    found[name] = (kinds[name], min(found[name][1], ASKED_CONFIDENCE))
        return found

    def best_numbers(self) -> dict[str, tuple[int | None, float]]:
        """Return the most likely number of each track, and its confidence.

        The app asks about a track without a circled number if one of its numbers is hidden. It does
        not ask if the player cannot have got a number: without a cross on the flag, or on all
        fields of the area.
        """
        rooms = self.layout.numbers if self.layout else {}
        unseen = {room.track for name, room in rooms.items() if name in self.unseen}
        reachable = self._reachable_tracks()
        found = {}
        for track, probabilities in self.circled.items():
            points, confidence = max(probabilities.items(), key=lambda one: one[1])
            if points is None and track not in reachable:
                confidence = max(confidence, MIN_CONFIDENCE)
            elif points is None and track in unseen:
                confidence = min(confidence, ASKED_CONFIDENCE)
            found[track] = (points, confidence)
        return found

    def _reachable_tracks(self) -> set[str]:
        """Return the tracks that are reached if all fields are crossed that may be."""
        if not self.layout:
            return set()
        level = self.layout.level
        surely_empty = {
            name
            for name, (kind, confidence) in self.best().items()
            if kind == EMPTY and confidence >= MIN_CONFIDENCE
        }
        crosses = level.mask(one.name for one in level.fields if one.name not in surely_empty)
        return {
            f"{track.kind}-{track.key}"
            for track in level.number_tracks.values()
            if track.is_reached(crosses)
        }


@dataclass
class Reading:
    """Result of reading a photo.

    ``refused`` is the reason why no sheet was found, else None. ``photo`` has the decoded pixels if
    a sheet was refused: the app shows them with that sheet outlined.
    """

    refused: str | None
    sheets: list[SheetReading]
    photo: Picture | None = None


def read_photo(data: bytes, levels: Sequence[Level], *, known: Sequence[Level] = ()) -> Reading:
    """Read all sheets of a photo.

    Args:
        levels: levels to search for.
        known: levels that the user named, for sheets whose code cannot be read.
    """
    try:
        photo = decode_photo(data)
    except Refused as refused:
        return Reading(refused.name, [])
    found = extract_sheets(photo, levels, known)
    if not found:
        return Reading(explain_no_sheet(photo), [])
    has_refused = any(sheet.refused for sheet in found)
    sheets = [read_sheet(sheet) for sheet in found]
    return Reading(None, sheets, photo if has_refused else None)


def read_photo_at_corners(
    data: bytes, corners: Sequence[Corner], levels: Sequence[Level], *, known: Sequence[Level] = ()
) -> Reading:
    """Read the sheet whose corners the user placed in a photo.

    Args:
        corners: outer corners of its four markers, see `sheets.vision.corners`.
        levels: as in `read_photo`.
        known: as in `read_photo`.
    """
    try:
        photo = decode_photo(data)
        points = locate_corners(photo, corners)
    except Refused as refused:
        return Reading(refused.name, [])
    found = extract_at_corners(photo, points, levels, known)
    if found.refused == "which-level" and (found.number or not known):
        return Reading("which-level", [])
    if found.refused:
        return Reading("not-at-corners", [])
    return Reading(None, [read_sheet(found)])


def read_sheet(
    seen: ExtractedSheet, weights: Path = WEIGHTS, *, augment_below: float = 0.0
) -> SheetReading:
    """Classify all places of a sheet that may be marked.

    Args:
        weights: weights of `sheets.vision.mark_classifier`.
        augment_below: confidence below which test-time augmentation is used.
    """
    if seen.layout is None or seen.patches is None:
        return SheetReading(**vars(seen))
    layout = seen.layout
    found = classify_marks(seen.patches, weights, augment_below=augment_below)
    probabilities = dict(zip(seen.patches.names, found, strict=True))
    answers = {
        one.name: restrict_to_possible(probabilities[one.name], possible_kinds(layout.level, one))
        for one in layout.level.fields
    }
    numbers = {
        name: restrict_to_possible(probabilities[name], NUMBER_KINDS)[CIRCLED]
        for name in layout.numbers
    }
    unseen = find_hidden_print(seen.patches)
    is_overexposed = False
    if seen.rectified:
        marked = {
            name for name, some in answers.items() if max(some, key=some.__getitem__) != EMPTY
        }
        overexposed = find_overexposed(seen.rectified, layout, seen.patches, marked)
        if marked:
            unseen |= overexposed
        else:
            is_overexposed = bool(overexposed)
    return SheetReading(
        **vars(seen),
        answers=answers,
        circled=_circled_probabilities(layout, numbers),
        unseen=unseen,
        is_overexposed=is_overexposed,
    )


def restrict_to_possible(
    probabilities: NDArray[np.float32], possible: Sequence[str]
) -> dict[str, float]:
    """Restrict probabilities to possible kinds, apply the priors of real sheets, and normalise."""
    often = [probabilities[MARK_KINDS.index(kind)] * _PRIOR_RATIO.get(kind, 1) for kind in possible]
    found = np.array(often, float) + 1e-9
    return dict(zip(possible, map(float, found / found.sum()), strict=True))


def _circled_probabilities(
    layout: SheetLayout, probabilities: Mapping[str, float]
) -> dict[str, dict[int | None, float]]:
    """Return the probabilities of each track's numbers; one at most is circled."""
    odds: dict[str, dict[int | None, float]] = {}
    for name, room in layout.numbers.items():
        of_track = odds.setdefault(room.track, {None: 1.0})
        circled = min(probabilities[name], 1 - 1e-9)
        of_track[room.points] = of_track.get(room.points, 0.0) + circled / (1 - circled)
    return {
        track: {points: odd / sum(found.values()) for points, odd in found.items()}
        for track, found in odds.items()
    }


def sheet_document(sheet: SheetReading) -> dict[str, Any]:
    """Format a sheet of a ``dizzle-reading/1`` document."""
    best, numbers = sheet.best(), sheet.best_numbers()
    return {
        "level": sheet.layout.level.id if sheet.layout else None,
        "number": sheet.number,
        "place": sheet.place,
        "refused": sheet.refused,
        "crosses": [name for name, (kind, _sure) in best.items() if kind == CROSS],
        "exploded": [name for name, (kind, _sure) in best.items() if kind == EXPLODED],
        "lava": [name for name, (kind, _sure) in best.items() if kind == LAVA],
        "tracks": {name: kind for name, (kind, _sure) in best.items() if kind in SHAPES},
        "flags": _circled_numbers(numbers, "flag-"),
        "races": _circled_numbers(numbers, "race-"),
        "unsure": {
            name: {"best": found, "sure": floor(1000 * confidence) / 1000}
            for name, (found, confidence) in {**best, **numbers}.items()
            if confidence < MIN_CONFIDENCE
        },
    }


def _circled_numbers(numbers: Mapping[str, tuple[int | None, float]], kind: str) -> dict[str, int]:
    return {
        track.removeprefix(kind): points
        for track, (points, _sure) in numbers.items()
        if track.startswith(kind) and points is not None
    }


def reading_document(
    photo: str, reading: Reading, seconds: float, page: int | None = None
) -> dict[str, Any]:
    """Format a ``dizzle-reading/1`` document; ``page`` is the page's number in a longer file."""
    return {
        "format": FORMAT,
        "photo": photo,
        "page": page,
        "refused": reading.refused,
        "seconds": round(seconds, 3),
        "sheets": [sheet_document(sheet) for sheet in reading.sheets],
    }

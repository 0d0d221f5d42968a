"""What is on the sheets of a photo? From its bytes to the marks, each with how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sheets.rules.level import SHAPES, Level
from sheets.scanning.bleached import find_bleached
from sheets.scanning.forms import Leaf
from sheets.scanning.kinds import (
    CIRCLED,
    CROSS,
    EMPTY,
    EXPLODED,
    KINDS,
    LAVA,
    NUMBER_KINDS,
    TAKEN_BACK,
    possible_kinds,
)
from sheets.scanning.network import WEIGHTS, judge
from sheets.scanning.patches import find_unseen
from sheets.scanning.photos import open_photo, why_nothing
from sheets.scanning.pixels import Picture
from sheets.scanning.refusals import Refused
from sheets.scanning.second_look import find_illegal
from sheets.scanning.seen import SeenSheet, see_sheets
from sheets.scanning.straighten import Straight

FORMAT: Final = "dizzle-reading/1"

SURE: Final = 0.95
"""Whoever is less sure of a field asks."""

ASKED: Final = SURE - 0.01
"""As sure as one is at most of what is always asked about."""

_AS_OFTEN: Final = {TAKEN_BACK: 0.5}
"""How often something is on paper, beside how often on the sheets the network has learnt from: on
those more crosses were taken back, see `training.cases`, so that it could learn how they look."""


Likely = Mapping[str, float]
"""How likely each kind is."""


@dataclass
class SheetReading:
    """One sheet: ``refused`` is why nothing was read on it, else None.

    ``form`` is which sheet it is and how it was printed, ``number`` what its QR code says.
    ``answers`` has for each field how likely each kind is, ``circled`` for each track of numbers
    (``flag-red``, ``race-1``) how likely each number is the one that was got (None: none of them);
    ``straight`` is the sheet laid flat. ``unseen`` are fields and numbers of which not even the
    print shows, or so bright that a pale pen would not. ``outline`` is where a refused sheet lies
    in the photo, N × 2 pixels. ``is_bleached``: no mark was seen at all, and the photo is so bright
    that a pale pen would not show; nothing is asked then.
    """

    number: int | None
    place: int
    refused: str | None = None
    form: Leaf | None = None
    answers: Mapping[str, Likely] = field(default_factory=dict)
    circled: Mapping[str, Mapping[int | None, float]] = field(default_factory=dict)
    straight: Straight | None = None
    unseen: frozenset[str] = frozenset()
    outline: NDArray[np.float64] | None = None
    is_bleached: bool = False

    def best(self) -> dict[str, tuple[str, float]]:
        """The likeliest kind of each field, and how sure it is.

        A cross that was taken back is none, and always asked about; so is what cannot be legal,
        and what seems empty because nothing at all shows there.
        """
        found = {}
        for name, likely in self.answers.items():
            kind = max(likely, key=lambda kind: likely[kind])
            sure = likely[kind]
            if kind == TAKEN_BACK:
                kind, sure = EMPTY, min(likely[EMPTY] + sure, ASKED)
            elif kind == EMPTY and name in self.unseen and len(likely) > 1:
                sure = min(sure, ASKED)
            found[name] = (kind, sure)
        if self.form:
            kinds = {name: kind for name, (kind, _sure) in found.items()}
            for name in find_illegal(self.form.level, kinds):
                if len(self.answers[name]) > 1:
                    found[name] = (kinds[name], min(found[name][1], ASKED))
        return found

    def best_numbers(self) -> dict[str, tuple[int | None, float]]:
        """The likeliest number of each track, and how sure it is.

        That none is circled is asked about where one of them does not show, and is sure where
        nobody can have got one: without a cross on the flag or on all of the area.
        """
        rooms = self.form.numbers if self.form else {}
        unseen = {room.track for name, room in rooms.items() if name in self.unseen}
        reachable = self._reachable_tracks()
        found = {}
        for track, likely in self.circled.items():
            points, sure = max(likely.items(), key=lambda one: one[1])
            if points is None and track not in reachable:
                sure = max(sure, SURE)
            elif points is None and track in unseen:
                sure = min(sure, ASKED)
            found[track] = (points, sure)
        return found

    def _reachable_tracks(self) -> set[str]:
        """The tracks of which a number can be got with all fields crossed that may be."""
        if not self.form:
            return set()
        level = self.form.level
        surely_empty = {
            name for name, (kind, sure) in self.best().items() if kind == EMPTY and sure >= SURE
        }
        crosses = level.mask(one.name for one in level.fields if one.name not in surely_empty)
        return {
            f"{track.kind}-{track.key}"
            for track in level.number_tracks.values()
            if track.is_reached(crosses)
        }


@dataclass
class Reading:
    """All sheets of a photo; ``refused`` is why there is none.

    ``photo`` is there where a sheet on it was refused.
    """

    refused: str | None
    sheets: list[SheetReading]
    photo: Picture | None = None


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
    found = see_sheets(photo, levels, known)
    if not found:
        return Reading(why_nothing(photo), [])
    has_refused = any(sheet.refused for sheet in found)
    sheets = [read_sheet(sheet) for sheet in found]
    return Reading(None, sheets, photo if has_refused else None)


def read_sheet(seen: SeenSheet, weights: Path = WEIGHTS, *, again: float = 0.0) -> SheetReading:
    """Judge all that may be marked on a sheet, with the weights of `sheets.scanning.network`.

    What is less sure than ``again`` is looked at once more in other ways.
    """
    if seen.form is None or seen.look is None:
        return SheetReading(seen.number, seen.place, seen.refused, seen.form, outline=seen.outline)
    form, likely = (
        seen.form,
        dict(zip(seen.look.names, judge(seen.look, weights, again=again), strict=True)),
    )
    answers = {
        one.name: among(likely[one.name], possible_kinds(form.level, one))
        for one in form.level.fields
    }
    numbers = {name: among(likely[name], NUMBER_KINDS)[CIRCLED] for name in form.numbers}
    unseen = find_unseen(seen.look)
    is_bleached = False
    if seen.straight:
        marked = {
            name for name, some in answers.items() if max(some, key=some.__getitem__) != EMPTY
        }
        bleached = find_bleached(seen.straight, form, seen.look, marked)
        if marked:
            unseen |= bleached
        else:
            is_bleached = bool(bleached)
    return SheetReading(
        seen.number,
        seen.place,
        None,
        form,
        answers,
        _circled(form, numbers),
        seen.straight,
        unseen,
        is_bleached=is_bleached,
    )


def among(likely: NDArray[np.float32], possible: Sequence[str]) -> dict[str, float]:
    """How likely each kind is, if it is one of those that are possible."""
    often = [likely[KINDS.index(kind)] * _AS_OFTEN.get(kind, 1) for kind in possible]
    found = np.array(often, float) + 1e-9
    return dict(zip(possible, map(float, found / found.sum()), strict=True))


def _circled(form: Leaf, likely: Mapping[str, float]) -> dict[str, dict[int | None, float]]:
    """How likely each number of a track is got: one of them at most, on any of its places."""
    odds: dict[str, dict[int | None, float]] = {}
    for name, room in form.numbers.items():
        of_track = odds.setdefault(room.track, {None: 1.0})
        circled = min(likely[name], 1 - 1e-9)
        of_track[room.points] = of_track.get(room.points, 0.0) + circled / (1 - circled)
    return {
        track: {points: odd / sum(found.values()) for points, odd in found.items()}
        for track, found in odds.items()
    }


def sheet_document(sheet: SheetReading) -> dict[str, Any]:
    """A sheet of a ``dizzle-reading/1`` document."""
    best, numbers = sheet.best(), sheet.best_numbers()
    return {
        "level": sheet.form.level.id if sheet.form else None,
        "number": sheet.number,
        "place": sheet.place,
        "refused": sheet.refused,
        "crosses": [name for name, (kind, _sure) in best.items() if kind == CROSS],
        "exploded": [name for name, (kind, _sure) in best.items() if kind == EXPLODED],
        "lava": [name for name, (kind, _sure) in best.items() if kind == LAVA],
        "tracks": {name: kind for name, (kind, _sure) in best.items() if kind in SHAPES},
        "flags": _got(numbers, "flag-"),
        "races": _got(numbers, "race-"),
        "unsure": {
            name: {"best": found, "sure": floor(1000 * sure) / 1000}
            for name, (found, sure) in {**best, **numbers}.items()
            if sure < SURE
        },
    }


def _got(numbers: Mapping[str, tuple[int | None, float]], kind: str) -> dict[str, int]:
    return {
        track.removeprefix(kind): points
        for track, (points, _sure) in numbers.items()
        if track.startswith(kind) and points is not None
    }


def reading_document(
    photo: str, reading: Reading, seconds: float, page: int | None = None
) -> dict[str, Any]:
    """A ``dizzle-reading/1`` document; ``page`` is the number of the page in a longer file."""
    return {
        "format": FORMAT,
        "photo": photo,
        "page": page,
        "refused": reading.refused,
        "seconds": round(seconds, 3),
        "sheets": [sheet_document(sheet) for sheet in reading.sheets],
    }

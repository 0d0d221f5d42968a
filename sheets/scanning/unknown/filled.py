"""What is marked on leaves of a pad, in photos of them?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

import numpy as np

from sheets.rules.level import Level
from sheets.scanning.kinds import CROSS, EMPTY
from sheets.scanning.network import PAD_WEIGHTS
from sheets.scanning.patches import Look
from sheets.scanning.photos import open_photo, why_nothing
from sheets.scanning.pixels import Picture, bleached
from sheets.scanning.reading import SURE, Likely, Reading, SheetReading, read_sheet
from sheets.scanning.refusals import Refused
from sheets.scanning.seen import SeenSheet
from sheets.scanning.straighten import PX_PER_MM, Lens, Straight, straighten
from sheets.scanning.unknown.beside import bare_fields, looks_beside
from sheets.scanning.unknown.found import AHEAD, LEAST_ALIKE, Spot, find_spots
from sheets.scanning.unknown.pad import Pad
from sheets.scanning.unknown.pens import by_pens
from sheets.scanning.unknown.template import Template, align

_STEPS: Final = ((4.0, 2), (4.0, 3), (2.2, 4))
"""As of `straighten.STEPS`: less is known of how such paper lies than where there are markers."""

_MOST_RESIDUAL_MM: Final = 0.35
"""How far fields lie off a smooth sheet at most. That it is this sheet was told by its print."""

_LEAST_CLEAR: Final = 0.45
"""As of `straighten.LEAST_CLEAR`: that it is this sheet, and which way up, was told before."""

AGAIN: Final = 0.995
"""What is less sure is looked at in other ways, too: a twentieth of all fields."""

_MANY: Final = 0.05
"""With so large a share of unsure fields a leaf is looked at in another way, if there is one."""

_OTHERS: Final = 0.35
"""With more of its fields unsure than that it is another sheet whose print happens to lie alike, or
no photo to be read: to answer all that would be more trouble than another photo."""

_RATHER: Final = 0.6
"""How sure it is at least that nothing is drawn where nothing is seen."""


@dataclass
class FilledReading(Reading):
    """The one sheet of a photo, or why there is none.

    ``turns`` are the ways in which the photo may have to be turned until the sheet is upright, in
    quarters against the clock, the likeliest first: several where it is refused because nobody can
    tell which, so that a person may.
    """

    turns: tuple[int, ...] = ()


def read_filled(
    data: bytes, template: Template, level: Level, turn: int | None = None
) -> FilledReading:
    """Read a photo of a leaf of a pad.

    Args:
        template: what is kept of its empty sheet.
        turn: how often the photo has to be turned by a quarter against the clock until the sheet
            stands upright, if somebody has said so.
    """
    moved = align(template, level)
    try:
        photo = open_photo(data)
    except Refused as refused:
        return FilledReading(refused.name, [])
    if moved is None:
        return FilledReading("does-not-fit", [])
    pad = Pad(level, moved)
    spots = find_spots(photo, pad)
    if not spots:
        return FilledReading(why_nothing(photo), [])
    chosen = [spot for spot in spots if turn in (None, spot.turn)]
    likely = [spot for spot in chosen if spot.alike > spots[0].alike - AHEAD]
    if not likely or likely[0].alike < LEAST_ALIKE:
        return FilledReading("does-not-fit", [])
    turns = tuple(spot.turn for spot in likely)
    if len(turns) > 1:
        return FilledReading("does-not-fit", [], turns=turns)
    return FilledReading(None, [_read(photo, pad, likely[0])], turns=turns)


def _read(photo: Picture, pad: Pad, spot: Spot) -> SheetReading:
    straight = _straightened(photo, pad, spot)
    if straight.clear < _LEAST_CLEAR or straight.residual_mm > _MOST_RESIDUAL_MM:
        return SheetReading(None, 0, "does-not-fit", pad)
    sheet = judge_leaf(straight, pad)
    is_read = _count_unsure(sheet) <= _OTHERS * len(sheet.answers)
    return sheet if is_read else SheetReading(None, 0, "does-not-fit", pad)


def _straightened(photo: Picture, pad: Pad, spot: Spot) -> Straight:
    """The leaf laid flat by what it was found by; shown is all that is on it."""
    blank, bend = pad.picture, spot.bend
    if not spot.is_bleached:
        return straighten(photo, spot.to_photo, pad, blank, bend=bend, steps=_STEPS)
    straight = straighten(
        bleached(photo), spot.to_photo, pad, bleached(blank), bend=bend, steps=_STEPS
    )
    lens = Lens(photo, spot.to_photo, bend)
    return straight._replace(picture=lens.look(pad.box, PX_PER_MM), lens=lens)


def judge_leaf(straight: Straight, pad: Pad) -> SheetReading:
    """What is marked on a leaf that was laid flat."""
    look, sheet = _surest(straight, pad)
    sheet.answers = by_pens(look, sheet.answers)
    bare = bare_fields(look)
    marked = bare & _marked(sheet)
    if marked:
        # Print near it may be as dark as a pale pencil: what is seen beside print is drawn.
        bare -= marked - find_printed_marks(look, sheet, marked)
    sheet.answers = {
        name: _rather_empty(likely) if name in bare else likely
        for name, likely in sheet.answers.items()
    }
    sheet.circled = _unknown_numbers(pad.level, sheet)
    return sheet


def _surest(straight: Straight, pad: Pad) -> tuple[Look, SheetReading]:
    """How a leaf is looked at, and what is read so: the first way, but for many doubts."""
    read: list[tuple[int, Look, SheetReading]] = []
    for look in looks_beside(straight, pad):
        sheet = read_sheet(SeenSheet(None, 0, None, pad, straight, look), PAD_WEIGHTS, again=AGAIN)
        unsure = _count_unsure(sheet)
        read.append((unsure, look, sheet))
        if unsure < _MANY * len(sheet.answers):
            break
    return min(read, key=itemgetter(0))[1:]


def _count_unsure(sheet: SheetReading) -> int:
    """Of how many fields the network is not sure: what shows nothing, or is against the rules, is
    asked about as well."""
    return sum(max(likely.values()) < SURE for likely in sheet.answers.values())


def _marked(sheet: SheetReading) -> set[str]:
    return {name for name, likely in sheet.answers.items() if likely[EMPTY] < _RATHER}


def find_printed_marks(look: Look, sheet: SheetReading, asked: Collection[str]) -> set[str]:
    """Of some fields those on which something seems to be drawn even where only print is shown.

    On the others it is what the photo shows beside it, however pale, that looks like a mark.
    """
    chosen = np.array([name in asked for name in look.names])
    photo = np.where(chosen[:, None, None, None], look.printed, look.photo)
    empty = SeenSheet(None, 0, None, sheet.form, sheet.straight, look._replace(photo=photo))
    return _marked(read_sheet(empty, PAD_WEIGHTS)) & set(asked)


def _rather_empty(likely: Likely) -> Likely:
    """What is said of a field in which nothing is seen to be drawn: a mark there is asked about."""
    return {
        kind: _RATHER * (kind == EMPTY) + (1 - _RATHER) * share for kind, share in likely.items()
    }


def _unknown_numbers(level: Level, sheet: SheetReading) -> dict[str, dict[int | None, float]]:
    """Of each flag or race that was reached all numbers alike: where they stand nobody has said."""
    crosses = level.mask(name for name, (kind, _sure) in sheet.best().items() if kind == CROSS)
    crosses |= level.printed
    found: dict[str, dict[int | None, float]] = {}
    for place, track in level.number_tracks.items():
        if track.is_reached(crosses):
            numbers: list[int | None] = [None, *dict.fromkeys(track.numbers)]
            found[place.replace(" ", "-", 1)] = dict.fromkeys(numbers, 1 / len(numbers))
    return found

"""Reading of a filled sheet of a purchased pad: registration, rectification and classification."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

import cv2
import numpy as np

from sheets.rules.level import Level
from sheets.vision.corners import Corner, corner_orders, locate_corners
from sheets.vision.decoding import decode_photo, explain_no_sheet
from sheets.vision.illumination import remove_colours
from sheets.vision.layouts import bounding_box, corner_points
from sheets.vision.mark_classifier import PAD_WEIGHTS
from sheets.vision.mark_kinds import CROSS, EMPTY
from sheets.vision.pads.pad_form import PadForm
from sheets.vision.pads.pad_patches import find_unmarked, patch_variants
from sheets.vision.pads.quadrilaterals import Points
from sheets.vision.pads.registration import MIN_SIMILARITY, likely_registrations, register
from sheets.vision.pads.template import Template, align
from sheets.vision.patches import SheetPatches
from sheets.vision.pixels import Picture
from sheets.vision.reading import MIN_CONFIDENCE, Probabilities, Reading, SheetReading, read_sheet
from sheets.vision.rectification import PX_PER_MM, RectifiedSheet, quick_match_score, rectify
from sheets.vision.refusals import Refused
from sheets.vision.sheet_extraction import ExtractedSheet

_STEPS: Final = ((4.0, 2), (4.0, 3), (2.2, 4))
"""As `rectification.STEPS`, with larger search ranges: the first registration is less accurate."""

_MAX_RESIDUAL_MM: Final = 0.35
"""Maximum residual of the fields against a smooth sheet. The registration has identified the
sheet."""

_MIN_CLEAR: Final = 0.45
"""As `rectification.MIN_CLEAR`, lower because the registration has identified the sheet."""

AUGMENT_BELOW: Final = 0.995
"""Confidence below which a field is classified with test-time augmentation: about 5 % of all
fields."""

_MAX_UNSURE_SHARE: Final = 0.05
"""Share of unsure fields above which the next patch variant is tried."""

_REFUSE_ABOVE: Final = 0.35
"""Share of unsure fields above which the photo is refused: it is another sheet or unreadable, and
answering that many questions takes longer than another photo."""

_EMPTY_PRIOR: Final = 0.6
"""Probability of an empty field where no pixel is darker than the print."""


_MIN_SCORE_LEAD: Final = 0.05
"""Minimum lead of another orientation over the one in which the user placed the corners."""


@dataclass
class FilledReading(Reading):
    """Reading of the only sheet of a photo, or the reason of a refusal.

    ``turns`` are the possible counter-clockwise quarter turns of the photo, the likeliest first.
    There are several if the photo is refused because the orientation is ambiguous; the user can
    choose.
    """

    turns: tuple[int, ...] = ()


def read_filled_sheet(
    data: bytes, template: Template, level: Level, turn: int | None = None
) -> FilledReading:
    """Read a photo of a filled sheet.

    Args:
        template: that of the pad's empty sheet.
        turn: counter-clockwise quarter turns that turn the photo upright, if the user chose.
    """
    moved = align(template, level)
    try:
        photo = decode_photo(data)
    except Refused as refused:
        return FilledReading(refused.name, [])
    if moved is None:
        return FilledReading("does-not-fit", [])
    pad = PadForm(level, moved)
    registrations = register(photo, pad)
    if not registrations:
        return FilledReading(explain_no_sheet(photo), [])
    likely = [one for one in likely_registrations(registrations) if turn in (None, one.turn)]
    if not likely or likely[0].similarity < MIN_SIMILARITY:
        return FilledReading("does-not-fit", [])
    turns = tuple(registration.turn for registration in likely)
    if len(turns) > 1:
        return FilledReading("does-not-fit", [], turns=turns)
    sheet = _read(photo, pad, likely[0].to_photo, is_black_only=likely[0].is_black_only)
    return FilledReading(None, [sheet], turns=turns)


def read_filled_sheet_at_corners(
    data: bytes, corners: Sequence[Corner], template: Template, level: Level
) -> FilledReading:
    """Read the filled sheet whose corners the user placed in a photo.

    Args:
        corners: outer corners of its grid of fields, see `sheets.vision.corners`.
        template: that of the pad's empty sheet.
    """
    moved = align(template, level)
    try:
        photo = decode_photo(data)
        points = locate_corners(photo, corners)
    except Refused as refused:
        return FilledReading(refused.name, [])
    if moved is None:
        return FilledReading("not-at-corners", [])
    pad = PadForm(level, moved)
    to_photo = _homography_of_corners(photo, pad, points)
    for is_black_only in (False, True):  # pens that cross print out mostly have colours
        sheet = _read(photo, pad, to_photo, is_black_only=is_black_only)
        if sheet.refused is None:
            return FilledReading(None, [sheet])
    return FilledReading("not-at-corners", [])


def _homography_of_corners(photo: Picture, pad: PadForm, corners: Points) -> Points:
    """Return the homography from millimetres of a pad to pixels, in the likeliest orientation.

    If the sheet looks alike from several sides, the first corner is its top left.
    """
    ends = corner_points(bounding_box(pad.boxes.values())).astype(np.float32)
    options: list[Points] = [
        np.asarray(cv2.getPerspectiveTransform(ends, order.astype(np.float32)), np.float64)
        for order in corner_orders(corners)
    ]
    scores = [quick_match_score(photo, one, pad, pad.picture) for one in options]
    best = int(np.argmax(scores))
    return options[0 if scores[0] > scores[best] - _MIN_SCORE_LEAD else best]


def _read(photo: Picture, pad: PadForm, to_photo: Points, *, is_black_only: bool) -> SheetReading:
    """Rectify a sheet and classify its marks, or refuse it as ``does-not-fit``."""
    straight = _rectify(photo, pad, to_photo, is_black_only=is_black_only)
    if straight.clear < _MIN_CLEAR or straight.residual_mm > _MAX_RESIDUAL_MM:
        return SheetReading(None, 0, "does-not-fit", pad)
    sheet = classify_fields(straight, pad)
    is_read = _count_unsure(sheet) <= _REFUSE_ABOVE * len(sheet.answers)
    return sheet if is_read else SheetReading(None, 0, "does-not-fit", pad)


def _rectify(
    photo: Picture, pad: PadForm, to_photo: Points, *, is_black_only: bool
) -> RectifiedSheet:
    """Rectify a sheet; the picture keeps all colours.

    Args:
        to_photo: homography from millimetres of the pad to pixels.
        is_black_only: match only black print, because pens of other colours hide the rest.
    """
    if not is_black_only:
        return rectify(photo, to_photo, pad, pad.picture, steps=_STEPS)
    black, blank = remove_colours(photo), remove_colours(pad.picture)
    straight = rectify(black, to_photo, pad, blank, steps=_STEPS)
    lens = straight.sampler.with_photo(photo)
    return straight._replace(picture=lens.sample(pad.box, PX_PER_MM), sampler=lens)


def classify_fields(straight: RectifiedSheet, pad: PadForm) -> SheetReading:
    """Classify the marks of a rectified sheet."""
    look, sheet = _best_variant(straight, pad)
    unmarked = find_unmarked(look)
    marked = unmarked & _marked(sheet)
    if marked:
        # Adjacent print may be as dark as a pale pencil: a mark seen only with the photo is drawn.
        unmarked -= marked - find_printed_marks(look, sheet, marked)
    sheet.answers = {
        name: _with_empty_prior(likely) if name in unmarked else likely
        for name, likely in sheet.answers.items()
    }
    sheet.circled = _unknown_numbers(pad.level, sheet)
    return sheet


def _best_variant(straight: RectifiedSheet, pad: PadForm) -> tuple[SheetPatches, SheetReading]:
    """Return the patch variant with the fewest unsure fields, and its reading.

    The first variant wins if it has few of them.
    """
    read: list[tuple[int, SheetPatches, SheetReading]] = []
    for look in patch_variants(straight, pad):
        sheet = read_sheet(
            ExtractedSheet(None, 0, None, pad, straight, look),
            PAD_WEIGHTS,
            augment_below=AUGMENT_BELOW,
        )
        unsure = _count_unsure(sheet)
        read.append((unsure, look, sheet))
        if unsure < _MAX_UNSURE_SHARE * len(sheet.answers):
            break
    return min(read, key=itemgetter(0))[1:]


def _count_unsure(sheet: SheetReading) -> int:
    """Count the fields with a low confidence of the network, without those that the rules
    question."""
    return sum(max(likely.values()) < MIN_CONFIDENCE for likely in sheet.answers.values())


def _marked(sheet: SheetReading) -> set[str]:
    return {name for name, likely in sheet.answers.items() if likely[EMPTY] < _EMPTY_PRIOR}


def find_printed_marks(look: SheetPatches, sheet: SheetReading, names: Collection[str]) -> set[str]:
    """Return those of some fields that are classified as marked even if only the print is shown.

    On the others the difference between photo and print, however pale, is the mark.
    """
    chosen = np.array([one in names for one in look.names])
    photo = np.where(chosen[:, None, None, None], look.printed, look.photo)
    empty = ExtractedSheet(None, 0, None, sheet.layout, sheet.rectified, look._replace(photo=photo))
    return _marked(read_sheet(empty, PAD_WEIGHTS)) & set(names)


def _with_empty_prior(likely: Probabilities) -> Probabilities:
    """Mix in the prior of a field without dark pixels; a mark there becomes unsure."""
    return {
        kind: _EMPTY_PRIOR * (kind == EMPTY) + (1 - _EMPTY_PRIOR) * share
        for kind, share in likely.items()
    }


def _unknown_numbers(level: Level, sheet: SheetReading) -> dict[str, dict[int | None, float]]:
    """Return a uniform distribution for the number of each reached flag or race.

    Their positions on the sheet are unknown.
    """
    crosses = level.mask(name for name, (kind, _sure) in sheet.best().items() if kind == CROSS)
    crosses |= level.printed
    found: dict[str, dict[int | None, float]] = {}
    for name, track in level.number_tracks.items():
        if track.is_reached(crosses):
            numbers: list[int | None] = [None, *dict.fromkeys(track.numbers)]
            found[name.replace(" ", "-", 1)] = dict.fromkeys(numbers, 1 / len(numbers))
    return found

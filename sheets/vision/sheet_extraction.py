"""Extraction of sheets from a photo: detection, choice of the layout, rectification and patches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from sheets.rules.level import Level
from sheets.vision.layouts import PrintLayout, SheetLayout, layouts_of
from sheets.vision.marker_detection import is_blurred
from sheets.vision.patches import SheetPatches, extract_patches
from sheets.vision.pixels import Picture
from sheets.vision.rectification import RectifiedSheet, quick_match_score, rectify
from sheets.vision.reference_image import render_reference
from sheets.vision.sheet_detection import (
    MIN_MARKERS,
    DetectedSheet,
    detect_at_corners,
    detect_sheets,
)

_MAX_LAYOUTS: Final = 3
"""Maximum number of layouts per level that are rectified if the QR code was not read."""

_MAX_LEVELS_RECTIFIED: Final = 2
"""Maximum number of levels that are rectified, the best by `quick_match_score`."""

_MAX_LEVELS_SCORED: Final = 24
"""Maximum number of named levels that are scored."""

_MIN_SCORE_LEAD: Final = 0.15
"""Minimum lead of the best level's match score over the second best."""


@dataclass
class ExtractedSheet:
    """A sheet in a photo; ``refused`` is why it cannot be read, or None.

    ``layout`` is its level and print layout, ``number`` is from its QR code, ``rectified`` the
    rectified sheet, ``patches`` the input of the classifier. ``outline`` is the outline of a
    refused sheet in the photo, N × 2 pixels.
    """

    number: int | None
    place: int
    refused: str | None = None
    layout: SheetLayout | None = None
    rectified: RectifiedSheet | None = None
    patches: SheetPatches | None = None
    outline: NDArray[np.float64] | None = None


def extract_sheets(
    photo: Picture, levels: Sequence[Level], known: Sequence[Level] = ()
) -> list[ExtractedSheet]:
    """Extract each sheet of a photo whose markers were detected.

    Args:
        levels: levels to search for.
        known: levels that the user named, for sheets whose code cannot be read.
    """
    layouts, named = _layouts_to_search(levels, known)
    return [_extract(photo, one, named) for one in detect_sheets(photo, layouts)]


def extract_at_corners(
    photo: Picture,
    corners: NDArray[np.float64],
    levels: Sequence[Level],
    known: Sequence[Level] = (),
) -> ExtractedSheet:
    """Extract the sheet whose corners the user placed in the photo.

    Args:
        corners: outer corners of the four markers in pixels, 4 × 2, clockwise from any of them.
        levels: levels to search for.
        known: levels that the user named, for sheets whose code cannot be read.
    """
    layouts, named = _layouts_to_search(levels, known)
    sheets = [
        found if found.level else found.only(named)
        for found in detect_at_corners(photo, corners, layouts)
    ]
    ranked = [_rank_layouts(photo, found) for found in _likely_levels(photo, sheets)]
    _score, found = max(ranked, key=lambda one: one[0])
    return _extract_layouts(photo, found, named)


def _likely_levels(photo: Picture, sheets: Sequence[DetectedSheet]) -> list[DetectedSheet]:
    """Keep the likeliest orientation and levels if several levels are possible.

    Layouts of one level are alike, so that the first one of each level is enough for it.
    """
    if len({layout.level.id for one in sheets for layout in one.layouts}) <= 1:
        return list(sheets)
    scores: list[tuple[float, int, str]] = []
    for level in dict.fromkeys(layout.level.id for one in sheets for layout in one.layouts):
        for i, found in enumerate(sheets):
            first = next((one for one in found.layouts if one.level.id == level), None)
            if first:
                scores.append((_quick_score(photo, found, first), i, level))
    scores.sort(reverse=True)
    _score, best, _level = scores[0]
    likely = [level for _score, i, level in scores if i == best][:_MAX_LEVELS_RECTIFIED]
    return [sheets[best].only(likely)]


def _layouts_to_search(
    levels: Sequence[Level], known: Sequence[Level]
) -> tuple[list[PrintLayout], set[str]]:
    """Return the layouts of all levels, and the ids of those that the user named."""
    named = {level.id for level in known}
    every = [*known, *(level for level in levels if level.id not in named)]
    return layouts_of(every), named


def _rank_layouts(photo: Picture, found: DetectedSheet) -> tuple[float, DetectedSheet]:
    """Sort the layouts of a sheet by `quick_match_score`; return the best score and the sheet."""
    scores = sorted(
        (-_quick_score(photo, found, layout), i) for i, layout in enumerate(found.layouts)
    )
    layouts = tuple(found.layouts[i] for _score, i in scores)
    return (-scores[0][0] if scores else -1.0), found._replace(layouts=layouts)


def _extract(photo: Picture, found: DetectedSheet, named: set[str]) -> ExtractedSheet:
    if len(found.markers) < MIN_MARKERS:
        return _refused(found, _blurred_or("markers", photo, found))
    return _extract_layouts(photo, found, named)


def _extract_layouts(photo: Picture, found: DetectedSheet, named: set[str]) -> ExtractedSheet:
    """Choose the level and layout of a sheet, rectify it, and cut its patches."""
    layouts = found.layouts
    if found.level is None:
        layouts = found.only(named).layouts
    if not layouts:
        refused = "does-not-fit" if found.level is None and named else "which-level"
        if found.level is None and not named and found.markers:
            refused = _blurred_or(refused, photo, found)
        return _refused(found, refused)
    likely = _best_levels(photo, found, _by_level(layouts)[:_MAX_LEVELS_SCORED])
    best = [_best_layout(photo, found, some) for some in likely]
    (layout, rectified), *others = sorted(best, key=lambda one: -one[1].score)
    if others and rectified.score < others[0][1].score + _MIN_SCORE_LEAD:
        return _refused(found, "which-level")
    if not rectified.fits(is_named=found.level is not None, is_exact=found.is_exact):
        return _refused(found, "does-not-fit", layout)
    patches = extract_patches(rectified, layout)
    return ExtractedSheet(found.number, found.place, None, layout, rectified, patches)


def _refused(found: DetectedSheet, why: str, layout: PrintLayout | None = None) -> ExtractedSheet:
    """Return a refused sheet; ``layout`` is the assumed layout, if there is one."""
    guess = layout or next(iter(found.layouts), None)
    return ExtractedSheet(found.number, found.place, why, layout, outline=found.outline(guess))


def _blurred_or(refused: str, photo: Picture, found: DetectedSheet) -> str:
    """Return ``blurred`` if the markers are blurred, otherwise ``refused``."""
    grey = cv2.cvtColor(photo, cv2.COLOR_RGB2GRAY)
    return "blurred" if is_blurred(grey, list(found.markers.values())) else refused


def _by_level(layouts: Sequence[PrintLayout]) -> list[list[PrintLayout]]:
    """Group the layouts by level, the most likely level first, and keep the most likely of each."""
    found: dict[str, list[PrintLayout]] = {}
    for layout in layouts:
        found.setdefault(layout.level.id, []).append(layout)
    return [some[:_MAX_LAYOUTS] for some in found.values()]


def _best_levels(
    photo: Picture, found: DetectedSheet, by_level: Sequence[list[PrintLayout]]
) -> Sequence[list[PrintLayout]]:
    """Return the few levels whose print matches the sheet best by `quick_match_score`."""
    if len(by_level) <= _MAX_LEVELS_RECTIFIED:
        return by_level

    def score(layouts: list[PrintLayout]) -> float:
        return max(_quick_score(photo, found, layout) for layout in layouts)

    return sorted(by_level, key=score, reverse=True)[:_MAX_LEVELS_RECTIFIED]


def _quick_score(photo: Picture, found: DetectedSheet, layout: PrintLayout) -> float:
    reference = render_reference(layout, bw=False)
    return quick_match_score(photo, found.to_photo(layout), layout, reference)


def _best_layout(
    photo: Picture, found: DetectedSheet, layouts: Sequence[PrintLayout]
) -> tuple[PrintLayout, RectifiedSheet]:
    """Return the layout that matches the sheet best, and the sheet rectified with it."""
    tried = [
        (layout, rectify(photo, found.to_photo(layout), layout, render_reference(layout, bw=False)))
        for layout in layouts
    ]
    return max(tried, key=lambda one: one[1].score)

"""Colours of paper: the palettes of the screen, adjusted for contrast with handwriting.

Digits and symbols are only as dark as needed to be legible, so that people and photo reading can
distinguish pen marks. Lines between fields are darker; printed crosses and texts are black.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sheets.art.palette import PRINT, PRINT_BW, Palette, contrast, mixed

MIN_CONTRAST: Final = 4.5
"""Minimum contrast ratio of a text with its background (WCAG 2, level AA)."""

NUMBER_CONTRAST: Final = 5.5
"""Contrast ratio of a printed number with its field.

It is higher than `MIN_CONTRAST`, for lamp light, and lower than the contrast of black and blue
pens, which is 8 to 18. docs/printing.md has the measurements.
"""

_PAPER_ROLES: Final = {"text": "#000000", "line": "#3a3a3a", "wash": "#ffffff", "code": "#000000"}
"""Colours of the roles that only paper has."""

_UNCHANGED_ROLES: Final = ("tint", "on", "bow", "light")
"""Roles of a group whose colours stay unchanged; the colours of other roles are lightened."""


@lru_cache(maxsize=4)
def print_palette(*, bw: bool, dark: bool) -> Palette:
    """Return the palette of a print.

    Args:
        bw: black and white.
        dark: digits are black and symbols as strong as on screen, for pages without photo reading.
    """
    base = PRINT_BW if bw else PRINT
    roles = {**base.roles, **_PAPER_ROLES, "wash": "#ffffff" if bw else "#fbf7ef"}
    roles["under-cross"] = grey_on("#ffffff", MIN_CONTRAST)
    if dark:
        return Palette({**roles, "ink": "#000000"}, base.groups)
    for role in ("ink", "badge", "badge-line", "rail-print", "fuse", "fin"):
        roles[role] = no_darker(roles[role])
    roles["ink"] = grey_on(roles["paper"], NUMBER_CONTRAST)
    roles["badge-line"] = roles["badge"] = no_darker("#000000") if not bw else "#ffffff"
    if bw:
        roles["badge-line"] = roles["on-badge"] = no_darker("#000000")
    groups = {
        name: {
            **{
                role: colour if role in _UNCHANGED_ROLES else no_darker(colour)
                for role, colour in group.items()
            },
            "ink": grey_on(group["tint"], NUMBER_CONTRAST),
        }
        for name, group in base.groups.items()
    }
    return Palette(roles, groups)


def no_darker(colour: str, ground: str = "#ffffff") -> str:
    """Return a colour, lightened until its contrast with the ground is near `MIN_CONTRAST`."""
    share = 0.0
    found = lighter = colour
    while (
        contrast(found, ground) > MIN_CONTRAST + 0.06 and contrast(lighter, ground) >= MIN_CONTRAST
    ):
        found = lighter
        share += 0.005
        lighter = mixed(colour, "#ffffff", share)
    return found


def grey_on(ground: str, min_contrast: float) -> str:
    """Return the lightest grey with at least this contrast on a ground.

    >>> grey_on("#ffffff", MIN_CONTRAST)
    '#767676'
    """
    greys = (f"#{value:02x}{value:02x}{value:02x}" for value in range(0xFF, -1, -1))
    return next(grey for grey in greys if contrast(grey, ground) >= min_contrast)

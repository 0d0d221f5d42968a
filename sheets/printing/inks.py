"""What colour has a role on paper?

Digits and symbols are no darker than legible, so that a pen's cross stands out for people and
machines; lines between fields are darker, printed crosses and texts are black.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sheets.artwork.palette import PRINT, PRINT_BW, Palette, contrast, mixed

LEGIBLE: Final = 4.5
"""The least contrast of a text with its ground (WCAG)."""

NUMBER: Final = 5.5
"""The contrast of a printed number with its field.

More than `LEGIBLE`, for lamp light, and less than that of black and blue pens, which is 8 to 18.
docs/printing.md has the measurements.
"""

_ROLES: Final = {"text": "#000000", "line": "#3a3a3a", "wash": "#ffffff", "code": "#000000"}
_KEPT: Final = ("tint", "on", "bow", "light")


@lru_cache(maxsize=4)
def inks(*, bw: bool, dark: bool) -> Palette:
    """The colours of a print; ``dark``: digits are black and symbols as strong as on screen."""
    base = PRINT_BW if bw else PRINT
    roles = {**base.roles, **_ROLES, "wash": "#ffffff" if bw else "#fbf7ef"}
    roles["under-cross"] = grey_on("#ffffff", LEGIBLE)
    if dark:
        return Palette({**roles, "ink": "#000000"}, base.groups)
    for role in ("ink", "badge", "badge-line", "rail-print", "fuse", "fin"):
        roles[role] = no_darker(roles[role])
    roles["ink"] = grey_on(roles["paper"], NUMBER)
    roles["badge-line"] = roles["badge"] = no_darker("#000000") if not bw else "#ffffff"
    if bw:
        roles["badge-line"] = roles["on-badge"] = no_darker("#000000")
    groups = {
        name: {
            **{
                role: colour if role in _KEPT else no_darker(colour)
                for role, colour in group.items()
            },
            "ink": grey_on(group["tint"], NUMBER),
        }
        for name, group in base.groups.items()
    }
    return Palette(roles, groups)


def no_darker(colour: str, ground: str = "#ffffff") -> str:
    """The colour, made lighter until its contrast with the ground is hardly more than legible."""
    share = 0.0
    found = lighter = colour
    while contrast(found, ground) > LEGIBLE + 0.06 and contrast(lighter, ground) >= LEGIBLE:
        found = lighter
        share += 0.005
        lighter = mixed(colour, "#ffffff", share)
    return found


def grey_on(ground: str, least: float) -> str:
    """The lightest grey with this contrast on a ground.

    >>> grey_on("#ffffff", LEGIBLE)
    '#767676'
    """
    greys = (f"#{value:02x}{value:02x}{value:02x}" for value in range(0xFF, -1, -1))
    return next(grey for grey in greys if contrast(grey, ground) >= least)

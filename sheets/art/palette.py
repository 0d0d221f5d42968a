"""Palettes: the colour of each role on screen and on paper.

A palette has roles for everything (``ink``, ``paper``, ``pen`` …) and groups: the eight colours
of the game and the materials of the other symbols. A group has the roles ``solid`` (the body),
``light`` and ``shade`` (its facets), ``line`` (its outline), ``tint`` (the ground of its field),
``on`` (shapes on the body), ``bow`` and ``emblem`` (a key's bow and the shape on it). In a dark
theme lines are bright, so that they are visible.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from sheets.rules import symbols

GROUP_ROLES: Final = ("solid", "light", "shade", "line", "tint", "on", "bow", "emblem")
"""Roles of a group, in the order of the colours in the palettes below."""

COLOURS: Final = tuple(symbols.COLOURS.values())
"""The eight colours of the game."""


class Palette(NamedTuple):
    """Hex colours by role (``roles``), and by group and role (``groups``)."""

    roles: Mapping[str, str]
    groups: Mapping[str, Mapping[str, str]]

    def colour(self, role: str, group: str = "") -> str:
        """Return the hex colour of a role: that of the group, or else the general one.

        Raises:
            KeyError: neither the group nor the palette has this role.
        """
        return self.groups.get(group, {}).get(role) or self.roles[role]


def _groups(rows: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return colours by group and role; a row has colours in the order of `GROUP_ROLES`."""
    return {name: dict(zip(GROUP_ROLES, row.split(), strict=True)) for name, row in rows.items()}


LIGHT: Final = Palette(
    {
        "ink": "#3d3833",
        "paper": "#fffdf8",
        "ground": "#f6efe2",
        "field-line": "#cfc3ae",
        "glint": "#ffffff",
        "pen": "#2450b8",
        "print": "#211e1b",
        "die": "#ffffff",
        "die-line": "#3d3833",
        "die-shadow": "#b8ab96",
        "pip": "#211e1b",
        "spark": "#ffd23f",
        "flame": "#f07818",
        "fuse": "#8a6a45",
        "fin": "#d4483b",
        "hull": "#fdf9f0",
        "hull-shade": "#d5cfc6",
        "window": "#8fd0e8",
        "ring": "#f0b85a",
        "eye": "#ffffff",
        "lava-edge": "#b3261e",
        "lava": "#f4812a",
        "lava-glow": "#ffc857",
        "rail": "#2450b8",
        "tie": "#9db4e6",
        "rail-print": "#211e1b",
        "tie-print": "#a89e90",
        "border": "#3d3833",
        "badge": "#3d3833",
        "badge-line": "#3d3833",
        "on-badge": "#fffdf8",
        "board-rim": "#dcc7a0",
        "board-inner": "#fbf3e0",
        "board-centre": "#5a4630",
        "board-line": "#a98f66",
        "die-edge": "#2b2520",
        "last-die": "#ffffff",
    },
    _groups({
        #          solid   light   shade   line    tint    on      bow     emblem
        "red":    "#d93a32 #f37d72 #a81f1f #8f1a1c #fde4df #ffffff #ffffff #a81f1f",
        "orange": "#e26d04 #ffa94a #c55d00 #944300 #ffe9cf #ffffff #ffffff #b85600",
        "yellow": "#f6c21c #ffe37a #cf9600 #7a5800 #fff4c4 #5e4300 #fff8dc #6b4d00",
        "green":  "#2f9a4c #71c986 #1d7336 #14562a #dff3e0 #ffffff #ffffff #14662f",
        "blue":   "#2d7fd6 #78b6f3 #1a5ba8 #124580 #dfeefc #ffffff #ffffff #1a5ba8",
        "purple": "#8d4cc0 #bd8de2 #6a2f99 #512175 #f0e4fa #ffffff #ffffff #6a2f99",
        "white":  "#ffffff #ffffff #d6d0c8 #6f675e #ece7df #6f675e #ffffff #57504a",
        "black":  "#3a3633 #79726b #211e1c #1b1816 #dcd6cd #ffffff #ffffff #211e1c",
        "bomb":   "#3f3b42 #77727c #2b282e #26232a #f1e9e4 #ffffff #ffffff #26232a",
        "rocket": "#fdf9f0 #ffffff #d5cfc6 #3b3a56 #e6e8f6 #3b3a56 #ffffff #3b3a56",
        "planet": "#57b3a8 #93d8cd #35877f #2f3f5c #e0ebf1 #1f2d45 #ffffff #2f3f5c",
        "heap":   "#a4703f #c99a67 #7d5029 #5b3717 #f6e8d6 #ffffff #ffffff #5b3717",
        "volcano": "#6f625e #94867f #544945 #3a312e #fbe3d3 #ffffff #ffffff #3a312e",
        "stop":   "#2f5d8a #6d9cc8 #214668 #1a3650 #e3ebf2 #ffffff #ffffff #1a3650",
    }),
)  # fmt: skip
"""Palette of the screen in a light theme and of pictures to share."""

DARK: Final = Palette(
    {
        **LIGHT.roles,
        "ink": "#f3ece0",
        "paper": "#2e2a27",
        "ground": "#1d1a18",
        "field-line": "#554d46",
        "pen": "#78a8ff",
        "print": "#fffaf0",
        "die-line": "#1d1a18",
        "die-shadow": "#0d0b0a",
        "die": "#fbf7ee",
        "fuse": "#c9a678",
        "fin": "#e8604f",
        "hull": "#f4efe6",
        "hull-shade": "#c2bbb3",
        "window": "#3d86a6",
        "lava-edge": "#ff6b3d",
        "lava": "#b3360f",
        "lava-glow": "#8f2408",
        "rail": "#78a8ff",
        "tie": "#5a76a8",
        "rail-print": "#fffaf0",
        "tie-print": "#8b8177",
        "border": "#e5dccd",
        "badge": "#e5dccd",
        "badge-line": "#e5dccd",
        "on-badge": "#1d1a18",
        "board-rim": "#2a231c",
        "board-inner": "#4a4034",
        "board-centre": "#14100c",
        "board-line": "#7d6c54",
        "die-edge": "#0d0b0a",
    },
    _groups({
        #          solid   light   shade   line    tint    on      bow     emblem
        "red":    "#d8433b #f38478 #9b2221 #ffa397 #4d2522 #ffffff #ffffff #a81f1f",
        "orange": "#df6c06 #ffb060 #a95200 #ffbe7d #4b2f16 #ffffff #ffffff #b85600",
        "yellow": "#f0bd1f #ffe68a #b98800 #ffdf70 #453a14 #4a3500 #fff8dc #6b4d00",
        "green":  "#319a4e #76ce8b #1c6b33 #8ddca0 #203c28 #ffffff #ffffff #14662f",
        "blue":   "#2f80d4 #7dbaf5 #195394 #97c8fb #1d3650 #ffffff #ffffff #1a5ba8",
        "purple": "#9352c6 #c295e6 #62298e #d6b1f2 #3c2850 #ffffff #ffffff #6a2f99",
        "white":  "#f6f2ea #ffffff #bdb5aa #fffdf8 #4a4641 #4a443d #ffffff #57504a",
        "black":  "#1a1816 #5d5751 #0b0a09 #b7aea2 #3b3733 #ffffff #ffffff #211e1c",
        "bomb":   "#17151a #5d5863 #0c0b0e #b5afbb #3b3338 #ffffff #ffffff #26232a",
        "rocket": "#f4efe6 #ffffff #c2bbb3 #a9acd8 #2f3149 #3b3a56 #ffffff #3b3a56",
        "planet": "#4aa89d #8dd6cb #2c746d #b3cbe2 #263844 #101d2c #ffffff #2f3f5c",
        "heap":   "#9d6a3a #c4925e #744823 #deb78e #41311f #ffffff #ffffff #5b3717",
        "volcano": "#5a4d49 #82746e #3c3330 #c2aba1 #46291d #ffffff #ffffff #3a312e",
        "stop":   "#2f6396 #6fa2d2 #204668 #9cc5ea #243646 #ffffff #ffffff #1a3650",
    }),
)  # fmt: skip
"""Palette of the screen in a dark theme."""


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of a hex colour, from 0 to 255.

    >>> rgb("#2450b8")
    (36, 80, 184)
    """
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def mixed(first: str, second: str, share: float) -> str:
    """Return a mixture of two hex colours; ``share`` is the share of the second one, 0 to 1.

    >>> mixed("#000000", "#ffffff", 0.2)
    '#333333'
    """
    pairs = zip(rgb(first), rgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


PRINT: Final = Palette(
    {
        **LIGHT.roles,
        "ink": "#6b6660",
        "paper": "#ffffff",
        "ground": "#ffffff",
        "field-line": "#57524d",
        "print": "#000000",
        "border": "#000000",
        "pen": "#1b3f9a",
        "board-rim": "#ece3d1",
        "board-inner": "#ffffff",
        "board-centre": "#6f665c",
        "board-line": "#57524d",
    },
    {
        name: {**roles, "tint": mixed(roles["tint"], "#ffffff", 0.55)}
        for name, roles in LIGHT.groups.items()
    },
)
"""Palette of paper: digits are no darker than needed, so that a pen's cross stands out."""

_GREY: Final = {
    "solid": "#ffffff",
    "light": "#ffffff",
    "shade": "#e0e0e0",
    "line": "#6a6a6a",
    "tint": "#ffffff",
    "on": "#6a6a6a",
    "bow": "#ffffff",
    "emblem": "#6a6a6a",
}
"""White body with grey lines, for most groups."""

_LIGHT_GREY: Final = {**_GREY, "solid": "#dedede", "light": "#ececec", "shade": "#c8c8c8"}
"""Light grey body."""

_MIDDLE_GREY: Final = {**_GREY, "solid": "#c2c2c2", "light": "#d0d0d0", "shade": "#a4a4a4"}
"""Middle grey body."""

_DARK_GREY: Final = {
    **_GREY,
    "solid": "#767676",
    "light": "#b5b5b5",
    "shade": "#6a6a6a",
    "on": "#ffffff",
}
"""Dark grey body with white shapes on it."""

_GREYS: Final = {
    "blue": _LIGHT_GREY,
    "yellow": _MIDDLE_GREY,
    **dict.fromkeys(("black", "bomb", "volcano", "stop"), _DARK_GREY),
}
"""Greys of the groups whose small symbols have similar shapes: brightness distinguishes them."""

PRINT_BW: Final = Palette(
    {
        **PRINT.roles,
        "ink": "#6a6a6a",
        "field-line": "#555555",
        "pen": "#000000",
        "print": "#000000",
        "border": "#000000",
        "die-line": "#333333",
        "die-shadow": "#bbbbbb",
        "pip": "#000000",
        "spark": "#ffffff",
        "flame": "#d0d0d0",
        "fuse": "#6a6a6a",
        "fin": "#b5b5b5",
        "hull": "#ffffff",
        "hull-shade": "#e0e0e0",
        "window": "#ffffff",
        "ring": "#ffffff",
        "lava-edge": "#555555",
        "lava": "#c8c8c8",
        "lava-glow": "#e4e4e4",
        "rail": "#000000",
        "tie": "#9a9a9a",
        "rail-print": "#000000",
        "tie-print": "#9a9a9a",
        "badge": "#ffffff",
        "badge-line": "#000000",
        "on-badge": "#000000",
        "board-rim": "#e2e2e2",
        "board-centre": "#767676",
        "board-line": "#333333",
        "die-edge": "#000000",
    },
    {name: _GREYS.get(name, _GREY) for name in LIGHT.groups},
)
"""Palette of paper without colours: shapes and brightness distinguish the colours."""


def contrast(first: str, second: str) -> float:
    """Return the WCAG contrast ratio of two hex colours, 1 to 21.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@lru_cache(maxsize=1024)
def _luminance(colour: str) -> float:
    parts = [value / 255 for value in rgb(colour)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

"""Names and aims of the games of Dice²."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

GAME_NAMES: Final[dict[str, _StrPromise]] = {
    "square": gettext_lazy("Square Dice"),
    "four-wins": gettext_lazy("4 Dice Wins"),
    "last-man": gettext_lazy("Last Man Dice"),
    "major": gettext_lazy("Major Dice"),
    "relay": gettext_lazy("Relay"),
}
"""Name of each game, and of the relay, by its name in documents."""

GAME_AIMS: Final[dict[str, _StrPromise]] = {
    "square": gettext_lazy(
        "Alone: 16 dice within four rows and four columns, points for lines of four."
    ),
    "four-wins": gettext_lazy("For two: the first player with four dice in a line wins."),
    "last-man": gettext_lazy(
        "For two: within four rows and four columns, each die touches one of its own "
        "colour; the player who places the last one wins."
    ),
    "major": gettext_lazy(
        "For two or three: most dice in a row of five win markers; never six in a row."
    ),
    "relay": gettext_lazy("For two or three: several of these games, up to 5, 7 or 9 points."),
}
"""Aim of each game in one sentence, by the same keys as `GAME_NAMES`."""


def game_name(name: str) -> str:
    """Return the name of a game in the active language."""
    return str(GAME_NAMES[name])

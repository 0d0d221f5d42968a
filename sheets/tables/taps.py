"""Meaning of a tap on a field of one's own sheet of Dizzle.

The act that the server carries out, the hints on the page, and the script, which draws a tap before
the server has answered, all use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import Game, targets
from sheets.tables.log import LogState

STRONG: Final = "strong"
"""Hint: a tap does it."""
FAINT: Final = "faint"
"""Hint: a tap would do it if a die of that number were there."""
ADVISED: Final = "strong advised"
"""Hint: a tap does it, and an expert would tap there."""

OWED: Final = "owed"
"""Spoken name of `STRONG` if a tap makes a choice and places no die."""
ADVISED_OWED: Final = "owed advised"
"""Spoken name of `ADVISED` if a tap makes a choice and places no die."""

NEXT_TAP: Final = {"place": "return", "return": "place"}
"""Meaning of the next tap on the same field in an open pass, by that of the last one."""


class Taps(NamedTuple):
    """Meaning of taps on a sheet.

    Attributes:
        do: the act of a tap on any field: ``place``, ``return``, ``lava``, ``rocket``, or
            ``track``, for which a piece has to be chosen first.
        hints: by field `STRONG` if a tap does it, `FAINT` if it would with a die of that number; a
            tap on another field is refused with an explanation.
        lying: the fields from which a tap takes a die back instead.
        again: the meaning of the next tap on the same field, which the script needs before the
            server answers; empty if each act follows from the answer to the last.
    """

    do: str
    hints: Mapping[str, str] = {}
    lying: frozenset[str] = frozenset()
    again: Mapping[str, str] = {}

    @property
    def owes(self) -> bool:
        """Whether the player owes a choice before the game goes on."""
        return self.do != "place"

    @property
    def fields(self) -> list[str]:
        """The fields that take a die, or that can be chosen."""
        return [at for at, hint in self.hints.items() if hint != FAINT]

    def on(self, at: str) -> str:
        """Return the act of a tap on a field."""
        return "return" if at in self.lying else self.do

    def advised(self, at: str) -> Taps:
        """Return the same taps, with a field marked that an expert would tap."""
        if at not in self.hints:
            return self
        return self._replace(hints={**self.hints, at: ADVISED})


def taps_of(state: LogState[Game], player: int, *, track_at: str = "") -> Taps:
    """Return the meaning of a player's taps on their own sheet.

    ``track_at`` is the field for which a track is being chosen, empty for none.
    """
    game = state.game
    sheet, names = game.sheets[player], game.level.names
    reach = [] if sheet.is_out else names(targets(sheet))
    is_next = game.player == player
    match game.phase:
        case "open":
            hints = {} if player in state.done else dict.fromkeys(reach, STRONG)
            return Taps("place", hints, frozenset(names(sheet.dice)), NEXT_TAP)
        case "return" if is_next:
            return Taps("return", dict.fromkeys(names(sheet.dice), STRONG))
        case "turn" if is_next:
            fitting = {at for fields in game.legal().values() for at in fields}
            return Taps("place", {at: STRONG if at in fitting else FAINT for at in reach})
        case "turn" | "return" | "extra":
            return Taps("place", dict.fromkeys(reach, FAINT))
    owed = next((owed for owed in game.pending() if owed.player == player), None)
    if owed is None:
        return Taps("place")
    if owed.do == "track":
        chosen = {track_at: STRONG} if track_at else {}
        return Taps("track", dict.fromkeys(owed.at, FAINT) | chosen)
    return Taps(owed.do, dict.fromkeys(owed.at, STRONG))


def script_taps(taps: Taps | None) -> dict[str, Any]:
    """Return the meaning of taps for the page's script; ``taps`` is None if no tap has a meaning.

    ``tap`` is the act of a tap, empty for none, on all fields except those of ``lying``; the others
    are ``again``, ``hints``, and ``owes``, whether a choice is owed before the game goes on.
    """
    if taps is None:
        return {"tap": "", "lying": [], "again": {}, "hints": {}, "owes": False}
    return {
        "tap": taps.do,
        "lying": sorted(taps.lying),
        "again": taps.again,
        "hints": taps.hints,
        "owes": taps.owes,
    }


def said_hint(hint: str, owes: bool) -> str:
    """Return the spoken name of a hint.

    >>> said_hint("strong", owes=False), said_hint("strong advised", owes=True)
    ('strong', 'owed advised')
    """
    return hint.replace(STRONG, OWED) if owes else hint

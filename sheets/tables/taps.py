"""Meaning of a tap on a field of one's own sheet of Dizzle.

The server uses it to carry out a tap, the page to highlight fields, and the script to draw a tap
before the server has answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import Game, targets
from sheets.tables.event_log import LogState

STRONG: Final = "strong"
"""Reach of a field: a tap on it is carried out now."""
FAINT: Final = "faint"
"""Reach of a field: a tap on it is not carried out now, but could be later.

A die of its number is missing, another player has the turn, or its track is not chosen yet.
"""
HINTED: Final = "strong advised"
"""Reach of a field: a hint names it, for a tap now or as the next track."""

OWED: Final = "owed"
"""Spoken name of `STRONG` if a tap makes a choice and places no die."""
HINTED_OWED: Final = "owed advised"
"""Spoken name of `HINTED` if a tap makes a choice and places no die."""

NEXT_TAP: Final = {"place": "return", "return": "place"}
"""Meaning of the next tap on the same field in an open pass, by the meaning of the last tap."""


class Taps(NamedTuple):
    """Meaning of taps on a sheet.

    Attributes:
        do: the act of a tap on any field: ``place``, ``return``, ``lava``, ``rocket``, or
            ``track``, for which a piece has to be chosen first.
        reachable: the reach by field: `STRONG`, `FAINT` or `HINTED`; a tap on any other field is
            refused with an explanation.
        lying: the fields from which a tap takes a die back instead.
        again: the meaning of the next tap on the same field, by the meaning of the last tap; the
            script needs it before the server has answered. Empty if only the answer says it.
    """

    do: str
    reachable: Mapping[str, str] = {}
    lying: frozenset[str] = frozenset()
    again: Mapping[str, str] = {}

    @property
    def owes(self) -> bool:
        """Whether the player owes a choice before the game goes on."""
        return self.do != "place"

    @property
    def fields(self) -> list[str]:
        """The fields that take a die, or that can be chosen."""
        return [at for at, reach in self.reachable.items() if reach != FAINT]

    def on(self, at: str) -> str:
        """Return the act of a tap on a field."""
        return "return" if at in self.lying else self.do

    def with_hint(self, at: str) -> Taps:
        """Return the same taps, with the field of a hint marked."""
        if at not in self.reachable:
            return self
        return self._replace(reachable={**self.reachable, at: HINTED})


def taps_of(state: LogState[Game], player: int, *, track_at: str = "") -> Taps:
    """Return the meaning of a player's taps on their own sheet.

    ``track_at`` is the field for which a track is being chosen, empty for none.
    """
    game = state.game
    sheet, names = game.sheets[player], game.level.names
    placeable = [] if sheet.is_out else names(targets(sheet))
    is_next = game.player == player
    match game.phase:
        case "open":
            reachable = {} if player in state.done else dict.fromkeys(placeable, STRONG)
            return Taps("place", reachable, frozenset(names(sheet.dice)), NEXT_TAP)
        case "return" if is_next:
            return Taps("return", dict.fromkeys(names(sheet.dice), STRONG))
        case "turn" if is_next:
            fitting = {at for fields in game.legal().values() for at in fields}
            return Taps("place", {at: STRONG if at in fitting else FAINT for at in placeable})
        case "turn" | "return" | "extra":
            return Taps("place", dict.fromkeys(placeable, FAINT))
    owed = next((owed for owed in game.pending() if owed.player == player), None)
    if owed is None:
        return Taps("place")
    if owed.do == "track":
        chosen = {track_at: STRONG} if track_at else {}
        return Taps("track", dict.fromkeys(owed.at, FAINT) | chosen)
    return Taps(owed.do, dict.fromkeys(owed.at, STRONG))


def script_taps(taps: Taps | None) -> dict[str, Any]:
    """Return the meaning of taps for the page's script; ``taps`` is None if no tap has a meaning.

    The keys are those of `Taps`, but ``tap`` is `Taps.do`, empty for none, and ``hints`` is
    `Taps.reachable`.
    """
    if taps is None:
        return {"tap": "", "lying": [], "again": {}, "hints": {}, "owes": False}
    return {
        "tap": taps.do,
        "lying": sorted(taps.lying),
        "again": taps.again,
        "hints": taps.reachable,
        "owes": taps.owes,
    }


def spoken_reach(reach: str, owes: bool) -> str:
    """Return the spoken name of a field's reach.

    >>> spoken_reach("strong", owes=False), spoken_reach("strong advised", owes=True)
    ('strong', 'owed advised')
    """
    return reach.replace(STRONG, OWED) if owes else reach

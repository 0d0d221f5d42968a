"""What does a tap on a field of one's own sheet of Dizzle mean at the moment?

It is answered here alone: for the act that the server carries out, for the hints on the page, and
for the script, which shows a tap before the server has answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import Game, targets
from sheets.tables.log import LogState

STRONG: Final = "strong"
FAINT: Final = "faint"
ADVISED: Final = "strong advised"
"""A tap does it, and an expert would tap there."""

OWED: Final = "owed"
ADVISED_OWED: Final = "owed advised"
"""How `STRONG` and `ADVISED` are read aloud where a tap makes a choice and places no die."""

NEXT_TAP: Final = {"place": "return", "return": "place"}
"""What the next tap on the same field means in an open pass."""


class Taps(NamedTuple):
    """What tapping does now.

    ``do`` is the act a tap on any field stands for: ``place``, ``return``, ``lava``, ``rocket``, or
    ``track``, for which a piece has to be chosen first. ``hints`` are by field: `STRONG` where a
    tap does it, `FAINT` where it would if a die of that number were there; a tap elsewhere is
    refused, and the refusal says why. ``lying`` are the fields from which a tap takes a die back
    in place of that. ``again`` tells what the next tap on the same field means, without waiting
    for an answer; it is empty where one act follows from the other.
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
        """The act that a tap on one field stands for."""
        return "return" if at in self.lying else self.do

    def advised(self, at: str) -> Taps:
        """The same where an expert would tap a field."""
        if at not in self.hints:
            return self
        return self._replace(hints={**self.hints, at: ADVISED})


def taps_of(state: LogState[Game], player: int, *, track_at: str = "") -> Taps:
    """What a player's taps on their own sheet do; ``track_at``: where a track is being chosen."""
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
    """The same for the page's script; None on a sheet where no tap means anything.

    ``tap`` is the act of a tap, empty for none, on all fields but those of ``lying``; ``again``,
    ``hints``, and ``owes``: whether a choice is owed before the game goes on.
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
    """Return the hint as it is read aloud.

    >>> said_hint("strong", owes=False), said_hint("strong advised", owes=True)
    ('strong', 'owed advised')
    """
    return hint.replace(STRONG, OWED) if owes else hint

"""Sheet: an immutable snapshot of the marks on one player's copy of a level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sheets.rules.level import Level


class Sheet(NamedTuple):
    """One player's copy of a level with everything marked on it; never modified.

    ``crosses`` (tracks too), ``dice``, ``exploded``, ``lava`` and ``closed`` (locks without a
    crossed key) are masks of fields; ``near_crosses`` and ``near_dice`` are the masks of the fields
    that touch a cross or one of the player's dice. ``tracks`` maps a field index to its shape,
    ``flags`` a colour to the circled number, ``races`` the index of a race area to the circled
    number. ``is_out``: the player has dropped out of this pass or is stuck.
    """

    level: Level
    crosses: int
    near_crosses: int
    closed: int
    dice: int = 0
    near_dice: int = 0
    exploded: int = 0
    lava: int = 0
    tracks: Mapping[int, str] = {}
    flags: Mapping[str, int] = {}
    races: Mapping[int, int] = {}
    is_out: bool = False

    def with_die(self, field: int) -> Sheet:
        """Return the sheet with one more die, on the field with that index."""
        # All attributes are written out for speed, instead of `_replace`.
        level = self.level
        return Sheet(
            level,
            self.crosses,
            self.near_crosses,
            self.closed,
            self.dice | 1 << field,
            self.near_dice | level.neighbours[field],
            self.exploded,
            self.lava,
            self.tracks,
            self.flags,
            self.races,
            self.is_out,
        )

    def without_die(self, field: int) -> Sheet:
        """Return the sheet without the die on the field with that index."""
        dice = self.dice & ~(1 << field)
        return self._replace(dice=dice, near_dice=self.level.touching(dice))

    def with_crosses(self, fields: int) -> Sheet:
        """Return the sheet with the fields of a mask crossed; crossed keys open their locks."""
        crosses = self.crosses | fields
        return self._replace(
            crosses=crosses,
            near_crosses=self.near_crosses | self.level.touching(fields),
            closed=closed_locks(self.level, crosses),
        )

    def with_dice_crossed(self) -> Sheet:
        """Return the sheet with every die turned into a cross (`cross-dice`)."""
        if not self.dice:
            return self
        return self.with_crosses(self.dice)._replace(dice=0, near_dice=0)

    @property
    def is_full(self) -> bool:
        """Whether no field is left to cross (`full-sheet`); numberless planets count as left."""
        return not self.level.crossable & ~(self.crosses | self.exploded | self.lava)

    @property
    def planets_left(self) -> int:
        """The mask of the planets a rocket can still fly to."""
        return self.level.planets & ~(self.crosses | self.lava)


def blank_sheet(level: Level) -> Sheet:
    """Return an empty sheet: only printed marks."""
    printed = level.printed
    tracks = {level.index[name]: shape for name, shape in level.printed_tracks.items()}
    return Sheet(level, printed, level.near_printed, closed_locks(level, printed), tracks=tracks)


def finished_sheet(
    level: Level, *, crosses: int, exploded: int, lava: int, tracks: Mapping[str, str]
) -> Sheet:
    """Return a final sheet with the printed marks added and no number circled.

    ``crosses``, ``exploded`` and ``lava`` are masks; ``tracks`` maps a field name to its shape.
    """
    crosses |= level.printed
    shapes = {**level.printed_tracks, **tracks}
    return Sheet(
        level,
        crosses,
        level.touching(crosses),
        closed_locks(level, crosses),
        exploded=exploded,
        lava=lava,
        tracks={level.index[name]: shape for name, shape in shapes.items()},
    )


def opened_colours(level: Level, crosses: int) -> list[str]:
    """Return the colours with a crossed key, whose locks are all open."""
    return [colour for colour, keys in level.by_colour["key"].items() if crosses & keys]


def closed_locks(level: Level, crosses: int) -> int:
    """Return the mask of the closed locks; a crossed key opens all locks of its colour."""
    keys = level.by_colour["key"]
    closed = 0
    for colour, locks in level.by_colour["lock"].items():
        if not crosses & keys.get(colour, 0):
            closed |= locks
    return closed

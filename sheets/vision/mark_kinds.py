"""Classes of marks: the kinds that the mark classifier distinguishes."""

from __future__ import annotations

from typing import Final

from sheets.rules.level import SHAPES, Field, Level

EMPTY: Final = "empty"
"""No mark."""

CROSS: Final = "cross"
"""A cross."""

EXPLODED: Final = "exploded"
"""An exploded bomb: a scribble over the field."""

LAVA: Final = "lava"
"""Lava: a hatched field."""

TAKEN_BACK: Final = "taken-back"
"""A cross that the player took back; it counts as empty."""
CIRCLED: Final = "circled"
"""A number that the player got."""

STRUCK: Final = "struck"
"""A number that another player got."""
MARK_KINDS: Final = (EMPTY, CROSS, EXPLODED, LAVA, TAKEN_BACK, *SHAPES, CIRCLED, STRUCK)
"""Classes of the mark classifier, in the order of its outputs."""

NUMBER_KINDS: Final = (EMPTY, CIRCLED, STRUCK)
"""Possible kinds of a number of a flag or race."""


def possible_kinds(level: Level, field: Field) -> tuple[str, ...]:
    """Return the kinds that the rules of a level allow on a field: ``EMPTY`` on printed marks."""
    if field.printed or field.name in level.printed_tracks or field.symbol == "volcano":
        return (EMPTY,)
    marks = SHAPES if level.rails else (CROSS,)
    exploded = (EXPLODED,) if field.symbol == "bomb" else ()
    lava = (LAVA,) if any(other.symbol == "volcano" for other in level.fields) else ()
    return (EMPTY, TAKEN_BACK, *marks, *exploded, *lava)

"""What can a field show, as far as a photo tells?"""

from __future__ import annotations

from typing import Final

from sheets.rules.level import SHAPES, Field, Level

EMPTY, CROSS, EXPLODED, LAVA, TAKEN_BACK = "empty", "cross", "exploded", "lava", "taken-back"
CIRCLED, STRUCK = "circled", "struck"
KINDS: Final = (EMPTY, CROSS, EXPLODED, LAVA, TAKEN_BACK, *SHAPES, CIRCLED, STRUCK)
"""The reader's answers, in the order of its last layer."""

NUMBER_KINDS: Final = (EMPTY, CIRCLED, STRUCK)
"""What a number of a flag or race may be: circled by whoever got it, struck by all others."""


def possible_kinds(level: Level, field: Field) -> tuple[str, ...]:
    """What may be drawn on a field by the rules of its level; nothing on what is printed."""
    if field.printed or field.name in level.printed_tracks or field.symbol == "volcano":
        return (EMPTY,)
    marks = SHAPES if level.rails else (CROSS,)
    exploded = (EXPLODED,) if field.symbol == "bomb" else ()
    lava = (LAVA,) if any(other.symbol == "volcano" for other in level.fields) else ()
    return (EMPTY, TAKEN_BACK, *marks, *exploded, *lava)

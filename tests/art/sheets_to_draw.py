"""Levels and fields for tests of the artwork."""

from sheets.art import coloured_symbols, plain_symbols
from sheets.art.palette import COLOURS
from sheets.rules.documents.level import parse_level
from sheets.rules.level import Field, Level


def field(number: int, symbol: str = "", colour: str = "") -> Field:
    return Field("c4", 2, 3, number, symbol, colour, False)


NUMBERED_SYMBOLS = [
    *(
        (symbol, colour)
        for symbol in coloured_symbols.COLOURED_SYMBOLS
        if symbol != "open-lock"
        for colour in COLOURS
    ),
    *((symbol, "") for symbol in plain_symbols.PLAIN_SYMBOLS if symbol != "volcano"),
]
"""Symbols with their colours that can have a number."""


def level(*rows: str, **more: object) -> Level:
    """Return a level from its grid, with points for all symbols in it."""
    points = {
        kind: {colour: value for colour, letter in zip(COLOURS, "roygbpwk", strict=True)
               if any(code + letter in row for row in rows)}
        for kind, code, value in (("gem", "G", 2), ("puzzle", "J", 8), ("flag", "F", [6, 3, 1]))
    }  # fmt: skip
    document: dict[str, object] = {
        "format": "dizzle-level/1",
        "id": "drawn",
        "name": "Drawn",
        "grid": list(rows),
        "points": {kind: found for kind, found in points.items() if found}
        | {
            kind: value
            for kind, code, value in (("bomb", "B", -2), ("heap", "H", -3), ("stop", "S", 4))
            if any(code in row for row in rows)
        },
    }
    return parse_level(document | more)


EVERYTHING = (
    "1Gr 2Go 3Gy 4Gp 5Kr 6Kb 1Kg 2x",
    "3Lr 4Lb 5Lg 6Fr 1Fk 2Jg 3Jb 4Jw",
    "5B 6R 1P -P 2O 3H 4Gw 5",
    "1 2 3 4 5 6 1x 2",
    "3 . 4 5 6 -V 1 2",
)
"""Grid with all kinds of symbols."""

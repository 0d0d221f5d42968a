"""Drawings of symbols with a colour: key, lock, flag, gem and puzzle piece."""

from __future__ import annotations

from sheets.art.gems import OUTLINE_WIDTH, cut_gem, emblem
from sheets.art.shapes import Drawing, Shape, circle, moved, rectangle

KEY_TURN = -45.0
"""Rotation of a key in degrees: it points from the bottom left to the top right."""


def key(colour: str) -> tuple[Shape, ...]:
    """Draw a key with the shape of its colour on its big bow."""
    blade = moved(
        rectangle(20, -7, 58, 14, 4) + rectangle(45, 0, 10, 20, 3) + rectangle(64, 0, 10, 14, 3),
        33, 67, turn=KEY_TURN,
    )  # fmt: skip
    return (
        Shape(circle(33, 67, 28) + blade, "solid", "line", OUTLINE_WIDTH),
        Shape(circle(33, 67, 23), "bow"),
        emblem(colour, 33, 67, 17.5, "emblem"),
    )


def lock(colour: str) -> tuple[Shape, ...]:
    """Draw a closed padlock with the shape of its colour on its solid body."""
    return (
        Shape("M29 46V29A21 21 0 0 1 71 29V46", "", "line", 13),
        Shape(rectangle(12, 41, 76, 54, 11), "solid", "line", OUTLINE_WIDTH),
        emblem(colour, 50, 67.5, 21),
    )


def open_lock(colour: str) -> tuple[Shape, ...]:
    """Draw an open padlock: free shackle, and only an outline of the shape of its colour."""
    return (
        Shape("M24 46V26A21 21 0 0 1 64 18L67 24", "", "line", 11),
        Shape(rectangle(12, 46, 76, 49, 11), "tint", "line", OUTLINE_WIDTH),
        emblem(colour, 50, 70, 19, "line"),
    )


def flag(colour: str) -> tuple[Shape, ...]:
    """Draw a flag on its pole, blown to the right."""
    cloth = "M16 12C36 2 54 22 95 9C90 25 90 48 95 63C54 75 36 56 16 66Z"
    return (
        Shape("M14 9V95", "", "ink", 9),
        Shape(cloth, "solid", "line", OUTLINE_WIDTH),
        emblem(colour, 53, 38, 19),
    )


def puzzle(colour: str) -> tuple[Shape, ...]:
    """Draw a jigsaw piece with knobs at the top and right and a socket at the left."""
    outline = (
        "M8 30H31C34 30 35 28 33 25C27 15 33 6 42 6C51 6 57 15 51 25C49 28 50 30 53 30H74V49"
        "C74 53 77 54 80 51C87 46 95 52 95 61C95 70 87 76 80 71C77 69 74 70 74 73V95H8V73"
        "C8 70 10 69 13 70C20 74 26 69 26 61C26 53 20 48 13 52C10 53 8 52 8 49Z"
    )
    return (
        Shape(outline, "solid", "line", OUTLINE_WIDTH),
        emblem(colour, 51, 62, 17),
    )


COLOURED_SYMBOLS = {
    "gem": cut_gem,
    "key": key,
    "lock": lock,
    "open-lock": open_lock,
    "flag": flag,
    "puzzle": puzzle,
}
"""Drawing function by symbol."""


def draw(symbol: str, colour: str) -> Drawing:
    """Draw a symbol in a colour; its id is for example ``gem-red``."""
    return Drawing(f"{symbol}-{colour}", colour, COLOURED_SYMBOLS[symbol](colour))

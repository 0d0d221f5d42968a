"""Drawings of symbols without a colour, and of the signs of score categories, links and walls."""

from __future__ import annotations

from sheets.art.gems import OUTLINE_WIDTH
from sheets.art.shapes import Drawing, Shape, circle, placed, polygon, rectangle, regular


def bomb() -> tuple[Shape, ...]:
    """Draw a round bomb with a burning fuse."""
    outer, inner = regular(7, 84, 16, 13, -80), regular(7, 84, 16, 6.5, -54.3)
    spark = [point for pair in zip(outer, inner, strict=True) for point in pair]
    return (
        Shape("M57 37C61 18 71 27 80 19", "", "fuse", 7),
        Shape(polygon(spark), "spark", "flame", 5),
        Shape(circle(42, 60, 35) + "M50 25L59 18L77 34L71 43Z", "solid", "line", OUTLINE_WIDTH),
        Shape("M21 60A22 22 0 0 1 38 39", "", "glint", 7),
    )


def rocket() -> tuple[Shape, ...]:
    """Draw a rocket that flies to the top right."""
    upright = (
        Shape("M39 76C36 90 46 90 50 102C54 90 64 90 61 76Z", "flame", "line", OUTLINE_WIDTH),
        Shape("M45 77C44 84 48 86 50 91C52 86 56 84 55 77Z", "spark"),
        Shape("M34 48C20 56 18 68 18 82L36 73ZM66 48L64 73L82 82C82 68 80 56 66 48Z",
              "fin", "line", OUTLINE_WIDTH),
        Shape("M50 -6C68 10 76 42 66 77H34C24 42 32 10 50 -6Z", "hull", "line", OUTLINE_WIDTH),
        Shape("M50 -6C57 0 62 8 66 18H34C38 8 43 0 50 -6Z", "fin"),
        Shape("M61 22C68 40 70 58 66 77H56C60 58 62 40 61 22Z", "hull-shade"),
        Shape(circle(49, 42, 9), "window", "line", 7),
    )  # fmt: skip
    return placed(upright, 53, -19, scale=0.94, turn=45)


def planet() -> tuple[Shape, ...]:
    """Draw a planet with its ring."""
    ring = "M15 66C2 88 26 84 54 68C84 50 104 24 90 20C86 19 82 20 78 22"
    large = (
        Shape(circle(50, 50, 35), "solid", "line", OUTLINE_WIDTH),
        Shape("M19 36A35 35 0 0 1 75 26C64 37 40 45 19 36Z", "light"),
        Shape("M83.5 57A35 35 0 0 1 43 84.5C62 82 76 73 83.5 57Z", "shade"),
        Shape(ring, "", "line", 14),
        Shape(ring, "", "ring", 6.5),
    )
    return placed(large, 1.5, 0, scale=0.96)


def rocket_planet() -> tuple[Shape, ...]:
    """Draw a rocket that has just left its planet."""
    return (
        *placed(planet(), -1, 31, scale=0.72),
        *placed(rocket(), 34, 0, scale=0.66),
    )


def heap() -> tuple[Shape, ...]:
    """Draw a smiling heap."""
    pile = (
        "M50 5C64 12 70 22 65 31C76 33 80 45 74 53C88 55 92 70 84 77C98 80 97 95 82 95H18"
        "C3 95 2 80 16 77C8 70 12 55 26 53C20 44 25 33 36 31C50 27 54 18 50 5Z"
    )
    return (
        Shape(pile, "solid", "line", OUTLINE_WIDTH),
        Shape("M36 34C48 34 59 31 64 24C66 34 48 42 36 41ZM26 56C46 58 66 55 75 47"
              "C78 60 50 66 26 64ZM16 80C44 82 74 80 85 71C90 84 48 90 16 88Z", "light"),
        Shape(circle(39, 64, 7) + circle(61, 64, 7), "eye"),
        Shape(circle(40, 65, 3.5) + circle(60, 65, 3.5), "line"),
        Shape("M40 78C45 84 55 84 60 78", "", "line", 5),
    )  # fmt: skip


def volcano() -> tuple[Shape, ...]:
    """Draw an erupting volcano, which fills its field."""
    return (
        Shape(circle(50, 15, 6) + circle(33, 22, 4.5) + circle(67, 21, 5), "flame"),
        Shape("M8 92C20 84 30 58 35 36H65C70 58 80 84 92 92Z", "solid", "line", 8),
        Shape("M59 40C66 62 74 82 86 91H62C56 74 58 56 59 40Z", "shade"),
        Shape("M35 38C34 30 42 32 45 28C48 24 54 24 56 28C59 32 66 30 65 38C66 48 68 54 65 58"
              "C61 62 59 52 56 52C52 52 55 72 50 74C45 75 46 58 43 56C40 55 39 64 35 61"
              "C32 58 34 48 35 38Z", "flame", "line", 5),
        Shape("M42 38C45 35 55 35 58 38C57 42 54 42 52 46C51 52 50 60 49 60C47 58 48 50 46 46"
              "C44 43 42 42 42 38Z", "spark"),
    )  # fmt: skip


def stop() -> tuple[Shape, ...]:
    """Draw a station sign: the front of a train on a post."""
    return (
        Shape("M50 76V95", "", "line", 10),
        Shape(rectangle(9, 6, 82, 72, 14), "solid", "line", OUTLINE_WIDTH),
        Shape("M30 30C30 18 36 15 50 15C64 15 70 18 70 30V57C70 62 67 64 63 64H37"
              "C33 64 30 62 30 57Z", "on"),
        Shape("M37 28C37 24 39 23 50 23C61 23 63 24 63 28V39H37Z", "solid"),
        Shape(circle(40, 52, 4.5) + circle(60, 52, 4.5), "solid"),
        Shape("M39 65L33 73M61 65L67 73", "", "on", 5),
    )  # fmt: skip


def sign_arrow() -> tuple[Shape, ...]:
    """Draw the sign of lines in the score column: an arrow with a cross in it."""
    return (
        Shape(polygon([(8, 50), (34, 18), (92, 18), (92, 82), (34, 82)]), "badge", "badge-line", 9),
        Shape("M46 35L74 65M74 35L46 65", "", "on-badge", 11),
    )


def sign_area() -> tuple[Shape, ...]:
    """Draw the sign of areas: three fields with a thick border around them."""
    return (
        Shape("M16 10H84Q90 10 90 16V44Q90 50 84 50H56Q50 50 50 56V84Q50 90 44 90H16Q10 90 10 84"
              "V16Q10 10 16 10Z", "paper", "ink", 16),
        Shape("M28 50H50V28M50 50V50", "", "field-line", 4),
    )  # fmt: skip


def sign_chain() -> tuple[Shape, ...]:
    """Draw the sign of chains: two fields with dashes around them."""
    around = "".join(
        f"M{x} {y}h10m9 0h10m4 4v10m0 9v10m-4 5h-10m-9 0h-10m-4 -5v-10m0 -9v-10"
        for x, y in ((10, 8), (62, 54))
    )
    return (Shape(around, "", "ink", 8),)


def sign_link() -> tuple[Shape, ...]:
    """Draw the sign of links: two fields that do not touch, and a line between them."""
    fields = rectangle(8, 8, 34, 34, 6) + rectangle(58, 58, 34, 34, 6)
    return (
        Shape(fields, "paper", "field-line", 6),
        Shape("M36 36L64 64", "", "border", 8),
        Shape(circle(36, 36, 7) + circle(64, 64, 7), "paper", "border", 8),
    )


def sign_wall() -> tuple[Shape, ...]:
    """Draw the sign of walls: a thick line of stones between two fields."""
    fields = rectangle(6, 28, 38, 44, 6) + rectangle(56, 28, 38, 44, 6)
    return (
        Shape(fields, "paper", "field-line", 6),
        Shape("M50 24V76", "", "border", 16),
        Shape("M50 30V37M50 46.5V53.5M50 63V70", "", "paper", 5),
    )


PLAIN_SYMBOLS = {
    "bomb": ("bomb", bomb),
    "rocket": ("rocket", rocket),
    "planet": ("planet", planet),
    "rocket-planet": ("planet", rocket_planet),
    "heap": ("heap", heap),
    "volcano": ("volcano", volcano),
    "stop": ("stop", stop),
}
"""Palette group and drawing function by symbol."""


SIGNS = {
    "sign-line": sign_arrow,
    "sign-area": sign_area,
    "sign-chain": sign_chain,
    "sign-link": sign_link,
    "sign-wall": sign_wall,
}
"""Drawing function by sign: for categories of the score column, links and walls."""


def draw_sign(sign: str) -> Drawing:
    """Draw a sign; its id is its name."""
    return Drawing(sign, "", SIGNS[sign]())


def draw(symbol: str) -> Drawing:
    """Draw a symbol without a colour; its id is its name."""
    group, shapes = PLAIN_SYMBOLS[symbol]
    return Drawing(symbol, group, shapes())

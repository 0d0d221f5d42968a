"""Which symbols are there, how is each written, and how does it pay?

Each symbol has one row in `_ROWS`. What a level's document may say, the score column, legends, the
tally, the workshop and its scripts, the bots and the reports follow from it. CONTRIBUTING.md lists
what else a new symbol needs: drawing, names, documentation and test data. What a symbol *does* (a
key, a bomb, a rocket) is in the rules of the game: `sheet`, `effects`, `volcano`, `rails`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final, NamedTuple

COLOURS: Final[Mapping[str, str]] = {
    "r": "red",
    "o": "orange",
    "y": "yellow",
    "g": "green",
    "b": "blue",
    "p": "purple",
    "w": "white",
    "k": "black",
}
"""The colours of a symbol by their letters in a grid."""


class Pays(Enum):
    """How a symbol brings or costs points.

    ``EACH`` and ``ALL`` need nothing but a row; what the others count is made by a rule of its own
    (`flag`, `bomb`, `tracks`).
    """

    NOTHING = "nothing"
    EACH = "each"
    """Its points for every one that is crossed."""
    ALL = "all"
    """Its points once, when all of a colour are crossed."""
    TRACK = "track"
    """The number of the colour's track that has been circled."""
    EXPLODED = "exploded"
    """Its points for every one that has exploded."""
    ON_LOOP = "on-loop"
    """Its points for every one that lies on a loop of track."""


class Symbol(NamedTuple):
    """All that is known of a symbol but its drawing, its names and what it does.

    Attributes:
        letter: how it is written in a grid, a capital; a colour's letter follows if it has one.
        name: what documents and programs call it.
        is_coloured: whether each one has a colour; its points are then by colour.
        pays: how it brings or costs points; if it does, ``points`` must say how much.
        category: the row of the score column it counts in, empty if it pays nothing.
        costs: whether its points are never above 0.
        usual: the points, or the track's numbers, that somebody making a level is offered first.
        on_rails: whether it may stand on a rail level.
    """

    letter: str
    name: str
    is_coloured: bool = False
    pays: Pays = Pays.NOTHING
    category: str = ""
    costs: bool = False
    usual: int | tuple[int, ...] = 0
    on_rails: bool = True


_ROWS: Final = (
    Symbol("G", "gem", True, Pays.EACH, "gems", usual=2),
    Symbol("J", "puzzle", True, Pays.ALL, "puzzles", usual=10),
    Symbol("F", "flag", True, Pays.TRACK, "flags", usual=(10, 6, 3, 1)),
    Symbol("K", "key", True),
    Symbol("L", "lock", True),
    Symbol("B", "bomb", False, Pays.EXPLODED, "bombs", costs=True, usual=-2),
    Symbol("H", "heap", False, Pays.EACH, "heaps", costs=True, usual=-3),
    Symbol("R", "rocket", on_rails=False),
    Symbol("O", "rocket-planet", on_rails=False),
    Symbol("P", "planet", on_rails=False),
    Symbol("V", "volcano"),
    Symbol("S", "stop", False, Pays.ON_LOOP, "stops", usual=4),
)

SYMBOLS: Final[Mapping[str, Symbol]] = {symbol.name: symbol for symbol in _ROWS}
"""The symbols by name, as people ask for them: what brings points, then what does something."""

COLOURED: Final = tuple(symbol.name for symbol in _ROWS if symbol.is_coloured)
"""The symbols that have a colour."""

PAYING: Final[Mapping[str, Symbol]] = {
    symbol.name: symbol for symbol in _ROWS if symbol.pays is not Pays.NOTHING
}
"""The symbols whose points a level's document must give."""


def _named(pays: Pays, *, is_coloured: bool) -> tuple[str, ...]:
    return tuple(
        symbol.name for symbol in _ROWS if symbol.pays is pays and symbol.is_coloured == is_coloured
    )


EACH_OF_COLOUR: Final = _named(Pays.EACH, is_coloured=True)
EACH: Final = _named(Pays.EACH, is_coloured=False)
ALL_OF_COLOUR: Final = _named(Pays.ALL, is_coloured=True)

BY_COLOUR: Final = (*EACH_OF_COLOUR, *ALL_OF_COLOUR)
"""The symbols of which each colour has its points."""

PLAIN: Final = tuple(symbol for symbol in PAYING if symbol not in COLOURED)
"""The symbols without a colour that pay."""


def _column() -> Iterator[str]:
    """The score column: symbols by how they pay, and between them what is no symbol."""
    for name in EACH_OF_COLOUR:
        yield SYMBOLS[name].category
    yield "lines"
    for name in ALL_OF_COLOUR:
        yield SYMBOLS[name].category
    yield "areas"
    for name in (*_named(Pays.TRACK, is_coloured=True), *EACH):
        yield SYMBOLS[name].category
    yield SYMBOLS["bomb"].category
    yield "tracks"
    yield SYMBOLS["stop"].category


CATEGORIES: Final = tuple(_column())
"""The rows of the score column, in the order in which they are added up."""

BY_CATEGORY: Final[Mapping[str, Symbol]] = {symbol.category: symbol for symbol in PAYING.values()}
"""The symbol that a row of the score column is about; lines, areas and tracks are about none."""


def symbol_key(symbol: str, colour: str = "") -> str:
    """What a symbol in one of its colours is called in ``labels`` and in reports.

    >>> symbol_key("gem", "yellow"), symbol_key("bomb")
    ('gem yellow', 'bomb')
    """
    return f"{symbol} {colour}" if colour else symbol


WRITTEN: Final[Mapping[str, tuple[str, str]]] = {
    symbol.letter + letter: (symbol.name, colour)
    for symbol in _ROWS
    for letter, colour in (COLOURS if symbol.is_coloured else {"": ""}).items()
}
"""Symbol and colour by how they are written in a grid: ``Gy`` is ``("gem", "yellow")``."""

KEYS: Final = tuple(symbol_key(*found) for found in WRITTEN.values())
"""Every symbol in every colour it can have, in the order of the symbols."""

SYMBOL_PATTERN: Final = "(?:[{coloured}][{colours}]|[{plain}])".format(
    coloured="".join(symbol.letter for symbol in _ROWS if symbol.is_coloured),
    colours="".join(COLOURS),
    plain="".join(symbol.letter for symbol in _ROWS if not symbol.is_coloured),
)
"""A regular expression for the keys of `WRITTEN`, without a group, for Python and for scripts."""

OFF_RAILS: Final = frozenset(
    written for written, (name, _colour) in WRITTEN.items() if not SYMBOLS[name].on_rails
)
"""What cannot stand on a rail level, as it is written in a grid."""

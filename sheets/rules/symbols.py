"""Table of symbols: the notation of each in a grid, and its way of paying.

Each symbol has one row in `_ROWS`, from which everything else is derived: the valid level
documents, the score column, legends, the tally, the workshop and its scripts, the bots and the
reports. CONTRIBUTING.md lists what else a new symbol needs: drawing, names, documentation and test
data. The *effects* of symbols (a key, a bomb, a rocket) are implemented in the rules of the game:
`sheet`, `effects`, `volcano`, `rails`.
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
"""The colours of symbols by their letters in a grid."""


class Pays(Enum):
    """Way in which a symbol pays or costs points.

    ``EACH`` and ``ALL`` need nothing but a row in the table; each of the others depends on a rule
    of its own (`flag`, `bomb`, `tracks`).
    """

    NOTHING = "nothing"
    """Never pays."""
    EACH = "each"
    """Its points for each one that is crossed."""
    ALL = "all"
    """Its points once, when all of a colour are crossed."""
    TRACK = "track"
    """The circled number of the colour's track."""
    EXPLODED = "exploded"
    """Its points for each one that has exploded."""
    ON_LOOP = "on-loop"
    """Its points for each one on a loop of track."""


class Symbol(NamedTuple):
    """Properties of a symbol except its drawing, its names in the UI and its effect.

    Attributes:
        letter: its notation in a grid, a capital; a colour's letter follows if it has one.
        name: its name in documents and code.
        is_coloured: whether each one has a colour; its points are then by colour.
        pays: its way of paying; unless that is ``NOTHING``, a level must state its ``points``.
        category: its row of the score column, empty if it pays nothing.
        costs: whether its points are never above 0.
        default_points: its points, or the numbers of its track, offered to the author of a level.
        on_rails: whether it may be on a rail level.
    """

    letter: str
    name: str
    is_coloured: bool = False
    pays: Pays = Pays.NOTHING
    category: str = ""
    costs: bool = False
    default_points: int | tuple[int, ...] = 0
    on_rails: bool = True


_ROWS: Final = (
    Symbol("G", "gem", True, Pays.EACH, "gems", default_points=2),
    Symbol("J", "puzzle", True, Pays.ALL, "puzzles", default_points=10),
    Symbol("F", "flag", True, Pays.TRACK, "flags", default_points=(10, 6, 3, 1)),
    Symbol("K", "key", True),
    Symbol("L", "lock", True),
    Symbol("B", "bomb", False, Pays.EXPLODED, "bombs", costs=True, default_points=-2),
    Symbol("H", "heap", False, Pays.EACH, "heaps", costs=True, default_points=-3),
    Symbol("R", "rocket", on_rails=False),
    Symbol("O", "rocket-planet", on_rails=False),
    Symbol("P", "planet", on_rails=False),
    Symbol("V", "volcano"),
    Symbol("S", "stop", False, Pays.ON_LOOP, "stops", default_points=4),
)
"""The table of symbols; its order is that of legends and lists."""

SYMBOLS: Final[Mapping[str, Symbol]] = {symbol.name: symbol for symbol in _ROWS}
"""The symbols by name, in the order of legends and lists."""

COLOURED_SYMBOLS: Final = tuple(symbol.name for symbol in _ROWS if symbol.is_coloured)
"""The symbols that have a colour."""

PAYING: Final[Mapping[str, Symbol]] = {
    symbol.name: symbol for symbol in _ROWS if symbol.pays is not Pays.NOTHING
}
"""The symbols whose points a level's document must state, by name."""


def _named(pays: Pays, *, is_coloured: bool) -> tuple[str, ...]:
    """Return the names of the symbols with this way of paying, with or without colours."""
    return tuple(
        symbol.name for symbol in _ROWS if symbol.pays is pays and symbol.is_coloured == is_coloured
    )


COLOURED_PAYING_EACH: Final = _named(Pays.EACH, is_coloured=True)
"""The coloured symbols that pay for each one crossed."""

PLAIN_PAYING_EACH: Final = _named(Pays.EACH, is_coloured=False)
"""The symbols without colour that pay or cost points for each one crossed."""

COLOURED_PAYING_ALL: Final = _named(Pays.ALL, is_coloured=True)
"""The coloured symbols that pay once when all of a colour are crossed."""

PAYING_BY_COLOUR: Final = (*COLOURED_PAYING_EACH, *COLOURED_PAYING_ALL)
"""The symbols with an amount of points for each colour."""

PLAIN_PAYING: Final = tuple(symbol for symbol in PAYING if symbol not in COLOURED_SYMBOLS)
"""The symbols without a colour that pay or cost points."""


def _column() -> Iterator[str]:
    """Yield the category of each row of the score column, from top to bottom."""
    for name in COLOURED_PAYING_EACH:
        yield SYMBOLS[name].category
    yield "lines"
    for name in COLOURED_PAYING_ALL:
        yield SYMBOLS[name].category
    yield "areas"
    for name in (*_named(Pays.TRACK, is_coloured=True), *PLAIN_PAYING_EACH):
        yield SYMBOLS[name].category
    yield SYMBOLS["bomb"].category
    yield "tracks"
    yield SYMBOLS["stop"].category


CATEGORIES: Final = tuple(_column())
"""The categories of points: the rows of the score column, from top to bottom."""

BY_CATEGORY: Final[Mapping[str, Symbol]] = {symbol.category: symbol for symbol in PAYING.values()}
"""The symbol of each row of the score column; lines, areas and tracks have none."""


def symbol_key(symbol: str, colour: str = "") -> str:
    """Return the key of a symbol in one of its colours, as in ``labels`` and reports.

    >>> symbol_key("gem", "yellow"), symbol_key("bomb")
    ('gem yellow', 'bomb')
    """
    return f"{symbol} {colour}" if colour else symbol


SYMBOL_BY_TOKEN: Final[Mapping[str, tuple[str, str]]] = {
    symbol.letter + letter: (symbol.name, colour)
    for symbol in _ROWS
    for letter, colour in (COLOURS if symbol.is_coloured else {"": ""}).items()
}
"""Symbol and colour by their notation in a grid: ``Gy`` is ``("gem", "yellow")``."""

SYMBOL_KEYS: Final = tuple(symbol_key(*found) for found in SYMBOL_BY_TOKEN.values())
"""The keys of all symbols in all their colours, in the order of the symbols."""

SYMBOL_PATTERN: Final = "(?:[{coloured}][{colours}]|[{plain}])".format(
    coloured="".join(symbol.letter for symbol in _ROWS if symbol.is_coloured),
    colours="".join(COLOURS),
    plain="".join(symbol.letter for symbol in _ROWS if not symbol.is_coloured),
)
"""Regular expression for the keys of `SYMBOL_BY_TOKEN`, without groups, for Python and scripts."""

TOKENS_OFF_RAILS: Final = frozenset(
    token for token, (name, _colour) in SYMBOL_BY_TOKEN.items() if not SYMBOLS[name].on_rails
)
"""The symbols that cannot be on a rail level, in their notation in a grid."""

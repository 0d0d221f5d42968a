"""Level: an immutable sheet layout, its fields as bit masks and their neighbours.

Fields are numbered in reading order, and a set of fields is a bit mask: an integer whose bit *i*
stands for ``level.fields[i]``, so "crossed and next to a die" is one ``&``. Names such as ``"c4"``
are used at the boundary only; `Level.mask` and `Level.names` convert between the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from math import ceil, floor
from typing import Any, Final, NamedTuple

from sheets.rules.house_rules import NO_HOUSE_RULES, HouseRules
from sheets.rules.symbols import COLOURED_SYMBOLS, SYMBOLS
from sheets.rules.tracks import NumberTrack

SHAPES: Final = ("NS", "EW", "NE", "ES", "SW", "NW")
"""The shapes of a piece of track, named by the two edges they join."""

MAX_PLAYERS: Final = 6
"""Maximum number of players of a level."""

MAX_DICE: Final = 30
"""Maximum number of dice of a roll."""

MAX_ROUNDS: Final = 50
"""Maximum number of rounds of a game."""

DICE: Final[Mapping[int, int]] = {1: 8, 2: 7, 3: 10, 4: 13}
"""`dice-count`: default number of dice by number of players."""

ROUNDS: Final[Mapping[int, int]] = {1: 10, 2: 6, 3: 4, 4: 3}
"""`round-count`: default number of rounds by number of players."""

RATINGS: Final = (41, 51, 61, 71, 81, 91)
"""`rating`: default minimum totals of the grades 1 to 6."""

EDGES: Final[Mapping[str, tuple[int, int]]] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""Offset of the neighbour across each edge: columns to the right, rows down."""

Texts = Mapping[str, str]
"""One text by language code; the key ``""`` stands for all languages."""


class Field(NamedTuple):
    """One square of the grid.

    ``column`` and ``row`` count from 0 at the top left; ``number`` is 1 to 6, or 0 where none is
    printed; ``symbol`` is the name of one of `symbols.SYMBOLS` or empty, ``colour`` a value of
    `symbols.COLOURS` or empty; ``printed`` says whether a cross is printed there.
    """

    name: str
    column: int
    row: int
    number: int
    symbol: str
    colour: str
    printed: bool


class Line(NamedTuple):
    """Fields that pay when all of them are crossed: a row, a column or a list of fields.

    ``fields`` is a mask; ``kind`` is ``row``, ``column`` or ``fields``; ``which`` is the number of
    the row (``"2"``), the letter of the column (``"c"``) or empty.
    """

    kind: str
    which: str
    fields: int
    points: int


class Area(NamedTuple):
    """A bordered area that pays ``points``, or, as a race, the numbers of ``race`` by rank.

    ``fields`` is a mask; ``race`` is empty if the area is no race.
    """

    fields: int
    points: int
    race: tuple[int, ...]


@cache
def format_field(column: int, row: int) -> str:
    """Return the name of a field; column and row count from 0.

    >>> format_field(2, 3)
    'c4'
    """
    return f"{chr(ord('a') + column)}{row + 1}"


def parse_field(name: str) -> tuple[int, int]:
    """Return the column and row of a field, both counted from 0; the inverse of `format_field`.

    >>> parse_field("c4")
    (2, 3)
    """
    return parse_column(name[0]), int(name[1:]) - 1


def parse_column(letter: str) -> int:
    """Return the index of a column, counted from 0, by its letter."""
    return ord(letter) - ord("a")


def bits(mask: int) -> Iterable[int]:
    """Iterate over the indexes of the fields in a mask, in reading order.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True, eq=False)
class Level:
    """One printed sheet layout; derived values are cached properties.

    Texts (``name``, ``about``, the values of ``labels``) are by language, see `Texts`. ``points``
    has an entry for each of `symbols.PLAIN_PAYING`, ``points_by_colour`` for each of
    `symbols.PAYING_BY_COLOUR`. ``shifts`` has one number per row, in field widths to the right.
    ``dice`` and ``rounds`` are by number of players, defaults included, and with ``repeat_last``
    already changed by the ``house_rules``. ``document`` is the ``dizzle-level/1`` document it was
    read from.
    """

    id: str
    name: Texts
    fields: tuple[Field, ...]
    columns: int
    rows: int
    document: Mapping[str, Any] = field(repr=False)
    about: Texts = field(default_factory=dict)
    author: str = ""
    difficulty: int = 0
    labels: Mapping[str, Texts] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    areas: tuple[Area, ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)
    points_by_colour: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    flag_tracks: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    repeat_last: bool = False
    rails: bool = False
    printed_tracks: Mapping[str, str] = field(default_factory=dict)
    shifts: tuple[float, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    walls: tuple[tuple[str, str], ...] = ()
    dice: Mapping[int, int] = field(default_factory=lambda: DICE)
    rounds: Mapping[int, int] = field(default_factory=lambda: ROUNDS)
    ratings: tuple[int, ...] = RATINGS
    house_rules: HouseRules = NO_HOUSE_RULES

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The possible numbers of players: those with both dice and rounds."""
        return tuple(n for n in range(1, MAX_PLAYERS + 1) if n in self.dice and n in self.rounds)

    def mask(self, names: Iterable[str]) -> int:
        """Return the mask of the named fields.

        Raises:
            KeyError: for a name the level does not have.
        """
        result = 0
        for name in names:
            result |= 1 << self.index[name]
        return result

    def names(self, mask: int) -> list[str]:
        """Return the names of the fields in a mask, by row, then column."""
        found: list[str] = []
        all_names = self._all_names
        while mask:  # `bits` inlined for speed: one score calls this a hundred times
            low = mask & -mask
            found.append(all_names[low.bit_length() - 1])
            mask ^= low
        return found

    @cached_property
    def _all_names(self) -> tuple[str, ...]:
        return tuple(f.name for f in self.fields)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The index of each field in ``fields``, by name."""
        return {f.name: i for i, f in enumerate(self.fields)}

    @cached_property
    def all(self) -> int:
        """The mask of all fields."""
        return (1 << len(self.fields)) - 1

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The printed number of each field, 0 where there is none."""
        return tuple(f.number for f in self.fields)

    @cached_property
    def with_number(self) -> tuple[int, ...]:
        """The masks of the fields by number; index 0 has the fields without a number."""
        result = [0] * 7
        for i, f in enumerate(self.fields):
            result[f.number] |= 1 << i
        return tuple(result)

    @cached_property
    def numbered(self) -> int:
        """The mask of the fields with a number."""
        return self.all & ~self.with_number[0]

    @cached_property
    def printed(self) -> int:
        """The mask of the fields with a printed cross or a printed track."""
        tracks = self.printed_tracks
        return sum(1 << i for i, f in enumerate(self.fields) if f.printed or f.name in tracks)

    @cached_property
    def by_symbol(self) -> Mapping[str, int]:
        """The mask of each symbol's fields, all colours together; every symbol has an entry.

        By the house rule ``no-bombs``, no field counts as a bomb.
        """
        result = dict.fromkeys(SYMBOLS, 0)
        for i, f in enumerate(self.fields):
            if f.symbol:
                result[f.symbol] |= 1 << i
        if self.house_rules.no_bombs:
            result["bomb"] = 0
        return result

    @cached_property
    def by_colour(self) -> Mapping[str, Mapping[str, int]]:
        """The masks of fields by coloured symbol, then by colour; only colours on this level."""
        result: dict[str, dict[str, int]] = {symbol: {} for symbol in COLOURED_SYMBOLS}
        for i, f in enumerate(self.fields):
            if f.symbol in result:
                colours = result[f.symbol]
                colours[f.colour] = colours.get(f.colour, 0) | 1 << i
        return result

    @cached_property
    def flags(self) -> tuple[NumberTrack, ...]:
        """The number track of each flag colour."""
        return tuple(
            self._track("flag", colour, -1, self.flag_tracks[colour], fields)
            for colour, fields in self.by_colour["flag"].items()
        )

    @cached_property
    def races(self) -> tuple[NumberTrack, ...]:
        """The number track of each race area."""
        return tuple(
            self._track("race", str(index), index, area.race, area.fields)
            for index, area in enumerate(self.areas)
            if area.race
        )

    @cached_property
    def number_tracks(self) -> Mapping[str, NumberTrack]:
        """All number tracks by their identifiers (`place_of`)."""
        return {track.place: track for track in (*self.flags, *self.races)}

    def _track(
        self, kind: str, key: str, area: int, numbers: tuple[int, ...], fields: int
    ) -> NumberTrack:
        unprinted = fields & ~self.printed
        return NumberTrack(kind, key, area, numbers, fields, unprinted, self.repeat_last)

    @cached_property
    def planets(self) -> int:
        """The mask of the fields a rocket can fly to."""
        return self.by_symbol["planet"] | self.by_symbol["rocket-planet"]

    @cached_property
    def rockets(self) -> int:
        """The mask of the fields that launch a rocket."""
        return self.by_symbol["rocket"] | self.by_symbol["rocket-planet"]

    @cached_property
    def crossable(self) -> int:
        """The mask of the fields that can be crossed: all but volcanoes."""
        return self.all & ~self.by_symbol["volcano"]

    @cached_property
    def edge_neighbours(self) -> tuple[int, ...]:
        """For each field, the mask of the fields it shares an edge with; ignores links and walls.

        In shifted rows, fields of neighbouring rows share an edge if they share at least half a
        side.
        """
        result = [0] * len(self.fields)
        shifts = self.shifts or (0.0,) * self.rows
        at = {(f.row, f.column): i for i, f in enumerate(self.fields)}
        # Offsets of the neighbours to the right and in the row below, by row: (rows, columns).
        steps = [[(0, 1)] for _ in shifts]
        for row, (shift, below) in enumerate(pairwise(shifts)):
            first, last = ceil(shift - below - 0.5), floor(shift - below + 0.5)
            steps[row] += [(1, step) for step in range(first, last + 1)]
        for i, f in enumerate(self.fields):
            for down, step in steps[f.row]:
                j = at.get((f.row + down, f.column + step))
                if j is not None:
                    result[i] |= 1 << j
                    result[j] |= 1 << i
        return tuple(result)

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """For each field, the mask of the fields it touches: by a link or an edge without wall."""
        result = list(self.edge_neighbours)
        for a, b in self.walls:
            result[self.index[a]] &= ~(1 << self.index[b])
            result[self.index[b]] &= ~(1 << self.index[a])
        for a, b in self.links:
            result[self.index[a]] |= 1 << self.index[b]
            result[self.index[b]] |= 1 << self.index[a]
        return tuple(result)

    @cached_property
    def near_printed(self) -> int:
        """The mask of the fields that touch a printed cross or track."""
        return self.touching(self.printed)

    @cached_property
    def track_neighbours(self) -> tuple[Mapping[str, int], ...]:
        """For each field, the indexes of the neighbours that a track can continue to, by edge."""
        walled = {frozenset(pair) for pair in self.walls}
        result: list[dict[str, int]] = []
        for f in self.fields:
            sides: dict[str, int] = {}
            for edge, (right, down) in EDGES.items():
                other = (
                    format_field(f.column + right, f.row + down) if f.column + right >= 0 else ""
                )
                if other in self.index and frozenset((f.name, other)) not in walled:
                    sides[edge] = self.index[other]
            result.append(sides)
        return tuple(result)

    def touching(self, mask: int) -> int:
        """Return the mask of all fields that touch a field of ``mask``."""
        neighbours = self.neighbours
        result = 0
        while mask:
            low = mask & -mask
            result |= neighbours[low.bit_length() - 1]
            mask ^= low
        return result

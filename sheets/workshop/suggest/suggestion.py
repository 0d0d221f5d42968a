"""Drawing of a suggested level from a wish and its seed.

The same wish results in the same level on every machine. The level passes every check of
`sheets.rules.design_warnings`: everything can be reached, every lock has its key, no two equal
numbers touch, and all numbers are about equally frequent. Rounds suit the size; points are a first
guess (see `tuning`). All outlines except ``coast`` have mirror symmetry, and so have their
symbols; a number on the right is 7 minus its mirror image on the left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any, Final, NamedTuple

from django.utils.translation import pgettext_lazy

from sheets.rules import parse_level
from sheets.rules.design_warnings import find_design_warnings
from sheets.rules.level import ROUNDS, format_field
from sheets.rules.symbols import PAYING, SYMBOL_BY_TOKEN, SYMBOLS
from sheets.text.languages import in_every_language
from sheets.workshop.suggest.goals import suggest_areas, suggest_lines
from sheets.workshop.suggest.outlines import OUTLINES, Place, draw_outline

ANY: Final = "any"
"""Value of ``outline`` for a random outline."""


class SuggestionRequest(NamedTuple):
    """Properties of the level to suggest; ``outline`` is one of `OUTLINES` or `ANY`.

    ``puzzles`` and ``keys`` count colours: a puzzle has four pieces, a key two locks. ``stops`` are
    for rails only, printed crosses, rockets and planets for other sheets. ``players`` is the
    maximum number of players, for whom the level states dice and rounds.
    """

    seed: int = 1
    outline: str = ANY
    columns: int = 8
    rows: int = 11
    starts: int = 2
    gems: int = 16
    puzzles: int = 2
    keys: int = 2
    flags: int = 1
    bombs: int = 2
    heaps: int = 2
    rockets: int = 0
    planets: int = 0
    volcanoes: int = 0
    stops: int = 0
    lines: int = 6
    areas: int = 0
    players: int = 4
    rails: bool = False


LIMITS: Final[Mapping[str, tuple[int, int]]] = {
    "seed": (0, 9999),
    "columns": (5, 12),
    "rows": (5, 14),
    "starts": (1, 4),
    "gems": (0, 40),
    "puzzles": (0, 3),
    "keys": (0, 4),
    "flags": (0, 3),
    "bombs": (0, 8),
    "heaps": (0, 8),
    "rockets": (0, 6),
    "planets": (0, 8),
    "volcanoes": (0, 4),
    "stops": (0, 8),
    "lines": (0, 12),
    "areas": (0, 6),
    "players": (4, 6),
}
"""Minimum and maximum of each number."""


class CannotSuggest(ValueError):
    """Refusal of a wish for which no level can be suggested.

    ``key`` is the property concerned, or empty. ``reason`` is ``out-of-range`` (the property is not
    within `LIMITS`), ``crowded`` (more symbols than the sheet has room for), ``rails`` (the symbol
    is impossible with tracks, or without), ``rockets`` (rockets without planets, or planets without
    rockets) or ``no-luck`` (no attempt passed the checks; another seed may help).
    """

    def __init__(self, reason: str, key: str = "") -> None:
        super().__init__(reason, key)
        self.reason = reason
        self.key = key


MAX_TRIES: Final = 60
"""Maximum number of attempts to draw a level."""

MAX_COVERED: Final = 0.66
"""Maximum share of fields with a symbol."""

PIECES: Final = 4
"""Number of pieces of a puzzle."""

LOCKS: Final = 2
"""Number of locks of a key."""

GEMS: Final = ("Gp", "Gy", "Gy", "Go", "Gp")
"""Cycle from which the gems are taken, so that those that pay little are the most frequent."""

COLOUR_ORDERS: Final = {"K": "rbgp", "L": "rbgp", "J": "gbo", "F": "ryb"}
"""Letters of the colours of other symbols, in the order in which they are used."""

GEM_POINTS: Final = {"purple": 1, "yellow": 2, "orange": 3}
"""Points of a gem, by colour."""

FLAG_POINTS: Final = {"red": [10, 6, 3, 1], "yellow": [8, 6, 4, 2], "blue": [7, 5, 3, 1]}
"""Numbers of a flag's track, by colour."""

PREFERRED_DISTANCES: Final[Mapping[str, float]] = {
    "Go": 0.85, "Gy": 0.5, "Gp": 0.6, "K": 0.35, "L": 0.75, "F": 1.0, "B": 0.55, "H": 0.6,
    "R": 0.5, "P": 0.8, "J": 0.5, "V": 1.0, "S": 0.6,
}  # fmt: skip
"""Preferred distance of a symbol from the starts, by its token or letter (see `_distances`)."""

REFERENCE_FIELDS: Final = 76
"""Number of fields of a sheet for which the usual numbers of rounds are suitable."""

DICE_AND_ROUNDS: Final = {5: (16, 2), 6: (19, 2)}
"""Dice and rounds by number of players, where the rules name none."""

TITLES: Final = {
    "full": pgettext_lazy("name of a level", "Board"),
    "rounded": pgettext_lazy("name of a level", "Island"),
    "castle": pgettext_lazy("name of a level", "Towers"),
    "ring": pgettext_lazy("name of a level", "Lake"),
    "hourglass": pgettext_lazy("name of a level", "Hourglass"),
    "tree": pgettext_lazy("name of a level", "Fir"),
    "coast": pgettext_lazy("name of a level", "Coast"),
}
"""Names of suggested levels by outline; the seed is appended to them."""


def draw_suggestion(wanted: SuggestionRequest) -> dict[str, Any]:
    """Return a finished ``dizzle-level/1`` document, not tuned yet.

    Raises:
        CannotSuggest: for any of its reasons.
    """
    _check(wanted)
    is_crowded = True
    for attempt in range(MAX_TRIES):
        random = Random(f"{wanted.seed}/{attempt}")  # noqa: S311  a drawing, no secret
        sheet = _Attempt(wanted, random)
        if not sheet.has_room:
            continue
        is_crowded = False
        document = sheet.document()
        if document and not find_design_warnings(parse_level(document)):
            return document
    raise CannotSuggest("crowded" if is_crowded else "no-luck")


def _check(wanted: SuggestionRequest) -> None:
    for key, (least, most) in LIMITS.items():
        if not least <= getattr(wanted, key) <= most:
            raise CannotSuggest("out-of-range", key)
    if wanted.outline not in (ANY, *OUTLINES):
        raise CannotSuggest("out-of-range", "outline")
    if bool(wanted.rockets) != bool(wanted.planets):
        raise CannotSuggest("rockets", "planets" if wanted.rockets else "rockets")
    if wanted.rails and (wanted.rockets or wanted.volcanoes):
        raise CannotSuggest("rails", "rockets" if wanted.rockets else "volcanoes")
    if wanted.stops and not wanted.rails:
        raise CannotSuggest("rails", "stops")


class _Attempt:
    """One attempt to draw a level: outline, starts, symbols and numbers, in that order."""

    def __init__(self, wanted: SuggestionRequest, random: Random) -> None:
        self.wanted = wanted
        self.random = random
        self.outline = wanted.outline
        if self.outline == ANY:
            self.outline = random.choice(tuple(OUTLINES))
        self.places = draw_outline(self.outline, wanted.columns, wanted.rows, random)
        self.is_mirrored = self.outline != "coast"
        self.starts = self._choose_starts()
        self.distances = self._distances()
        self.symbols: dict[Place, str] = {}
        self.numbers: dict[Place, int] = {}

    @property
    def has_room(self) -> bool:
        """Whether the wished symbols and starts leave enough fields without symbols."""
        wished = sum(1 for _ in self._wanted_symbols()) + len(self.starts)
        return wished <= MAX_COVERED * len(self.places)

    def document(self) -> dict[str, Any] | None:
        """Return the level, or None if this attempt has failed."""
        wishes = list(self._wanted_symbols())
        for group in self._pairs(wishes) if self.is_mirrored else [[wish] for wish in wishes]:
            if not self._place_symbols(group):
                return None
        if not self._fill_numbers():
            return None
        bare = {at for at, symbol in self.symbols.items() if symbol in ("B", "V")}
        mirror = self.mirror if self.is_mirrored else None
        lines = suggest_lines(self.places, self.distances, bare, self.wanted.lines, self.random)
        areas = suggest_areas(
            self.places,
            self.distances,
            bare | self.starts,
            self.wanted.areas,
            self.random,
            mirror=mirror,
        )
        return {
            "format": "dizzle-level/1",
            "id": f"suggested-{self.wanted.seed}",
            "name": {
                language: f"{title} {self.wanted.seed}"
                for language, title in in_every_language(TITLES[self.outline]).items()
            },
            "grid": list(self._rows()),
            **({"lines": lines} if lines else {}),
            **({"areas": areas} if areas else {}),
            **self._marks(),
            **self._points(),
            **self._counts(),
        }

    def mirror(self, place: Place) -> Place:
        """Return the square at the mirrored position, which may be outside of the outline."""
        return self.wanted.columns - 1 - place[0], place[1]

    def _near(self, place: Place) -> list[Place]:
        x, y = place
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [near for near in around if near in self.places]

    def _choose_starts(self) -> set[Place]:
        """Choose the squares of the starts: near the middle, not adjacent, with many neighbours."""
        middle_x, middle_y = (self.wanted.columns - 1) / 2, (self.wanted.rows - 1) / 2
        chosen: set[Place] = set()

        def rank(place: Place) -> float:
            x, y = place
            away = abs(x - middle_x) + abs(y - middle_y)
            return abs(away - 1.5) - len(self._near(place)) + self.random.random() * 1.5

        for place in sorted(self.places, key=lambda place: (rank(place), place)):
            if all(abs(place[0] - x) + abs(place[1] - y) > 2 for x, y in chosen):
                chosen.add(place)
            if len(chosen) == self.wanted.starts:
                break
        return chosen

    def _distances(self) -> dict[Place, float]:
        """Return each square's distance from the nearest start; the farthest square has 1."""
        steps = dict.fromkeys(self.starts, 0)
        border = sorted(self.starts)
        for place in border:
            for near in self._near(place):
                if near not in steps:
                    steps[near] = steps[place] + 1
                    border.append(near)
        most = max(steps.values()) or 1
        return {place: count / most for place, count in steps.items()}

    def _wanted_symbols(self) -> Iterator[str]:
        """Yield the wished symbols as tokens; those that suit the fewest squares come first."""
        wanted = self.wanted
        yield from ["V"] * wanted.volcanoes
        for letter, count, times in (
            ("F", wanted.flags, 1),
            ("K", wanted.keys, 1),
            ("L", wanted.keys, LOCKS),
        ):
            for _ in range(times):
                yield from (letter + colour for colour in COLOUR_ORDERS[letter][:count])
        yield from ["P"] * wanted.planets + ["R"] * wanted.rockets + ["S"] * wanted.stops
        yield from ["B"] * wanted.bombs + ["H"] * wanted.heaps
        for _ in range(PIECES):
            yield from ("J" + colour for colour in COLOUR_ORDERS["J"][: wanted.puzzles])
        yield from sorted(GEMS[i % len(GEMS)] for i in range(wanted.gems))

    def _pairs(self, wishes: Iterable[str]) -> Iterator[list[str]]:
        """Yield pairs of symbols for mirrored squares: equal ones, then two colours of one kind.

        A symbol without a partner is yielded alone.
        """
        left = Counter(wishes)
        for wish, count in left.items():
            for _ in range(count // 2):
                yield [wish, wish]
        singles = [wish for wish, count in left.items() if count % 2]
        while singles:
            first = singles.pop(0)
            alike = [wish for wish in singles if wish[0] == first[0] and first[0] != "F"]
            if alike:
                singles.remove(alike[0])
            yield [first, *alike[:1]]

    def _place_symbols(self, group: list[str]) -> bool:
        """Put one symbol, or two on mirrored squares, where it fits best; False without room."""
        candidates = []
        for place in self._free():
            twin = self.mirror(place)
            if len(group) == 2 and (twin <= place or twin not in self.places):
                continue
            if len(group) == 2 and (twin in self.starts or twin in self.symbols):
                continue
            candidates.append(place)
        if not candidates:
            return False
        best = max(candidates, key=lambda place: (self._suitability(place, group[0]), place))
        self.symbols[best] = group[0]
        if len(group) == 2:
            self.symbols[self.mirror(best)] = group[1]
        return True

    def _free(self) -> list[Place]:
        return sorted(self.places - self.starts - set(self.symbols))

    def _suitability(self, place: Place, wish: str) -> float:
        """Return how well a square suits a symbol, by its distance and the symbols around it."""
        far = PREFERRED_DISTANCES.get(wish) or PREFERRED_DISTANCES[wish[0]]
        same = [at for at, symbol in self.symbols.items() if symbol == wish]
        apart = min((abs(x - place[0]) + abs(y - place[1]) for x, y in same), default=4)
        crowd = sum(near in self.symbols for near in self._near(place))
        edge = wish == "V" and len(self._near(place)) < 3
        return (
            -2 * abs(self.distances[place] - far)
            + 0.25 * min(apart, 4)
            - 0.2 * crowd
            - 0.6 * edge
            - 0.8 * (self.is_mirrored and len(same) == 0 and place == self.mirror(place))
            + 0.5 * self.random.random()
        )

    def _fill_numbers(self) -> bool:
        """Give each field a number that no neighbour has; return False if that is impossible.

        Numbers that are rare so far are preferred.
        """
        numberless = {at for at, symbol in self.symbols.items() if symbol == "V"}
        planets = sorted(at for at, symbol in self.symbols.items() if symbol == "P")
        if len(planets) > 2:
            numberless.add(self.random.choice(planets))
        used: Counter[int] = Counter()
        for place in sorted(self.places, key=lambda at: (at[1], at[0])):
            if place in numberless or place in self.numbers:
                continue
            twin = self.mirror(place)
            has_twin = self.is_mirrored and twin in self.places and twin != place
            taken = {self.numbers.get(near) for near in self._near(place)}
            if has_twin:
                taken |= {7 - self.numbers[n] for n in self._near(twin) if n in self.numbers}
            x, y = place
            corners = [self.numbers.get((x + dx, y - 1)) for dx in (-1, 1)]
            free = [number for number in range(1, 7) if number not in taken]
            if not free:
                return False
            number = min(
                free,
                key=lambda n: used[n] + corners.count(n) * 0.9 + self.random.random(),
            )
            self.numbers[place] = number
            used[number] += 1
            if has_twin and twin not in numberless:
                self.numbers[twin] = 7 - number
                used[7 - number] += 1
        return True

    def _rows(self) -> Iterator[str]:
        for y in range(self.wanted.rows):
            row = (self._token((x, y)) for x in range(self.wanted.columns))
            yield " ".join(f"{token:<3}" for token in row).rstrip()

    def _token(self, place: Place) -> str:
        if place not in self.places:
            return "."
        printed = "x" if place in self.starts and not self.wanted.rails else ""
        return f"{self.numbers.get(place, '-')}{printed}{self.symbols.get(place, '')}"

    def _marks(self) -> dict[str, Any]:
        if not self.wanted.rails:
            return {}
        tracks = {}
        for place in sorted(self.starts, key=lambda at: (at[1], at[0])):
            sideways = sum(near[1] == place[1] for near in self._near(place))
            tracks[format_field(*place)] = "EW" if sideways == 2 else "NS"
        return {"marks": "tracks", "tracks": tracks}

    def _points(self) -> dict[str, Any]:
        """Return the points of the symbols on the sheet."""
        on_sheet = set(self.symbols.values())
        by_colour = [
            SYMBOL_BY_TOKEN[s] for s in ("Gp", "Gy", "Go", *sorted(on_sheet)) if s in on_sheet
        ]
        gems = {colour: GEM_POINTS[colour] for symbol, colour in by_colour if symbol == "gem"}
        usual = SYMBOLS["puzzle"].default_points
        puzzles = {colour: usual for symbol, colour in by_colour if symbol == "puzzle"}
        flags = {colour: FLAG_POINTS[colour] for symbol, colour in by_colour if symbol == "flag"}
        amounts = {"gem": gems, "puzzle": puzzles, "flag": flags}
        points: dict[str, Any] = {symbol: found for symbol, found in amounts.items() if found}
        points |= {
            symbol.name: symbol.default_points
            for symbol in PAYING.values()
            if not symbol.is_coloured and symbol.letter in on_sheet
        }
        return {"points": points} if points else {}

    def _counts(self) -> dict[str, Any]:
        """Return dice and rounds for 5 and 6 players, and all rounds for an unusual size."""
        dice = {str(n): DICE_AND_ROUNDS[n][0] for n in DICE_AND_ROUNDS if n <= self.wanted.players}
        rounds = {n: DICE_AND_ROUNDS[n][1] for n in DICE_AND_ROUNDS if n <= self.wanted.players}
        size = len(self.places) / REFERENCE_FIELDS
        if not 0.75 < size < 1.3:
            rounds = {n: max(2, round(count * size)) for n, count in ({**ROUNDS} | rounds).items()}
        counts = {"dice": dice, "rounds": {str(n): count for n, count in rounds.items()}}
        return {key: found for key, found in counts.items() if found}

"""What do games add up to that are alike in year, level, number of players and kind?

Such bundles add up to each other in any order, so that a page of any choice of games is made of
some of them. What depends on the order of games (streaks, ratings) is not in them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct, field

from sheets.groups.crosses import counts_of
from sheets.groups.sums import OneResult, Sums, add_results, unite
from sheets.rules import Level

EVERYBODY: Final = 0
"""Beside the primary keys of players, what is everybody's."""


class Seat(NamedTuple):
    """A result as it is kept in `GroupResult`, with what `GroupGame` has of its game."""

    result: int
    game: int
    number: int
    played: datetime
    evening: date
    seconds: int | None
    player: int | None
    label: str
    place: int
    won: float
    chance: float
    total: int | None
    parts: Mapping[str, int]
    kind: str
    level: str
    grade: int | None
    crossed: str


class Best(Struct, array_like=True):
    """The most of something, and the first result that had it."""

    points: int
    played: datetime
    result: int
    when: date

    @property
    def rank(self) -> tuple[int, datetime, int]:
        """The lower, the better."""
        return -self.points, self.played, self.result


class Timed(Struct, array_like=True):
    """A game of which is known how long it took."""

    seconds: int
    number: int


class Close(Struct, array_like=True):
    """How far the first two of a game were apart, and which results they are."""

    gap: int
    evening: date
    played: datetime
    first: int
    second: int

    @property
    def rank(self) -> tuple[int, date, datetime, int]:
        """The lower, the closer."""
        return self.gap, self.evening, self.played, self.first


class Bundle(Struct, omit_defaults=True):
    """What some games of one level add up to.

    Of the sheets of people, with or without a name: how many had which of the ``totals``, and the
    ``best``, by category of points, empty for the total. ``crossed`` is in the order of the
    level's fields, from so many ``crossed_sheets``. By player, or `EVERYBODY`: the points that
    bombs and heaps have ``lost``, and the ``closest`` game. ``people`` are those of the group.
    """

    games: int = 0
    totals: dict[int, int] = field(default_factory=dict)
    best: dict[str, Best] = field(default_factory=dict)
    timed: int = 0
    longest: Timed | None = None
    shortest: Timed | None = None
    crossed_games: int = 0
    crossed_sheets: int = 0
    crossed: list[int] = field(default_factory=list)
    lost: dict[int, int] = field(default_factory=dict)
    closest: dict[int, Close] = field(default_factory=dict)
    people: dict[int, Sums] = field(default_factory=dict)


_encoder: Final = msgspec.json.Encoder()
_decoder: Final = msgspec.json.Decoder(Bundle)


def format_bundle(bundle: Bundle) -> str:
    """A bundle as it is stored."""
    return _encoder.encode(bundle).decode()


def read_bundle(text: str) -> Bundle:
    """A stored bundle."""
    return _decoder.decode(text)


def bundle_of(games: Iterable[Sequence[Seat]], level: Level | None) -> Bundle:
    """What games add up to, each with its results as they were placed; of one level, if known."""
    found = Bundle()
    people: defaultdict[int, Sums] = defaultdict(Sums)
    sheets: list[str] = []
    for seats in games:
        found.games += 1
        _add_time(found, seats[0])
        _add_people(people, seats)
        _add_closest(found, seats)
        for seat in seats:
            _add_sheet(found, seat)
        crossed = [seat.crossed for seat in seats if seat.crossed]
        found.crossed_games += bool(level and crossed)
        sheets += crossed
    if level and sheets:
        found.crossed_sheets, found.crossed = len(sheets), counts_of(level, sheets)
    for mine in people.values():  # what depends on the order
        mine.run, mine.longest, mine.longest_on, mine.totals = 0, 0, None, []
    found.people = dict(people)
    return found


def together(bundles: Iterable[Bundle]) -> Bundle:
    """What several bundles add up to, without crosses, which may be of several levels."""
    found = Bundle()
    people: defaultdict[int, Sums] = defaultdict(Sums)
    for one in bundles:
        found.games += one.games
        for total, count in one.totals.items():
            found.totals[total] = found.totals.get(total, 0) + count
        for category, best in one.best.items():
            _keep_best(found, category, best)
        found.timed += one.timed
        if one.longest and one.shortest:
            _keep_time(found, one.longest)
            _keep_time(found, one.shortest)
        for player, points in one.lost.items():
            found.lost[player] = found.lost.get(player, 0) + points
        for player, close in one.closest.items():
            _keep_close(found, player, close)
        for player, sums in one.people.items():
            unite(people[player], sums)
    found.people = dict(people)
    return found


def _add_time(found: Bundle, seat: Seat) -> None:
    if seat.seconds is not None:
        found.timed += 1
        _keep_time(found, Timed(seat.seconds, seat.number))


def _keep_time(found: Bundle, one: Timed) -> None:
    longest, shortest = found.longest or one, found.shortest or one
    found.longest = min(one, longest, key=lambda game: (-game.seconds, game.number))
    found.shortest = min(one, shortest, key=lambda game: (game.seconds, game.number))


def _add_people(people: Mapping[int, Sums], seats: Sequence[Seat]) -> None:
    known = [
        OneResult(
            *(seat.game, seat.player, seat.place, seat.won, seat.chance, seat.total, seat.parts),
            *(seat.evening, seat.kind, seat.level, seat.grade),
        )
        for seat in seats
        if seat.player is not None
    ]
    if known:
        add_results(people, known)


def _add_closest(found: Bundle, seats: Sequence[Seat]) -> None:
    """The game with others in which the first two were nearest to each other, and not even."""
    several = [seat for seat in seats if seat.chance < 1 and seat.total is not None]
    if len(several) < 2:
        return
    first, second = several[:2]
    gap = (first.total or 0) - (second.total or 0)
    if gap > 0:
        close = Close(gap, first.evening, first.played, first.result, second.result)
        for player in {EVERYBODY, *(seat.player for seat in seats if seat.player is not None)}:
            _keep_close(found, player, close)


def _keep_close(found: Bundle, player: int, close: Close) -> None:
    found.closest[player] = min(close, found.closest.get(player, close), key=lambda one: one.rank)


def _add_sheet(found: Bundle, seat: Seat) -> None:
    if seat.label:  # a bot
        return
    lost = sum(min(0, seat.parts.get(part, 0)) for part in ("bombs", "heaps"))
    if lost:
        for player in {EVERYBODY, seat.player or EVERYBODY}:
            found.lost[player] = found.lost.get(player, 0) + lost
    if seat.total is None:
        return
    found.totals[seat.total] = found.totals.get(seat.total, 0) + 1
    for category, points in (("", seat.total), *seat.parts.items()):
        _keep_best(found, category, Best(points, seat.played, seat.result, seat.evening))


def _keep_best(found: Bundle, category: str, best: Best) -> None:
    found.best[category] = min(best, found.best.get(category, best), key=lambda one: one.rank)

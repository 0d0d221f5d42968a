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


class Holder(Struct, array_like=True, order=True):
    """A result that had the most of something; ``player`` is `EVERYBODY` without a name."""

    played: datetime
    result: int
    when: date
    player: int


class Best(Struct, array_like=True):
    """The most of something, and each player's first result that had it, the first one first."""

    points: int
    holders: list[Holder]


class Timed(Struct, array_like=True):
    """A game of which is known how long it took."""

    seconds: int
    number: int


class Close(Struct, array_like=True):
    """How far the first two of a game were apart, and which results they are.

    ``games`` are those in which the gap was as small; this is the first of them.
    """

    gap: int
    evening: date
    played: datetime
    first: int
    second: int
    games: int = 1


class Bundle(Struct, omit_defaults=True):
    """What some games of one level add up to.

    Of the sheets of people, with or without a name: how many had which of the ``totals``, and the
    ``best``, by category of points, empty for the total. ``crossed`` is in the order of the
    level's fields, from so many ``crossed_sheets``. By player, or `EVERYBODY`: the points that
    bombs and heaps have ``lost``, and the ``closest`` game of those in which they were among the
    first two. ``people`` are those of the group.
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
            *(seat.evening, seat.kind, seat.level, seat.grade, seat.chance < 1),
        )
        for seat in seats
        if seat.player is not None
    ]
    if known:
        add_results(people, known)


def _add_closest(found: Bundle, seats: Sequence[Seat]) -> None:
    """The game with others in which the first two were nearest to each other, and not even."""
    totals = [seat.total for seat in seats if seat.total is not None]
    if len(seats) < 2 or len(totals) < len(seats):
        return
    first, gap = seats[0], totals[0] - totals[1]
    if gap > 0:
        seconds = [seat for seat in seats if seat.total == totals[1]]
        for player, second in [
            (EVERYBODY, seconds[0]),
            (first.player, seconds[0]),
            *((seat.player, seat) for seat in seconds),
        ]:
            if player is not None:
                close = Close(gap, first.evening, first.played, first.result, second.result)
                _keep_close(found, player, close)


def _keep_close(found: Bundle, player: int, close: Close) -> None:
    known = found.closest.get(player)
    if known is None or close.gap < known.gap:
        found.closest[player] = close
    elif close.gap == known.gap:
        first = min(known, close, key=lambda one: (one.evening, one.played, one.first))
        games = known.games + close.games
        found.closest[player] = msgspec.structs.replace(first, games=games)


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
        holder = Holder(seat.played, seat.result, seat.evening, seat.player or EVERYBODY)
        _keep_best(found, category, Best(points, [holder]))


def _keep_best(found: Bundle, category: str, best: Best) -> None:
    known = found.best.get(category)
    if known is None or best.points > known.points:
        found.best[category] = best
    elif best.points == known.points:
        # Of one player the first result counts, of people without a name the first of all.
        latest_first = sorted([*known.holders, *best.holders], reverse=True)
        by_player = {holder.player: holder for holder in latest_first}
        found.best[category] = Best(best.points, sorted(by_player.values()))


def leave_out_matches(found: Bundle) -> None:
    """Have a bundle's games count as no games with others."""
    found.closest = {}
    for mine in found.people.values():
        mine.matches, mine.wins, mine.chances = 0, 0.0, 0.0

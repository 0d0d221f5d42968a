"""What adds up of somebody's games, one after the other? Also how strong they are by now.

Strength is a rating after Weng and Lin for games of two and more, by the order in which those whom
the group knows came in: bots and people without a name have no rating that one could win against.
Whoever shares a place has played even.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from math import log, sqrt
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct, field
from openskill.models import PlackettLuce

MODEL: Final = PlackettLuce()

BEGINNING: Final = 1500
"""The rating of somebody who has not played yet."""

PER_UNIT: Final = 400 / (log(10) * sqrt(2) * MODEL.beta)
"""So many points are a unit of the model: 400 points apart are ten wins to one, as in Elo's."""

SURE: Final = 1.96
"""So many standard deviations around a rating hold the true one in 95 of 100 cases."""

GRADES: Final = 7


class OneResult(NamedTuple):
    """How somebody did in a game: what is kept of it in `GroupResult` and `GroupGame`.

    ``is_match``: it counts as a game with others.
    """

    game: int
    player: int
    place: int
    won: float
    chance: float
    total: int | None
    parts: Mapping[str, int]
    evening: date
    kind: str
    level: str
    grade: int | None
    is_match: bool


class OnLevel(Struct, array_like=True):
    """Somebody's games on a level: the best one, and its evening."""

    games: int
    points: int
    best: int
    when: date


class Met(Struct, array_like=True):
    """The games of two: how often the one was ahead, and the other was."""

    games: int = 0
    ahead: int = 0
    behind: int = 0


class Rating(NamedTuple):
    """How strong somebody is, in points, after so many games; the true value is ``within``."""

    points: int
    within: int
    games: int


class Strength(Struct, array_like=True):
    """A rating in the model's units, after ``games`` games up to an evening."""

    day: date
    mu: float
    sigma: float
    games: int

    @property
    def rating(self) -> Rating:
        """In points, 1,500 at the beginning; a last figure would say nothing."""
        points = BEGINNING + (self.mu - MODEL.mu) * PER_UNIT
        return Rating(_in_tens(points), max(10, _in_tens(SURE * self.sigma * PER_UNIT)), self.games)


def _in_tens(points: float) -> int:
    return round(points / 10) * 10


class Sums(Struct, omit_defaults=True):
    """All that adds up, and what happened in the last month with a game.

    ``matches`` are the games with others, ``chances`` the sum of what luck alone would have won of
    them. ``run`` are the wins in a row until now, ``longest`` the most there were, up to the
    evening ``longest_on``. ``split`` are the games of which is known what the points were for,
    ``parts`` the sums of these. ``alone`` are the levels of solo games, ``grades`` how often each
    was reached. ``met`` is by the primary key of the other. Of the month are the ``totals``, and
    the ``strengths`` after each evening.
    """

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    rated: int = 0
    games: int = 0
    matches: int = 0
    wins: float = 0.0
    chances: float = 0.0
    run: int = 0
    longest: int = 0
    longest_on: date | None = None
    split: int = 0
    parts: dict[str, int] = field(default_factory=dict)
    levels: dict[str, OnLevel] = field(default_factory=dict)
    alone: dict[str, OnLevel] = field(default_factory=dict)
    grades: list[int] = field(default_factory=lambda: [0] * GRADES)
    met: dict[int, Met] = field(default_factory=dict)
    totals: list[int] = field(default_factory=list)
    strengths: list[Strength] = field(default_factory=list)

    @property
    def rating(self) -> Rating:
        """How strong somebody is by now."""
        return Strength(date.max, self.mu, self.sigma, self.rated).rating


_encoder: Final = msgspec.json.Encoder()
_decoder: Final = msgspec.json.Decoder(Sums)


def format_sums(sums: Sums) -> str:
    """Sums as they are stored."""
    return _encoder.encode(sums).decode()


def read_sums(text: str) -> Sums:
    """Stored sums."""
    return _decoder.decode(text)


def add_game(sums: Mapping[int, Sums], results: Sequence[OneResult]) -> None:
    """Add a game to the sums of those who were in it, by player."""
    places = add_results(sums, results)
    if len(places) > 1:
        _rate(sums, places, results[0].evening)


def add_results(sums: Mapping[int, Sums], results: Sequence[OneResult]) -> Mapping[int, int]:
    """The same without ratings, for which it matters what was before; gives everybody's place."""
    for one in results:
        _add_result(sums[one.player], one)
    # Two sheets of one name are one person, who is where the better one is.
    places: dict[int, int] = {}
    for one in results:
        places[one.player] = min(one.place, places.get(one.player, one.place))
    if len(places) > 1:
        _meet(sums, places)
    return places


def add_match(mine: Sums, won: float, evening: date) -> None:
    """A game with others goes on with a row of wins, or ends it, as a shared win does, too."""
    mine.run = mine.run + 1 if won == 1 else 0
    if mine.run and mine.run >= mine.longest:
        mine.longest, mine.longest_on = mine.run, evening


def unite(mine: Sums, more: Sums) -> None:
    """Add what does not depend on the order of games; ``more`` stays as it is."""
    mine.games += more.games
    mine.matches += more.matches
    mine.wins += more.wins
    mine.chances += more.chances
    mine.split += more.split
    for part, points in more.parts.items():
        mine.parts[part] = mine.parts.get(part, 0) + points
    _unite_levels(mine.levels, more.levels)
    _unite_levels(mine.alone, more.alone)
    mine.grades = [one + other for one, other in zip(mine.grades, more.grades, strict=True)]
    for other, games in more.met.items():
        met = mine.met.setdefault(other, Met())
        met.games += games.games
        met.ahead += games.ahead
        met.behind += games.behind


def _unite_levels(levels: dict[str, OnLevel], more: Mapping[str, OnLevel]) -> None:
    for digest, other in more.items():
        mine = levels.get(digest)
        if mine is None:
            levels[digest] = OnLevel(other.games, other.points, other.best, other.when)
            continue
        if (-other.best, other.when) < (-mine.best, mine.when):
            mine.best, mine.when = other.best, other.when
        mine.games += other.games
        mine.points += other.points


def _add_result(mine: Sums, one: OneResult) -> None:
    mine.games += 1
    if one.is_match:
        mine.matches += 1
        mine.wins += one.won
        mine.chances += one.chance
        add_match(mine, one.won, one.evening)
    if one.total is None:
        return
    mine.totals.append(one.total)
    # What was typed has a total only.
    if one.kind != "typed" and sum(one.parts.values()) == one.total:
        mine.split += 1
        for part, points in one.parts.items():
            mine.parts[part] = mine.parts.get(part, 0) + points
    if one.level:
        _add_level(mine.levels, one, one.total)
    if one.chance == 1:
        if one.level:
            _add_level(mine.alone, one, one.total)
        if one.grade is not None and one.grade < GRADES:
            mine.grades[one.grade] += 1


def _add_level(levels: dict[str, OnLevel], one: OneResult, total: int) -> None:
    before = levels.get(one.level)
    if before is None:
        levels[one.level] = OnLevel(1, total, total, one.evening)
        return
    before.games += 1
    before.points += total
    if total > before.best:
        before.best, before.when = total, one.evening


def _rate(sums: Mapping[int, Sums], places: Mapping[int, int], day: date) -> None:
    teams = [[MODEL.rating(mu=sums[player].mu, sigma=sums[player].sigma)] for player in places]
    rated = MODEL.rate(teams, ranks=[float(place) for place in places.values()])
    for player, (after,) in zip(places, rated, strict=True):
        mine = sums[player]
        mine.mu, mine.sigma, mine.rated = after.mu, after.sigma, mine.rated + 1
        if mine.strengths and mine.strengths[-1].day == day:
            mine.strengths.pop()
        mine.strengths.append(Strength(day, mine.mu, mine.sigma, mine.rated))


def _meet(sums: Mapping[int, Sums], places: Mapping[int, int]) -> None:
    for player, place in places.items():
        for other, others in places.items():
            if other != player:
                met = sums[player].met.setdefault(other, Met())
                met.games += 1
                met.ahead += place < others
                met.behind += place > others

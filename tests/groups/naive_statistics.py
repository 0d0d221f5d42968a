"""Reference implementation of a group's statistics, computed from the list of its games.

It uses neither the database nor the code of the pages: an independent second implementation, slow
and as simple as possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from math import log, sqrt
from typing import Final, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from tests.groups.simulated_family import FamilyGame, Seat

MIN_GAMES: Final = 5
"""Minimum number of games for means, shares and ratings."""

Games = Sequence[FamilyGame]
"""Games of a group, in the order in which they were added."""

WEEK: Final = tuple(date(2024, 1, day).strftime("%A") for day in range(1, 8))
"""Names of the weekdays, from Monday."""


class Line(NamedTuple):
    """Figures of a player, as pages show them; None where a page shows nothing.

    ``expected_percent`` is the expected share of wins by chance, ``low`` and ``high`` bound the
    95 % confidence interval of the share of wins, all in percent.
    """

    games: int
    wins: float | None
    mean: float | None
    best: int | None
    worst: int | None
    share: float | None
    expected_percent: float | None
    low: float | None
    high: float | None
    says: str | None
    last: list[int]


class OnLevel(NamedTuple):
    """Figures of a level on a player's page; None where the page shows nothing.

    ``others`` is the mean of the other players of the group on the level.
    """

    games: int
    mean: float | None
    best: int | None
    when: date | None
    others: float | None


class Strength(NamedTuple):
    """A rating after an evening and a number of games, in points, with its error margin."""

    day: date
    games: int
    points: int
    within: int


class Year(NamedTuple):
    """Yearly review of a group or of a player; 0 and empty where the page shows nothing.

    Ties are all included: in ``best_of``, ``streak_of`` and ``pairs``, and in ``days``, the
    weekdays in their order. ``closest`` is the smallest gap in points between the first two of a
    game, ``as_close`` the number of games with this gap.
    """

    games: int
    evenings: int
    best: int | None
    best_in: tuple[str, date, str] | None
    best_of: list[str]
    wins: float
    matches: int
    streak: int
    streak_of: set[str]
    together: int
    pairs: list[set[str]]
    closest: int
    as_close: int
    lost: int
    weekday: int
    days: list[str]
    levels: dict[str, int]


def order(games: Games) -> list[FamilyGame]:
    """Return the games in the order in which they were played, and at one moment were added."""
    return sorted(games, key=lambda game: game.when)


def over(games: Games) -> list[FamilyGame]:
    """Return the games that are over."""
    return [game for game in games if game.is_over]


def parts_of_win(game: FamilyGame) -> list[float]:
    """Return the share of the win of each seat; a solo game has no win."""
    if len(game.seats) == 1:
        return [0]
    first = [place == 1 for place in places(game)]
    return [1 / sum(first) if wins else 0 for wins in first]


def places(game: FamilyGame) -> list[int]:
    """Return the place of each seat: by points, then by fewer crosses; in Dice² by the game."""
    if game.kind == "dice2":
        return [1 if seat.leads or len(game.seats) == 1 else 2 for seat in game.seats]

    def is_before(one: Seat, other: Seat) -> bool:
        assert one.points is not None
        assert other.points is not None
        more = one.points > other.points
        return more or (one.points == other.points and one.crosses < other.crosses)

    return [1 + sum(is_before(other, seat) for other in game.seats) for seat in game.seats]


def people(games: Games) -> list[str]:
    """Return the names of the group's players in some games, sorted."""
    return sorted({seat.who for game in games for seat in game.seats if counts(seat)})


def counts(seat: Seat) -> bool:
    """Return whether a seat is that of a player of the group: no bot, and with a name."""
    return bool(seat.who) and not seat.is_bot


def seats_of(games: Games, who: str) -> list[tuple[FamilyGame, int]]:
    """Return a player's finished games in their order, each with the player's seat."""
    return [
        (game, i)
        for game in order(over(games))
        for i, seat in enumerate(game.seats)
        if counts(seat) and seat.who == who
    ]


def totals_of(games: Games, who: str) -> list[int]:
    """Return a player's totals in games of Dizzle, in their order."""
    found = [game.seats[i].points for game, i in seats_of(games, who) if game.kind != "dice2"]
    return [points for points in found if points is not None]


def line_of(games: Games, who: str) -> Line:
    """Return the figures of a player."""
    own = seats_of(games, who)
    matches = [(game, i) for game, i in own if is_match(game)]
    wins = sum(parts_of_win(game)[i] for game, i in matches)
    totals = totals_of(games, who)
    is_known, is_won = len(totals) >= MIN_GAMES, len(matches) >= MIN_GAMES
    expected_percent = sum(1 / len(game.seats) for game, _i in matches) / max(1, len(matches))
    low, high = likely(wins, len(matches)) if is_won else (0, 0)
    return Line(
        len(own),
        wins if matches else None,
        sum(totals) / len(totals) if is_known else None,
        max(totals, default=None),
        min(totals) if is_known else None,
        100 * wins / len(matches) if is_won else None,
        100 * expected_percent if is_won else None,
        100 * low if is_won else None,
        100 * high if is_won else None,
        ("more" if low > expected_percent else "less" if high < expected_percent else "same")
        if is_won
        else None,
        totals[-10:] if is_known else [],
    )


def likely(wins: float, games: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of the share of wins (Wilson score interval).

    It contains the shares p from which the observed one is at most 1.96 standard deviations away:
    (wins/games - p)² ≤ 1.96² p (1 - p) / games, a quadratic inequality.
    """
    seen, z = wins / games, 1.96
    a = 1 + z * z / games
    b = -(2 * seen + z * z / games)
    c = seen * seen
    root = sqrt(max(0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def streak_of(games: Games, who: str) -> int:
    """Return the length of a player's current streak of outright wins in games with others."""
    count = 0
    for game, i in seats_of(games, who):
        if is_match(game):
            count = count + 1 if parts_of_win(game)[i] == 1 else 0
    return count


def levels_of(games: Games, who: str, most: int = 99) -> dict[str, OnLevel]:
    """Return a player's figures by level data, in games with at most ``most`` seats."""
    found: dict[str, OnLevel] = {}
    own = [
        (game, game.seats[i].points or 0)
        for game, i in seats_of(games, who)
        if game.data and len(game.seats) <= most
    ]
    for data in {game.data for game, _points in own}:
        played = [(points, game) for game, points in own if game.data == data]
        totals = [points for points, _game in played]
        others = [
            seat.points or 0
            for game in over(games)
            for seat in game.seats
            if counts(seat) and seat.who != who and game.data == data
        ]
        best = max(totals)
        first = next(game.evening for points, game in played if points == best)
        is_enough, is_met = len(totals) >= MIN_GAMES, len(others) >= MIN_GAMES
        found[data] = OnLevel(
            len(totals),
            sum(totals) / len(totals) if is_enough else None,
            best,
            first,
            sum(others) / len(others) if is_enough and is_met else None,
        )
    return found


def strengths_of(games: Games, who: str) -> list[Strength]:
    """Return a player's rating after each evening with a game against players of the group."""
    model = PlackettLuce()
    unit = 400 / (log(10) * sqrt(2) * 25 / 6)
    known: dict[str, PlackettLuceRating] = {}
    found: dict[date, Strength] = {}
    count = 0
    for game in order(over(games)):
        here = [i for i, seat in enumerate(game.seats) if counts(seat)]
        if len(here) < 2:
            continue
        names = [game.seats[i].who for i in here]
        before = [[known.get(name) or model.rating()] for name in names]
        place = places(game)
        after = model.rate(before, ranks=[float(place[i]) for i in here])
        known |= {name: rating for name, (rating,) in zip(names, after, strict=True)}
        if who in names:
            count += 1
            mine = known[who]
            points, within = 1500 + (mine.mu - 25) * unit, 1.96 * mine.sigma * unit
            found[game.evening] = Strength(game.evening, count, tens(points), tens(within))
    return list(found.values())


def tens(points: float) -> int:
    """Round points to tens, the precision of ratings."""
    return round(points / 10) * 10


def longest_of(games: Games, who: str) -> tuple[int, date | None]:
    """Return the longest streak of outright wins, and the evening on which it was last reached."""
    count, most, day = 0, 0, None
    for game, i in seats_of(games, who):
        if is_match(game):
            count = count + 1 if parts_of_win(game)[i] == 1 else 0
            if count and count >= most:
                most, day = count, game.evening
    return most, day


def parts_of(games: Games, names: Sequence[str]) -> tuple[int, dict[str, float]]:
    """Return the number of players' sheets with known categories, and the means by category."""
    sheets = [
        game.seats[i]
        for who in names
        for game, i in seats_of(games, who)
        if game.kind not in ("typed", "dice2")
    ]
    sums: dict[str, int] = {}
    for sheet in sheets:
        for part, points in sheet.parts:
            sums[part] = sums.get(part, 0) + points
    return len(sheets), {part: points / len(sheets) for part, points in sums.items()}


def is_match(game: FamilyGame) -> bool:
    """Return whether a game is one with others: several seats, and no bot among them."""
    return len(game.seats) > 1 and not any(seat.is_bot for seat in game.seats)


def blocks_of(totals: Sequence[int]) -> list[tuple[int, float]]:
    """Split totals into at most twelve equal blocks of at least five; return sizes and means."""
    count = min(12, len(totals) // MIN_GAMES)
    edges = [part * len(totals) // count for part in range(count + 1)] if count else []
    return [(end - begin, sum(totals[begin:end]) / (end - begin)) for begin, end in pairwise(edges)]


def alone_of(games: Games, who: str) -> list[tuple[FamilyGame, int]]:
    """Return a player's solo games of Dizzle with their points, the latest first."""
    found = [
        (game, game.seats[i].points or 0)
        for game, i in seats_of(games, who)
        if len(game.seats) == 1 and game.kind != "dice2"
    ]
    return found[::-1]


def met_by(games: Games, who: str) -> dict[str, tuple[int, int, int, int]]:
    """Return by name of each opponent: games together, how often ahead, behind, and even."""
    found: dict[str, tuple[int, int, int, int]] = {}
    for game, i in seats_of(games, who):
        place = places(game)
        for j, seat in enumerate(game.seats):
            if j == i or not counts(seat):
                continue
            ahead, behind = place[j] > place[i], place[j] < place[i]
            all_, a, b, e = found.get(seat.who, (0, 0, 0, 0))
            found[seat.who] = (all_ + 1, a + ahead, b + behind, e + (not ahead and not behind))
    return found


def year_of(games: Games, who: str = "") -> Year:
    """Return the review of one year's games, of the group or of a player."""
    played = [game for game, _i in seats_of(games, who)] if who else order(over(games))
    sheets = [
        (game, seat)
        for game in played
        for seat in game.seats
        if not seat.is_bot and (not who or seat.who == who)
    ]
    scored = [
        (game, seat) for game, seat in sheets if game.kind != "dice2" and seat.points is not None
    ]
    best = max((seat.points or 0 for _game, seat in scored), default=None)
    as_good = [(game, seat) for game, seat in scored if seat.points == best]
    first = as_good[0] if as_good else None
    names = [who] if who else people(played)
    won = {
        name: [parts_of_win(game)[i] for game, i in seats_of(played, name) if is_match(game)]
        for name in names
    }
    streaks = {
        name: max(map(len, "".join("x" if one == 1 else " " for one in all_).split(" ")))
        for name, all_ in won.items()
    }
    streak = max(streaks.values(), default=0)
    pairs = {
        frozenset((name, other)): met[0]
        for name in names
        for other, met in met_by(played, name).items()
    }
    most = max(pairs.values(), default=0) if who or len(people(played)) > 2 else 0
    gaps = [_gap(game) for game in played if _is_close(game, who)]
    closest = min((gap for gap in gaps if gap > 0), default=0)
    days = [day.strftime("%A") for day in {game.evening for game in played}]
    often = max((days.count(day) for day in days), default=0)
    return Year(
        len(played),
        len(days),
        best,
        (first[0].title, first[0].evening, first[1].who) if first else None,
        list(dict.fromkeys(seat.who for _game, seat in as_good)),
        sum(won[who]) if who else 0,
        len(won[who]) if who else 0,
        streak if streak > 1 else 0,
        {name for name, one in streaks.items() if one == streak},
        most,
        [set(pair) for pair, count in pairs.items() if count == most],
        closest,
        gaps.count(closest),
        sum(
            min(0, points)
            for _game, seat in sheets
            for part, points in seat.parts
            if part in ("bombs", "heaps")
        ),
        often if often > 1 else 0,
        [day for day in WEEK if days.count(day) == often],
        {game.data: sum(one.data == game.data for one in played) for game in played if game.data},
    )


def _is_close(game: FamilyGame, who: str) -> bool:
    """Return whether a game with others has points, and a player was among its first two."""
    if not is_match(game) or game.kind == "dice2":
        return False
    second = sorted(seat.points or 0 for seat in game.seats)[-2]
    return not who or any(seat.who == who and (seat.points or 0) >= second for seat in game.seats)


def _gap(game: FamilyGame) -> int:
    first, second = sorted((seat.points or 0 for seat in game.seats), reverse=True)[:2]
    return first - second

"""What pages of a group have to show, counted plainly from the list of its games.

Nothing here asks a database, nor what the pages ask: a second opinion, as slow and as simple as
can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from math import log, sqrt
from typing import Final, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from tests.groups.family import Happened, Seat

ENOUGH: Final = 5
Games = Sequence[Happened]
WEEK: Final = tuple(date(2024, 1, day).strftime("%A") for day in range(1, 8))
"""The days from Monday on."""


class Line(NamedTuple):
    """What stands beside a player's name; None where nothing is said."""

    games: int
    wins: float | None
    mean: float | None
    best: int | None
    worst: int | None
    share: float | None
    luck: float | None
    low: float | None
    high: float | None
    says: str | None
    last: list[int]


class OnLevel(NamedTuple):
    """What stands beside a level on a player's page; None where nothing is said.

    ``beside`` is what the others of the group have there.
    """

    games: int
    mean: float | None
    best: int | None
    when: date | None
    beside: float | None


class Strength(NamedTuple):
    """A rating after an evening, in points, and after how many games."""

    day: date
    games: int
    points: int
    within: int


class Year(NamedTuple):
    """What is told of a year, of all or of somebody; 0 and empty where nothing is.

    Of several that are as good each is told: ``best_of``, ``streak_of`` and ``pairs`` are all of
    these, ``days`` the weekdays in their order. ``closest`` are the points between the first two,
    ``as_close`` the games with so few.
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


def order(games: Games) -> list[Happened]:
    """The games in the order in which they were played; those of one moment as they came."""
    return sorted(games, key=lambda game: game.when)


def over(games: Games) -> list[Happened]:
    """The games that are over."""
    return [game for game in games if game.is_over]


def parts_of_win(game: Happened) -> list[float]:
    """Which part of the win everybody has; nobody wins alone."""
    if len(game.seats) == 1:
        return [0]
    first = [place == 1 for place in places(game)]
    return [1 / sum(first) if wins else 0 for wins in first]


def places(game: Happened) -> list[int]:
    """Everybody's place: points decide, then fewer crosses, and in Dice² the game itself."""
    if game.kind == "dice2":
        return [1 if seat.leads or len(game.seats) == 1 else 2 for seat in game.seats]

    def is_before(one: Seat, other: Seat) -> bool:
        assert one.points is not None
        assert other.points is not None
        more = one.points > other.points
        return more or (one.points == other.points and one.crosses < other.crosses)

    return [1 + sum(is_before(other, seat) for other in game.seats) for seat in game.seats]


def people(games: Games) -> list[str]:
    """Everybody of the group who has played, in any order."""
    return sorted({seat.who for game in games for seat in game.seats if counts(seat)})


def counts(seat: Seat) -> bool:
    """Whether it is somebody of the group: no bot, and with a name."""
    return bool(seat.who) and not seat.is_bot


def seats_of(games: Games, who: str) -> list[tuple[Happened, int]]:
    """The games of somebody in their order, and where they sat."""
    return [
        (game, i)
        for game in order(over(games))
        for i, seat in enumerate(game.seats)
        if counts(seat) and seat.who == who
    ]


def totals_of(games: Games, who: str) -> list[int]:
    """Somebody's points in games of Dizzle, in their order."""
    found = [game.seats[i].points for game, i in seats_of(games, who) if game.kind != "dice2"]
    return [points for points in found if points is not None]


def line_of(games: Games, who: str) -> Line:
    """All that stands beside a name."""
    own = seats_of(games, who)
    matches = [(game, i) for game, i in own if is_match(game)]
    wins = sum(parts_of_win(game)[i] for game, i in matches)
    totals = totals_of(games, who)
    is_known, is_won = len(totals) >= ENOUGH, len(matches) >= ENOUGH
    luck = sum(1 / len(game.seats) for game, _i in matches) / max(1, len(matches))
    low, high = likely(wins, len(matches)) if is_won else (0, 0)
    return Line(
        len(own),
        wins if matches else None,
        sum(totals) / len(totals) if is_known else None,
        max(totals, default=None),
        min(totals) if is_known else None,
        100 * wins / len(matches) if is_won else None,
        100 * luck if is_won else None,
        100 * low if is_won else None,
        100 * high if is_won else None,
        ("more" if low > luck else "less" if high < luck else "same") if is_won else None,
        totals[-10:] if is_known else [],
    )


def likely(wins: float, games: int) -> tuple[float, float]:
    """Between which shares p the true one is likely to lie.

    Those from which what was seen is less than 1.96 standard deviations away:
    (wins/games - p)² ≤ 1.96² p (1 - p) / games, an equation of second degree.
    """
    seen, z = wins / games, 1.96
    a = 1 + z * z / games
    b = -(2 * seen + z * z / games)
    c = seen * seen
    root = sqrt(max(0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def streak_of(games: Games, who: str) -> int:
    """How many games with others somebody has won alone in a row until now."""
    count = 0
    for game, i in seats_of(games, who):
        if is_match(game):
            count = count + 1 if parts_of_win(game)[i] == 1 else 0
    return count


def levels_of(games: Games, who: str, most: int = 99) -> dict[str, OnLevel]:
    """By the data of a level what somebody has done on it, in games of so many at most."""
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
        is_enough, is_met = len(totals) >= ENOUGH, len(others) >= ENOUGH
        found[data] = OnLevel(
            len(totals),
            sum(totals) / len(totals) if is_enough else None,
            best,
            first,
            sum(others) / len(others) if is_enough and is_met else None,
        )
    return found


def strengths_of(games: Games, who: str) -> list[Strength]:
    """How strong somebody was after each evening on which they met somebody of the group."""
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
    """A number as far as it says something."""
    return round(points / 10) * 10


def longest_of(games: Games, who: str) -> tuple[int, date | None]:
    """The most games with others won in a row, and the last evening on which there were so many."""
    count, most, day = 0, 0, None
    for game, i in seats_of(games, who):
        if is_match(game):
            count = count + 1 if parts_of_win(game)[i] == 1 else 0
            if count and count >= most:
                most, day = count, game.evening
    return most, day


def parts_of(games: Games, names: Sequence[str]) -> tuple[int, dict[str, float]]:
    """How many sheets of some people say what points are for, and what each part brings."""
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


def is_match(game: Happened) -> bool:
    """Whether it is a game with others: bots are none, and spoil it."""
    return len(game.seats) > 1 and not any(seat.is_bot for seat in game.seats)


def blocks_of(totals: Sequence[int]) -> list[tuple[int, float]]:
    """Totals in at most twelve equal parts of at least five: how many, and their mean."""
    count = min(12, len(totals) // ENOUGH)
    edges = [part * len(totals) // count for part in range(count + 1)] if count else []
    return [(end - begin, sum(totals[begin:end]) / (end - begin)) for begin, end in pairwise(edges)]


def alone_of(games: Games, who: str) -> list[tuple[Happened, int]]:
    """Somebody's solo games of Dizzle and their points, the latest first."""
    found = [
        (game, game.seats[i].points or 0)
        for game, i in seats_of(games, who)
        if len(game.seats) == 1 and game.kind != "dice2"
    ]
    return found[::-1]


def met_by(games: Games, who: str) -> dict[str, tuple[int, int, int, int]]:
    """By name of each other one: games together, how often ahead, behind, and neither."""
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
    """What the games of one year come to, of all or of somebody."""
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


def _is_close(game: Happened, who: str) -> bool:
    """Whether points decided a game with others, and somebody was among the first two."""
    if not is_match(game) or game.kind == "dice2":
        return False
    second = sorted(seat.points or 0 for seat in game.seats)[-2]
    return not who or any(seat.who == who and (seat.points or 0) >= second for seat in game.seats)


def _gap(game: Happened) -> int:
    first, second = sorted((seat.points or 0 for seat in game.seats), reverse=True)[:2]
    return first - second

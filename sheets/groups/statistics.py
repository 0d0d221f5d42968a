"""Statistics of a group: games, wins, points, levels, streaks, meetings and records of players.

`read_games` reads games from the database, in the order in which they were played. All other
functions are pure and take such games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import Final, NamedTuple, TypeVar

import msgspec
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from sheets.groups.filters import WITH_BOTS, GameFilter
from sheets.models import Group, GroupResult

MIN_GAMES: Final = 5
"""Minimum number of games from which pages show means, shares and ratings."""

ALL_PLAYERS: Final = 0
"""Value for all players, where other values are primary keys of players."""

TOTAL: Final = ""
"""Key of the total, where other keys are categories of points."""

BATCH_SIZE: Final = 2000
"""Number of rows that are fetched at once."""

K = TypeVar("K", bound=Hashable)

_parse_parts: Final = msgspec.json.Decoder(dict[str, int]).decode
"""Decoder of points by category, from JSON."""


class Seat(NamedTuple):
    """Result of a participant in a game, see `GroupResult`; ``json_parts`` is ``parts`` as JSON."""

    number: int
    player: int | None
    label: str
    place: int
    won: float
    total: int | None
    json_parts: str
    crossed: str

    @property
    def parts(self) -> dict[str, int]:
        """Points by category."""
        return _parse_parts(self.json_parts)


class PlayedGame(NamedTuple):
    """A game that is over, see `GroupGame`, with its results, the winner first."""

    number: int
    evening: date
    seconds: int | None
    kind: str
    level: str
    grade: int | None
    has_bots: bool
    seats: list[Seat]

    @property
    def players(self) -> list[int]:
        """Primary keys of the players that the group knows."""
        return [seat.player for seat in self.seats if seat.player is not None]


class PlayerSums(msgspec.Struct):
    """Sums over the games of a player.

    ``wins`` is the sum of the player's shares of wins, ``expected_wins`` the number of wins that
    chance alone would give.
    ``scored`` is the number of games with a total (Dizzle only), and ``points`` is the sum of these
    totals. ``best`` is the highest of them, first reached on the evening ``best_on``.
    """

    games: int = 0
    wins: float = 0.0
    expected_wins: float = 0.0
    scored: int = 0
    points: int = 0
    best: int | None = None
    best_on: date | None = None

    @property
    def mean(self) -> float | None:
        """Mean total of the scored games; None if there are none."""
        return self.points / self.scored if self.scored else None

    def add(self, game: PlayedGame, seat: Seat) -> None:
        """Add a game in which ``seat`` is the player's result."""
        self.games += 1
        self.wins += seat.won
        self.expected_wins += 1 / len(game.seats)
        if seat.total is None:
            return
        self.scored += 1
        self.points += seat.total
        if self.best is None or seat.total > self.best:
            self.best, self.best_on = seat.total, game.evening


class Streak(NamedTuple):
    """Numbers of outright wins in a row: the current streak, and the longest one.

    ``longest_on`` is the evening on which the longest streak was reached last; None without wins.
    """

    now: int
    longest: int
    longest_on: date | None


class Meetings(msgspec.Struct):
    """Numbers of games of two players: all, and those with the first one ahead or behind."""

    games: int = 0
    ahead: int = 0
    behind: int = 0


class Holder(NamedTuple):
    """Holder of a record: the first game in which a player reached it, and the player's result."""

    game: PlayedGame
    seat: Seat


class BestResult(NamedTuple):
    """Record for the total or for one category of points, with all holders, the earliest first."""

    points: int
    holders: list[Holder]


class ClosestGame(NamedTuple):
    """Game with the smallest gap in points between its first and second place.

    ``as_close`` is the number of games with this gap, of which this is the earliest.
    """

    gap: int
    game: PlayedGame
    first: Seat
    second: Seat
    as_close: int


def read_games(group: Group, choice: GameFilter, *wanted: Q) -> list[PlayedGame]:
    """Read the finished games of a choice, the earliest first; ``wanted`` are more conditions."""
    games = group.games.filter(*wanted, choice.games(), is_open=False)
    results = (
        GroupResult.objects.filter(game__in=games.order_by().values("pk"))
        .order_by("place", "seat")
        # Lazy decoding: decoding the JSON of all results would take half of the time.
        .annotate(json_parts=Cast("parts", TextField()))
        .values_list(
            "game", "seat", "player", "label", "place", "won", "total", "json_parts", "crossed"
        )
    )
    seats: defaultdict[int, list[Seat]] = defaultdict(list)
    for game, *seat in results.iterator(chunk_size=BATCH_SIZE):
        seats[game].append(Seat(*seat))
    rows = games.order_by("evening", "played", "number").values_list(
        *("pk", "number", "evening", "seconds", "kind", "level_digest", "rating", "has_bots")
    )
    return [
        PlayedGame(number, evening, seconds, kind, level, grade, has_bots, seats[pk])
        for pk, number, evening, seconds, kind, level, grade, has_bots in rows.iterator(
            chunk_size=BATCH_SIZE
        )
    ]


def matches_in(games: Iterable[PlayedGame], choice: GameFilter) -> list[PlayedGame]:
    """Return the games of several participants; with bots only if the filter asks for them."""
    counts_bots = choice.bots == WITH_BOTS
    return [game for game in games if len(game.seats) > 1 and (counts_bots or not game.has_bots)]


def solo_in(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """Return the solo games of Dizzle."""
    return [game for game in games if len(game.seats) == 1 and game.seats[0].total is not None]


def games_of(games: Iterable[PlayedGame], player: int) -> list[PlayedGame]:
    """Return the games of a player."""
    return [game for game in games if player in game.players]


def sums_by_player(games: Iterable[PlayedGame]) -> dict[int, PlayerSums]:
    """Return the sums over games by player."""
    return sums_by(games, lambda _game: None).get(None, {})


def sums_by(
    games: Iterable[PlayedGame], key: Callable[[PlayedGame], K]
) -> dict[K, dict[int, PlayerSums]]:
    """Return the sums over games by the value of ``key``, then by player."""
    found: defaultdict[K, defaultdict[int, PlayerSums]] = defaultdict(
        lambda: defaultdict(PlayerSums)
    )
    for game in games:
        of_key = found[key(game)]
        for seat in game.seats:
            if seat.player is not None:
                of_key[seat.player].add(game, seat)
    return {one: dict(of_key) for one, of_key in found.items() if of_key}


def totals_of(games: Iterable[PlayedGame], player: int) -> list[tuple[date, int]]:
    """Return the totals of a player in games of Dizzle, with their evenings."""
    return [
        (game.evening, seat.total)
        for game in games
        for seat in game.seats
        if seat.player == player and seat.total is not None
    ]


def streaks(matches: Iterable[PlayedGame]) -> dict[int, Streak]:
    """Return the streaks of each player; a shared win ends a streak."""
    found: defaultdict[int, Streak] = defaultdict(lambda: Streak(0, 0, None))
    for game in matches:
        for seat in game.seats:
            if seat.player is None:
                continue
            now, longest, longest_on = found[seat.player]
            now = now + 1 if seat.won == 1 else 0
            if now and now >= longest:
                longest, longest_on = now, game.evening
            found[seat.player] = Streak(now, longest, longest_on)
    return dict(found)


def places_in(game: PlayedGame) -> dict[int, int]:
    """Return the place of each player; of two results of one player, the better one counts."""
    places: dict[int, int] = {}
    for seat in game.seats:
        if seat.player is not None:
            places.setdefault(seat.player, seat.place)
    return places


def meetings_of(games: Iterable[PlayedGame], player: int) -> dict[int, Meetings]:
    """Return a player's meetings with each other player, by the primary key of the other."""
    found: defaultdict[int, Meetings] = defaultdict(Meetings)
    for game in games_of(games, player):
        places = places_in(game)
        for other, place in places.items():
            if other != player:
                met = found[other]
                met.games += 1
                met.ahead += places[player] < place
                met.behind += places[player] > place
    return dict(found)


def pairs_in(games: Iterable[PlayedGame]) -> Counter[tuple[int, int]]:
    """Count the common games of each pair of players; pairs have the smaller primary key first."""
    return Counter(pair for game in games for pair in combinations(sorted(set(game.players)), 2))


def part_means(
    games: Iterable[PlayedGame], has_seat: Callable[[Seat], bool]
) -> tuple[int, dict[str, float]]:
    """Return the number of results that ``has_seat`` selects, and their mean points by category.

    Only results with known points by category count, so those of typed games do not.
    """
    count, sums = 0, Counter[str]()
    for game in games:
        if game.kind == "typed":
            continue
        for seat in filter(has_seat, game.seats):
            parts = seat.parts
            if seat.total is not None and sum(parts.values()) == seat.total:
                count += 1
                for part, points in parts.items():  # faster than `update` for few parts
                    sums[part] += points
    return count, {part: points / count for part, points in sums.items()}


def best_results(games: Iterable[PlayedGame], player: int = ALL_PLAYERS) -> dict[str, BestResult]:
    """Return the records for the total, by the key `TOTAL`, and for each category of points.

    Results of bots and games without totals do not count. With ``player``, only this player's
    results count.
    """
    best: dict[str, BestResult] = {}
    for game in games:
        for seat in sorted(game.seats):
            if seat.label or seat.total is None or player not in (ALL_PLAYERS, seat.player):
                continue
            for category, points in {TOTAL: seat.total, **seat.parts}.items():
                known = best.get(category)
                if known is None or points > known.points:
                    best[category] = BestResult(points, [Holder(game, seat)])
                elif points == known.points and all(
                    holder.seat.player != seat.player for holder in known.holders
                ):
                    known.holders.append(Holder(game, seat))
    return best


def closest_in(games: Iterable[PlayedGame], player: int = ALL_PLAYERS) -> ClosestGame | None:
    """Return the game with the smallest gap in points between its first two; ties do not count.

    With ``player``, only games count in which this player was one of these two.
    """
    found: ClosestGame | None = None
    for game in games:
        totals = [seat.total for seat in game.seats if seat.total is not None]
        if len(game.seats) < 2 or len(totals) < len(game.seats) or totals[0] <= totals[1]:
            continue
        gap = totals[0] - totals[1]
        first = game.seats[0]
        seconds = [seat for seat in game.seats if seat.total == totals[1]]
        own = [seat for seat in seconds if seat.player == player]
        if player not in (ALL_PLAYERS, first.player) and not own:
            continue
        if found is None or gap < found.gap:
            found = ClosestGame(gap, game, first, (own or seconds)[0], 1)
        elif gap == found.gap:
            found = found._replace(as_close=found.as_close + 1)
    return found


def points_lost(games: Iterable[PlayedGame], player: int = ALL_PLAYERS) -> int:
    """Return the points that bombs and heaps have cost all people, or one player: 0 or less."""
    parts = [
        seat.parts
        for game in games
        for seat in game.seats
        if not seat.label and player in (ALL_PLAYERS, seat.player)
    ]
    return sum(min(0, one.get(part, 0)) for one in parts for part in ("bombs", "heaps"))


def totals_by_players(games: Iterable[PlayedGame]) -> dict[int, list[int]]:
    """Return the totals of all players except bots, ascending, by the number of players."""
    totals: defaultdict[int, list[int]] = defaultdict(list)
    for game in games:
        totals[len(game.seats)] += [
            seat.total for seat in game.seats if seat.total is not None and not seat.label
        ]
    return {players: sorted(of) for players, of in sorted(totals.items()) if of}


def combine_sums(several: Iterable[PlayerSums]) -> PlayerSums:
    """Add up ``games``, ``scored`` and ``points`` of several players; other sums stay empty."""
    found = PlayerSums()
    for one in several:
        found.games += one.games
        found.scored += one.scored
        found.points += one.points
    return found


def crossed_sheets(
    games: Iterable[PlayedGame], player: int = ALL_PLAYERS
) -> Mapping[str, Sequence[Sequence[str]]]:
    """Return the crosses of each sheet (`GroupResult.crossed`) by level digest, then by game."""
    found: defaultdict[str, list[list[str]]] = defaultdict(list)
    for game in games:
        sheets = [
            seat.crossed
            for seat in game.seats
            if seat.crossed and player in (ALL_PLAYERS, seat.player)
        ]
        if sheets:
            found[game.level].append(sheets)
    return found

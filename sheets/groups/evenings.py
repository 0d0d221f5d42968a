"""Games of a group by evening, for a page of the group and for the page of one evening."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Q, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _

from sheets.groups.bg_stats import play_link
from sheets.groups.filters import ALL_GAMES, level_names
from sheets.groups.game_titles import title_among
from sheets.groups.statistics import matches_in, read_games, sums_by
from sheets.models import Evening, Group, GroupGame, GroupResult
from sheets.scoring.sentences import GRADES

EVENINGS_PER_PAGE: Final = 8
"""Number of evenings on a page of a group."""

MAX_GAMES_SHOWN: Final = 12
"""Maximum number of games that a page of a group shows of one evening, the latest ones."""

GAMES_PER_PAGE: Final = 50
"""Number of games on a page of an evening."""

LATEST_FIRST: Final = ("-played", "-number")
"""Order of games, the latest first."""


class EveningResult(NamedTuple):
    """A result: ``name`` as the page shows it; ``total`` is None in a game without points."""

    name: str
    total: int | None
    wins: bool


class EveningGame(NamedTuple):
    """A game of an evening with its results; ``grade`` is empty unless it is a solo game.

    ``play_url`` exports the game to BG Stats; it is empty on a page of the group. ``is_typed``: the
    game can be corrected.
    """

    number: int
    title: str
    results: list[EveningResult]
    grade: str
    is_open: bool
    is_typed: bool
    play_url: str


class EveningSummary(NamedTuple):
    """An evening with some of its ``game_count`` games, the latest one first.

    ``winners`` are the players with most ``wins`` of its games with others; none if there was only
    one such game.
    """

    day: date
    place: str
    note: str
    games: list[EveningGame]
    game_count: int
    winners: list[str]
    wins: float

    @property
    def has_more(self) -> bool:
        """Whether the evening has more games than those in ``games``."""
        return self.game_count > len(self.games)


class Evenings(NamedTuple):
    """A page of evenings; ``game_count`` is the number of finished games on all pages."""

    days: list[EveningSummary]
    page: Page[dict[str, Any]]
    game_count: int


class EveningPage(NamedTuple):
    """A page of the games of an evening."""

    day: EveningSummary
    page: Page[GroupGame]


def evenings_page(group: Group, number: str, wanted: Q, names: Mapping[str, str]) -> Evenings:
    """Return a page of a group's evenings, the latest first, with the games that match ``wanted``.

    ``number`` is the number of the page. ``names`` has the names of all levels by digest.
    """
    found = group.games.filter(wanted)
    dates = found.values("evening").annotate(count=Count("pk")).order_by("-evening")
    page = Paginator(dates, EVENINGS_PER_PAGE).get_page(number)
    counts = {row["evening"]: row["count"] for row in page.object_list}
    place = Window(
        RowNumber(), partition_by="evening", order_by=[F("played").desc(), F("number").desc()]
    )
    latest = (
        found.filter(evening__in=counts).annotate(place=place).filter(place__lte=MAX_GAMES_SHOWN)
    )
    days = _days(group, counts, latest.order_by("-evening", *LATEST_FIRST), names, wanted)
    open_count = found.filter(is_open=True).count()
    return Evenings(days, page, found.count() - open_count)


def evening_on(group: Group, day: date, number: str) -> EveningPage | None:
    """Return page ``number`` of a group's games on a day; None if there are no games."""
    games = group.games.filter(evening=day).order_by(*LATEST_FIRST)
    page = Paginator(games, GAMES_PER_PAGE).get_page(number)
    if not (count := page.paginator.count):
        return None
    names = level_names(group)
    (found,) = _days(group, {day: count}, page.object_list, names, Q(), has_play_urls=True)
    return EveningPage(found, page)


def _days(
    group: Group,
    counts: Mapping[date, int],
    games: Iterable[GroupGame],
    names: Mapping[str, str],
    wanted: Q,
    *,
    has_play_urls: bool = False,
) -> list[EveningSummary]:
    """Return evenings with ``games``; ``counts`` has the number of games of each evening.

    The games that match ``wanted`` decide who has won an evening.
    """
    details = {one.day: one for one in Evening.objects.filter(group=group, day__in=counts)}
    winners = _winners(group, Q(evening__in=counts) & wanted)
    by_day: defaultdict[date, list[EveningGame]] = defaultdict(list)
    rows = list(games)
    for row, game in zip(rows, _shown(rows, names, has_play_urls=has_play_urls), strict=True):
        by_day[row.evening].append(game)
    return [
        EveningSummary(
            day,
            details[day].place if day in details else "",
            details[day].note if day in details else "",
            by_day[day],
            count,
            *winners.get(day, ([], 0.0)),
        )
        for day, count in counts.items()
    ]


def _winners(group: Group, wanted: Q) -> dict[date, tuple[list[str], float]]:
    """Return who won most games, and how many, of each day with several games with others."""
    matches = matches_in(read_games(group, ALL_GAMES, wanted), ALL_GAMES)
    games = Counter(game.evening for game in matches)
    names = dict(group.players.order_by("number").values_list("pk", "name"))
    found = {}
    for day, by_player in sums_by(matches, lambda game: game.evening).items():
        wins = {player: round(sums.wins, 6) for player, sums in by_player.items()}
        most = max(wins.values())
        if most and games[day] > 1:
            found[day] = [name for pk, name in names.items() if wins.get(pk) == most], most
    return found


def _shown(
    rows: Collection[GroupGame], names: Mapping[str, str], *, has_play_urls: bool
) -> list[EveningGame]:
    results = GroupResult.objects.filter(game__in=[row.pk for row in rows])
    by_game: defaultdict[int, list[tuple[str, GroupResult]]] = defaultdict(list)
    for one in results.select_related("player").defer("parts", "crossed"):
        name = one.player.name if one.player else one.label or _("someone")
        by_game[one.game_id].append((name, one))
    found = []
    for row in rows:
        title = title_among(names, row)
        found.append(
            EveningGame(
                row.number,
                title,
                [EveningResult(name, one.points, one.won > 0) for name, one in by_game[row.pk]],
                "" if row.rating is None else str(GRADES[row.rating].title),
                row.is_open,
                row.kind == "typed",
                play_link(row, title, by_game[row.pk]) if has_play_urls else "",
            )
        )
    return found

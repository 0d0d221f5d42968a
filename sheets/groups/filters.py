"""Filter of a group's games: by year, level, number of players, kind and bots.

The filter is the query string of the page, so it can be shared. Invalid parts are ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Max, Min, Q
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from sheets.groups.game_titles import title_of
from sheets.models import Group, GroupGame
from sheets.rules.level import MAX_PLAYERS
from sheets.simulation.balance.sentences import format_players

MAX_LEVELS: Final = 100
"""Maximum number of levels that a page of a group lists."""

KINDS: Final = ("sheets", "table", "tally", "dice2", "typed")
"""Kinds of games, as `GroupGame.kind` stores them."""

WITH_BOTS: Final = "with"
"""Value of `GameFilter.bots` that selects games with bots."""

WITHOUT_BOTS: Final = "without"
"""Value of `GameFilter.bots` that selects games without bots."""


class GameFilter(NamedTuple):
    """Filter of games; 0 and empty stand for all."""

    year: int = 0
    level: str = ""
    players: int = 0
    kind: str = ""
    bots: str = ""

    @property
    def query(self) -> str:
        """The filter as a query string."""
        return urlencode({name: value for name, value in self._asdict().items() if value})

    @property
    def query_suffix(self) -> str:
        """The query string with its question mark; empty for all games."""
        return f"?{self.query}" if self.query else ""

    @property
    def without_level(self) -> GameFilter:
        """The filter without its level."""
        return self._replace(level="")

    def games(self) -> Q:
        """Return the query condition of this filter.

        A number of players or a choice about bots also excludes games without results yet.
        """
        found = Q()
        if self.year:
            found &= Q(evening__year=self.year)
        if self.level:
            found &= Q(level_digest=self.level)
        if self.players:
            found &= Q(is_open=False, players=self.players)
        if self.kind:
            found &= Q(kind=self.kind)
        if self.bots:
            found &= Q(is_open=False, has_bots=self.bots == WITH_BOTS)
        return found


ALL_GAMES: Final = GameFilter()
"""The filter that selects all games."""


def parse_filter(query: Mapping[str, str]) -> GameFilter:
    """Parse the filter of a query string; invalid parts are dropped."""
    players = _number(query.get("players", ""))
    kind, level, bots = (query.get(name, "") for name in ("kind", "level", "bots"))
    return GameFilter(
        _number(query.get("year", "")),
        level if len(level) == 16 and level.isascii() and level.isalnum() else "",
        players if players <= MAX_PLAYERS else 0,
        kind if kind in KINDS else "",
        bots if bots in (WITH_BOTS, WITHOUT_BOTS) else "",
    )


class FilterPart(NamedTuple):
    """A part of a filter in words, and the filter without it."""

    words: str
    without: GameFilter


class FilterOptions(NamedTuple):
    """Values that the form of the filter offers, with their labels.

    ``names`` has the names of all levels by digest, also of those that are not offered.
    """

    years: list[int]
    levels: list[tuple[str, str]]
    players: range
    kinds: list[tuple[str, str]]
    bots: list[tuple[str, str]]
    names: Mapping[str, str]

    @property
    def has_more_levels(self) -> bool:
        """Whether there are levels that are not offered."""
        return len(self.names) > len(self.levels)

    def parts(self, choice: GameFilter) -> list[FilterPart]:
        """Return the active parts of a filter in words; its level may be unknown."""
        words = {
            "year": str(choice.year or ""),
            "level": self.names.get(choice.level, _("Level not known")),
            "players": format_players(choice.players),
            "kind": dict(self.kinds).get(choice.kind, ""),
            "bots": dict(self.bots).get(choice.bots, ""),
        }
        return [
            FilterPart(words[name], choice._replace(**{name: type(value)()}))
            for name, value in choice._asdict().items()
            if value
        ]


def filter_options_of(group: Group, names: Mapping[str, str] | None = None) -> FilterOptions:
    """Return the options for the games of a group.

    ``names`` are the names, by digest, of the levels to offer; without it, all levels are offered.
    """
    names = level_names(group) if names is None else names
    return FilterOptions(
        list(_years(group)),
        _latest_levels(group, names),
        range(1, MAX_PLAYERS + 1),
        list(zip(KINDS, kind_names(), strict=True)),
        [(WITHOUT_BOTS, _("Without bots")), (WITH_BOTS, _("With bots"))],
        names,
    )


def _latest_levels(group: Group, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return digest and name of the `MAX_LEVELS` levels played last, in the order of ``names``."""
    if len(names) <= MAX_LEVELS:
        return list(names.items())
    rows = group.games.exclude(level_digest="").order_by().values("level_digest")
    latest = rows.annotate(latest=Max("number")).order_by("-latest")[:MAX_LEVELS]
    kept = {row["level_digest"] for row in latest}
    return [(digest, name) for digest, name in names.items() if digest in kept]


def _years(group: Group) -> Iterator[int]:
    """Yield the years with games, the latest first; each takes one index lookup."""
    evenings = group.games.order_by("-evening").values_list("evening", flat=True)
    latest = evenings.first()
    while latest:
        yield latest.year
        latest = evenings.filter(evening__lt=date(latest.year, 1, 1)).first()


def level_names(group: Group) -> dict[str, str]:
    """Return the names of the levels of a group's games by digest, sorted.

    Levels of the same name get version numbers in the order of their first games, so that a new
    game never changes a name."""
    return names_of(latest_games(group))


def names_of(latest: Mapping[str, tuple[int, GroupGame]]) -> dict[str, str]:
    """Return the names of levels as `level_names` does, from the result of `latest_games`."""
    levels = sorted((title_of(game), first, digest) for digest, (first, game) in latest.items())
    return dict(_number_versions([(name, digest) for name, _first, digest in levels]))


def latest_games(group: Group) -> dict[str, tuple[int, GroupGame]]:
    """Return the number of the first game and the latest game of each level, by level digest."""
    rows = (
        group.games.exclude(level_digest="")
        .order_by()
        .values("level_digest")
        .annotate(first=Min("number"), latest=Max("number"))
    )
    firsts = {row["level_digest"]: row["first"] for row in rows}
    games = group.games.filter(number__in=[row["latest"] for row in rows])
    return {game.level_digest: (firsts[game.level_digest], game) for game in games}


def kind_names() -> tuple[str, ...]:
    """Return the names of the kinds of games, in the order of `KINDS`."""
    return (_("Scored sheets"), _("At a table"), _("Tally"), "Dice²", _("Entered by hand"))


def _number_versions(levels: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return digests with names; levels of the same name get version numbers.

    An edited level has a new digest, so that it counts as another level.
    """
    numbered: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    for name, digest in levels:
        counts[name] += 1
        count = counts[name]
        version = _("%(name)s, version %(number)d") % {"name": name, "number": count}
        numbered.append((digest, name if count == 1 else version))
    return numbered


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else 0

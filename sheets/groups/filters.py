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

from sheets.groups.titles import title_of
from sheets.models import Group, GroupGame
from sheets.rules.level import MOST_PLAYERS
from sheets.simulation.balance.words import players_words

MOST_LEVELS: Final = 100
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
    def asked(self) -> str:
        """The query string with its question mark; empty for all games."""
        return f"?{self.query}" if self.query else ""

    @property
    def but_level(self) -> GameFilter:
        """The filter without its level."""
        return self._replace(level="")

    def games(self) -> Q:
        """Return the condition on games; a filter of players or bots excludes open games."""
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


ALL: Final = GameFilter()
"""The filter that selects all games."""


def read_choice(query: Mapping[str, str]) -> GameFilter:
    """Parse the filter of a query string; invalid parts are dropped."""
    players = _number(query.get("players", ""))
    kind, level, bots = (query.get(name, "") for name in ("kind", "level", "bots"))
    return GameFilter(
        _number(query.get("year", "")),
        level if len(level) == 16 and level.isascii() and level.isalnum() else "",
        players if players <= MOST_PLAYERS else 0,
        kind if kind in KINDS else "",
        bots if bots in (WITH_BOTS, WITHOUT_BOTS) else "",
    )


class Part(NamedTuple):
    """A part of a filter in words, and the filter without it."""

    words: str
    without: GameFilter


class Offered(NamedTuple):
    """Options of the filter: values with their labels; ``names`` are those of all levels."""

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

    def parts(self, choice: GameFilter) -> list[Part]:
        """Return the parts of a filter in words, also of an unknown level."""
        words = {
            "year": str(choice.year or ""),
            "level": self.names.get(choice.level, _("Level not known")),
            "players": players_words(choice.players),
            "kind": dict(self.kinds).get(choice.kind, ""),
            "bots": dict(self.bots).get(choice.bots, ""),
        }
        return [
            Part(words[name], choice._replace(**{name: type(value)()}))
            for name, value in choice._asdict().items()
            if value
        ]


def offered_in(group: Group, names: Mapping[str, str] | None = None) -> Offered:
    """Return the options among the games of a group; ``names`` limits the levels."""
    names = level_names(group) if names is None else names
    return Offered(
        list(_years(group)),
        _played_last(group, names),
        range(1, MOST_PLAYERS + 1),
        list(zip(KINDS, kind_names(), strict=True)),
        [(WITHOUT_BOTS, _("Without bots")), (WITH_BOTS, _("With bots"))],
        names,
    )


def _played_last(group: Group, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the levels to offer, in the order of their names."""
    if len(names) <= MOST_LEVELS:
        return list(names.items())
    rows = group.games.exclude(level_digest="").order_by().values("level_digest")
    latest = rows.annotate(latest=Max("number")).order_by("-latest")[:MOST_LEVELS]
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
    """Return what `level_names` does, for the result of `latest_games`."""
    levels = sorted((title_of(game), first, digest) for digest, (first, game) in latest.items())
    return dict(_told_apart([(name, digest) for name, _first, digest in levels]))


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


def _told_apart(levels: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Number levels of the same name as versions, since a level gets a new digest when edited."""
    told: list[tuple[str, str]] = []
    counts: Counter[str] = Counter()
    for name, digest in levels:
        counts[name] += 1
        count = counts[name]
        version = _("%(name)s, version %(number)d") % {"name": name, "number": count}
        told.append((digest, name if count == 1 else version))
    return told


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else 0

"""Which of a group's games are looked at? By year, level, number of players and kind.

A choice stands in the page's address, to be shared. What in it cannot be counts as not said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.db.models import Max, Q
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from sheets.groups.evenings import title_of
from sheets.models import Group
from sheets.rules.level import MOST_PLAYERS

KINDS: Final = ("sheets", "table", "tally", "dice2", "typed")


class Choice(NamedTuple):
    """The games that are looked at; 0 and empty stand for all."""

    year: int = 0
    level: str = ""
    players: int = 0
    kind: str = ""

    @property
    def query(self) -> str:
        """The choice as it stands in an address."""
        return urlencode({name: value for name, value in self._asdict().items() if value})

    def games(self, before: str = "") -> Q:
        """As a condition on games, or on what has one under a name: ``before`` is ``game__``."""
        found = Q()
        if self.year:
            found &= Q(**{f"{before}evening__year": self.year})
        if self.level:
            found &= Q(**{f"{before}level_digest": self.level})
        if self.kind:
            found &= Q(**{f"{before}kind": self.kind})
        return found

    def on_games(self) -> Q:
        """As a condition on games."""
        found = self.games()
        if self.players:
            # Each game has one first seat, which tells how many there are.
            found &= Q(results__seat=0, results__chance=1 / self.players)
        return found

    def on_results(self) -> Q:
        """As a condition on results."""
        found = self.games("game__")
        return found & Q(chance=1 / self.players) if self.players else found


ALL: Final = Choice()


def read_choice(query: Mapping[str, str]) -> Choice:
    """What an address says."""
    players = _number(query.get("players", ""))
    kind, level = query.get("kind", ""), query.get("level", "")
    return Choice(
        _number(query.get("year", "")),
        level if len(level) == 16 and level.isascii() and level.isalnum() else "",
        players if players <= MOST_PLAYERS else 0,
        kind if kind in KINDS else "",
    )


class Offered(NamedTuple):
    """What can be chosen: each a value with what is said of it."""

    years: list[int]
    levels: list[tuple[str, str]]
    players: range
    kinds: list[tuple[str, str]]


def offered_in(group: Group) -> Offered:
    """What there is to choose among the games of a group."""
    years = [day.year for day in group.games.dates("evening", "year", order="DESC")]
    latest = (
        group.games.exclude(level_digest="")
        .order_by()
        .values("level_digest")
        .annotate(latest=Max("number"))
    )
    games = group.games.filter(number__in=[row["latest"] for row in latest])
    levels = sorted((title_of(game), game.level_digest) for game in games)
    return Offered(
        years,
        [(digest, name) for name, digest in _told_apart(levels)],
        range(1, MOST_PLAYERS + 1),
        list(zip(KINDS, kind_names(), strict=True)),
    )


def kind_names() -> tuple[str, ...]:
    """What the kinds of games are called, in the order of `KINDS`."""
    return (_("Scored sheets"), _("At a table"), _("Tally"), "Dice²", _("Entered by hand"))


def _told_apart(levels: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Levels of one name are other levels: an own one was edited. They are numbered."""
    told: list[tuple[str, str]] = []
    for name, digest in levels:
        count = 1 + sum(other == name for other, _digest in levels[: len(told)])
        shown = (
            name
            if count == 1
            else _("%(name)s, version %(number)d")
            % {
                "name": name,
                "number": count,
            }
        )
        told.append((shown, digest))
    return told


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else 0

"""Old paper comes into a group by hand: games with names and totals, in a table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy

from sheets.access.keys import Access, lock
from sheets.groups.keeping import MOST_GAMES, GroupFull, write_results
from sheets.groups.played import Played, Result, of_level
from sheets.levels import shipped_levels
from sheets.models import Group, GroupGame
from sheets.people.names import NAME_LENGTH, clean_name, cut_name
from sheets.rules import Level
from sheets.rules.level import MOST_PLAYERS
from sheets.texts.languages import in_every_language

MOST_LINES: Final = 500
"""So many games are read at once."""

YEARS: Final = range(1990, 2200)
MOST_POINTS: Final = 999
DAYS: Final = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"),
    re.compile(r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})"),
    re.compile(r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})"),
)
"""How a day may be written: 2026-11-22, 22.11.2026, 11/22/2026."""


class Entered(NamedTuple):
    """A game of old paper: its day, its level as it was called, and everybody's total."""

    day: date
    level: str
    totals: tuple[tuple[str, int], ...]


class NotUnderstood(NamedTuple):
    """A line of a table that is no game, by its number from 1; ``is_ahead``: its day is to come."""

    number: int
    line: str
    is_ahead: bool = False


class Understood(NamedTuple):
    """What a table says: its games, each once, and the lines that are none.

    ``twice``: so many lines say what one before them said; ``left``: so many were not read at all.
    """

    games: list[Entered]
    strange: list[NotUnderstood]
    twice: int = 0
    left: int = 0


class Kept(NamedTuple):
    """Of how many games a group had not known, and of how many it had."""

    new: int
    known: int


Told = tuple[date, tuple[str, ...], tuple[tuple[str, int | None], ...]]
"""What makes two games of old paper the same: the day, the level, and everybody's total."""


def read_day(text: str) -> date | None:
    """The day that somebody wrote; None if it is none."""
    for pattern in DAYS:
        if found := pattern.fullmatch(text.strip()):
            try:
                day = date(int(found["year"]), int(found["month"]), int(found["day"]))
            except ValueError:
                return None
            return day if day.year in YEARS else None
    return None


def read_table(text: str) -> Understood:
    """The games of a pasted table, the first `MOST_LINES` of them, and what was not understood.

    Its first line has the names over their columns; in each further one stand the day, the level
    if there is a column for it, and the totals. Who has none did not play.
    """
    try:
        rows = list(csv.reader(io.StringIO(text.strip()), delimiter=_delimiter(text)))
    except csv.Error:  # a quote that never ends
        return Understood([], [])
    if not rows:
        return Understood([], [])
    heads = [clean_name(cell) for cell in rows[0]]
    games: dict[Told, Entered] = {}
    twice = 0
    # Where the game was played it may be tomorrow already.
    last = timezone.localdate() + timedelta(days=1)
    strange: list[NotUnderstood] = []
    lines = [(number, row) for number, row in enumerate(rows[1:], start=2) if "".join(row).strip()]
    has_level = _has_level(heads, [row for _number, row in lines])
    first = 2 if has_level else 1
    names = heads[first:]
    for number, row in lines[:MOST_LINES]:
        day = read_day(row[0])
        cells = row[first:]
        known = [(name, _points(cell)) for name, cell in zip(names, cells, strict=False) if name]
        totals = tuple((name, total) for name, total in known if total is not None)
        is_odd = any(cell.strip() and _points(cell) is None for cell in cells)
        is_ahead = day is not None and day > last
        if day is None or is_ahead or is_odd or not 1 <= len(totals) <= MOST_PLAYERS:
            strange.append(NotUnderstood(number, " ".join(row)[:120], is_ahead))
        else:
            level = clean_name(row[1])[:60] if has_level else ""
            game = Entered(day, level, totals)
            twice += _told(game) in games
            games.setdefault(_told(game), game)
    return Understood(list(games.values()), strange, twice, max(0, len(lines) - MOST_LINES))


@transaction.atomic
def enter(access: Access[Group], games: Sequence[Entered]) -> Kept:
    """Keep games of old paper; those that the group has are kept once.

    Raises NotAllowed, GroupFull: nothing has changed.
    """
    group = lock(access)
    days = {game.day for game in games}
    rows = group.games.filter(kind="typed", evening__in=days).prefetch_related("results__typed")
    known = {_told_before(row) for row in rows}
    count = 0
    for game in games:
        if _told(game) in known:
            continue
        if group.last_number >= MOST_GAMES:
            raise GroupFull
        group.last_number += 1
        count += 1
        when = datetime.combine(game.day, time(20), UTC)
        level = _shipped(game.level)
        name, level_id, digest = of_level(level) if level else ({}, "", "")
        if game.level and not level:
            name = in_every_language(game.level)
        results = _results(game)
        row = GroupGame.objects.create(
            group=group,
            number=group.last_number,
            is_open=False,
            kind="typed",
            played=when,
            evening=game.day,
            level_name=dict(name),
            level_id=level_id,
            level_digest=digest,
        )
        write_results(group, row, Played("typed", when, name, level_id, digest, None, results))
    group.save(update_fields=["last_number"])
    return Kept(count, len(games) - count)


def _shipped(called: str) -> Level | None:
    """The level of the game itself that is called so in any language."""
    levels = shipped_levels().values()
    return next((one for one in levels if called in dict(one.name).values()), None)


def _results(game: Entered) -> list[Result]:
    totals = [total for _name, total in game.totals]
    best = max(totals)
    winners = totals.count(best)
    is_alone = len(totals) == 1
    return [
        Result(
            cut_name(name, NAME_LENGTH),
            False,
            total,
            0,
            1 + sum(other > total for other in totals),
            0.0 if is_alone or total < best else 1 / winners,
            {},
        )
        for name, total in game.totals
    ]


def _told(game: Entered) -> Told:
    level = _shipped(game.level)
    names = [level.id] if level else [game.level.casefold()] if game.level else []
    totals = [(cut_name(name, NAME_LENGTH).casefold(), total) for name, total in game.totals]
    return game.day, tuple(names), tuple(sorted(totals))


def _told_before(game: GroupGame) -> Told:
    names = (
        [game.level_id] if game.level_id else {name.casefold() for name in game.level_name.values()}
    )
    totals = [
        (one.typed.name.casefold() if one.typed else "", one.total) for one in game.results.all()
    ]
    return game.evening, tuple(sorted(names)), tuple(sorted(totals))


def _has_level(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the second column has levels: its heading says so, or most of what is in it."""
    called = {word.casefold() for word in in_every_language(gettext_lazy("Level")).values()}
    if len(heads) > 1 and heads[1].casefold() in called:
        return True
    cells = [row[1] for row in rows if len(row) > 1 and row[1].strip()]
    # One cell of points that is mistyped makes no level of its column.
    return 2 * sum(_points(cell) is None for cell in cells) > len(cells)


def _points(cell: str) -> int | None:
    text = cell.strip().replace("−", "-")
    return int(text) if re.fullmatch(rf"-?\d{{1,{len(str(MOST_POINTS))}}}", text) else None


def _delimiter(text: str) -> str:
    first = text.strip().partition("\n")[0]
    return max("\t;,", key=first.count)

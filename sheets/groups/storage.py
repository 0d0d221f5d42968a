"""Storage that imported games take in the database, estimated before any of them is stored.

A game takes its own rows, and further bytes in what is added up for each player and month
(`sheets.groups.reckoning`) and for games that are alike (`sheets.groups.bundling`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable
from datetime import date, timedelta
from itertools import groupby
from typing import Final, NamedTuple

from django.db.models import Count, Max
from django.db.models.functions import Length

from sheets.models import Group, GroupResult, PlayerMonth

GAME_BYTES: Final = 370
"""Bytes of a game with its index entries and without its texts, measured on PostgreSQL."""

RESULT_BYTES: Final = 350
"""The same for a result, and what it adds to the sums of its month."""

EVENING_BYTES: Final = 150
"""Maximum number of bytes of an evening with its index entries and without its texts."""

SUMS_BYTES: Final = 300
"""Bytes of the sums of one player in one month, or among games that are alike, without entries."""

ENTRY_BYTES: Final = 45
"""Bytes of an entry of such sums: a level, a category of points, or another player."""

Charge = Callable[[int], None]
"""Counts bytes that are about to be stored. Raises StorageUsedUp, TooMuchAtOnce."""


class StorageUsedUp(Exception):
    """The address has stored as much as it may for now."""


class TooMuchAtOnce(Exception):
    """More bytes than an address may ever store at once."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


class Coming(NamedTuple):
    """What the size of a game depends on; ``parts`` are the categories of points in it.

    ``month`` is the first day of the month whose sums it counts in, ``year`` that of its evening.
    ``texts`` are stored as JSON, or take no more bytes than as JSON.
    """

    month: date
    year: int
    level: str
    kind: str
    seats: Collection[Hashable]
    parts: Collection[str]
    texts: object
    has_bots: bool = False


def estimate_games(group: Group, games: Iterable[Coming]) -> int:
    """Estimate how many bytes a group grows by when games come into it; rather too many."""
    before = _largest_sums(group)
    rows = by_month = 0
    bundles: set[tuple[Hashable, str, int, int, str, bool]] = set()
    entries: defaultdict[Hashable, set[tuple[str, Hashable]]] = defaultdict(set)
    in_order = sorted(games, key=lambda game: game.month)
    for _month, of_month in groupby(in_order, key=lambda game: game.month):
        here: set[Hashable] = set()
        for game in of_month:
            rows += GAME_BYTES + RESULT_BYTES * len(game.seats) + _bytes_of(game.texts)
            named = _entries_of(game)
            for seat in game.seats:
                entries[seat] |= named
                alike = (game.level, game.year, len(game.seats), game.kind, game.has_bots)
                bundles.add((seat, *alike))
            here.update(game.seats)
        # Sums of a month have the entries of all months before.
        by_month += sum(before + ENTRY_BYTES * len(entries[seat]) for seat in here)
    later = 0
    if in_order:
        # The sums of the same players in later months get these entries, too.
        months = _months_after(group, in_order[0].month)
        later = months * ENTRY_BYTES * sum(map(len, entries.values()))
    return rows + by_month + later + len(bundles) * (SUMS_BYTES + 2 * ENTRY_BYTES)


def _largest_sums(group: Group) -> int:
    """Return how many bytes the sums of a player have at most before games come."""
    months = PlayerMonth.objects.filter(player__group=group)
    largest: int = months.aggregate(largest=Max(Length("sums")))["largest"] or SUMS_BYTES
    if group.changed_from is None:
        return largest
    # Of games whose sums are not made yet each level, category and other player may be new.
    games = group.games.filter(evening__gte=group.changed_from)
    levels = games.order_by().values("level_digest").distinct().count()
    results = GroupResult.objects.filter(game__in=games.exclude(kind="typed"))
    parts = {part for one in results.values_list("parts", flat=True).iterator() for part in one}
    return largest + ENTRY_BYTES * (2 * levels + len(parts) + group.players.count())


def _months_after(group: Group, month: date) -> int:
    """Return in how many months after one a group may have played, rather too many."""
    games = group.games.filter(evening__gte=(month + timedelta(days=32)).replace(day=1))
    found = games.aggregate(count=Count("pk"), latest=Max("evening"))
    if not found["count"]:
        return 0
    latest = found["latest"]
    span = 12 * (latest.year - month.year) + latest.month - month.month
    return int(min(span, found["count"]))


def _entries_of(game: Coming) -> set[tuple[str, Hashable]]:
    return {
        ("alone" if len(game.seats) == 1 else "level", game.level),
        *(("part", part) for part in game.parts),
        *(("met", seat) for seat in game.seats),
    }


def estimate_evenings(texts: Collection[str]) -> int:
    """Estimate how many bytes evenings take, each by its place and note."""
    return EVENING_BYTES * len(texts) + sum(map(_bytes_of, texts))


def _bytes_of(stored: object) -> int:
    return len(json.dumps(stored))

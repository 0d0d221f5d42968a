"""Which fields do the people of a group cross on a level? Summed up as games come and go.

Each sheet keeps its crosses (`GroupResult.crossed`), so that its game can be taken out of the sums
again, and one person's be told from all others'. Whoever calls this has locked the group.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sheets.models import CrossedInYear, Group, GroupGame, GroupLevel, GroupResult
from sheets.rules import Level, format_level, parse_level
from sheets.rules.level import bits


class Crossed(NamedTuple):
    """On how many of some sheets each field was crossed, in the level's order."""

    level: Level
    is_bought: bool
    games: int
    sheets: int
    counts: Sequence[int]

    @property
    def shares(self) -> dict[str, float]:
        """The share of the sheets by field, without volcanoes, which nobody can cross."""
        return {
            field.name: count / self.sheets
            for field, count in zip(self.level.fields, self.counts, strict=True)
            if field.symbol != "volcano"
        }

    @property
    def by_hand(self) -> dict[str, int]:
        """On how many sheets people have crossed each field that is not printed crossed."""
        return {
            field.name: count
            for field, count in zip(self.level.fields, self.counts, strict=True)
            if not field.printed and field.name not in self.level.printed_tracks
        }


def count_in(game: GroupGame, level: Level, *, is_bought: bool) -> None:
    """Add what was crossed in a game whose results have just been written."""
    known, is_new = GroupLevel.objects.get_or_create(
        group_id=game.group_id,
        digest=game.level_digest,
        defaults={"document": format_level(level), "is_bought": is_bought},
    )
    if is_new:
        count_anew(known)
        return
    if is_bought and not known.is_bought:
        known.is_bought = True
        known.save(update_fields=["is_bought"])
    _add(known, game, 1)


def take_out(game: GroupGame) -> None:
    """Take away what was crossed in a game, before its results are."""
    known = GroupLevel.objects.filter(group_id=game.group_id, digest=game.level_digest).first()
    if known:
        _add(known, game, -1)
        if not known.years.exists():
            known.delete()


def count_anew(known: GroupLevel) -> None:
    """Sum up all crosses that are kept of a level."""
    rows = (
        GroupResult.objects.filter(game__group=known.group_id, game__level_digest=known.digest)
        .exclude(crossed="")
        .order_by()
        .values_list("game__evening__year", "game", "crossed")
    )
    by_year: dict[int, tuple[set[int], list[str]]] = {}
    for year, game, crossed in rows.iterator():
        games, sheets = by_year.setdefault(year, (set(), []))
        games.add(game)
        sheets.append(crossed)
    level = level_of(known)
    known.years.all().delete()
    CrossedInYear.objects.bulk_create(
        CrossedInYear(
            level=known,
            year=year,
            games=len(games),
            sheets=len(sheets),
            counts=_counts(level, sheets),
        )
        for year, (games, sheets) in by_year.items()
    )


def crossed_in(group: Group, digest: str, year: int = 0) -> Crossed | None:
    """What a group crosses on a level, in one year or in all; None where no sheet is known."""
    known = group.levels.filter(digest=digest).first()
    if known is None:
        return None
    years = known.years.filter(year=year) if year else known.years.all()
    rows = list(years)
    if not rows:
        return None
    return Crossed(
        level_of(known),
        known.is_bought,
        sum(row.games for row in rows),
        sum(row.sheets for row in rows),
        [sum(several) for several in zip(*(row.counts for row in rows), strict=True)],
    )


def crossed_on(known: GroupLevel, sheets: Sequence[str]) -> Crossed:
    """The same for some sheets, each of another game, by what is kept of them."""
    level = level_of(known)
    return Crossed(level, known.is_bought, len(sheets), len(sheets), _counts(level, sheets))


def level_of(known: GroupLevel) -> Level:
    """The level itself."""
    return _parse(json.dumps(known.document, sort_keys=True))


@lru_cache(maxsize=64)
def _parse(text: str) -> Level:
    document: Mapping[str, Any] = json.loads(text)
    return parse_level(document)


def _add(known: GroupLevel, game: GroupGame, sign: int) -> None:
    sheets = list(game.results.exclude(crossed="").values_list("crossed", flat=True))
    if not sheets:
        return
    level = level_of(known)
    year = game.evening.year
    row = known.years.filter(year=year).first() or CrossedInYear(
        level=known, year=year, counts=[0] * len(level.fields)
    )
    row.games += sign
    row.sheets += sign * len(sheets)
    added = _counts(level, sheets)
    row.counts = [old + sign * more for old, more in zip(row.counts, added, strict=True)]
    if row.sheets:
        row.save()
    elif row.pk:
        row.delete()


def _counts(level: Level, sheets: Iterable[str]) -> list[int]:
    counts = [0] * len(level.fields)
    for crossed in sheets:
        # A file may say anything: what the level does not have is not counted.
        for index in bits(int(crossed, 16) & level.all):
            counts[index] += 1
    return counts

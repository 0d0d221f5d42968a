"""Bundles of games are made anew when a game of theirs has come, changed or gone.

That happens when somebody asks for them. Whoever says that something has changed has locked the
group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from sheets.groups.bundles import (
    Bundle,
    Seat,
    bundle_of,
    format_bundle,
    leave_out_matches,
    read_bundle,
)
from sheets.groups.crosses import Crossed, level_of
from sheets.groups.filters import ALL, WITH_BOTS, WITHOUT_BOTS, Choice
from sheets.models import GameBundle, Group, GroupGame, GroupLevel, GroupResult
from sheets.rules import Level, format_level

AT_ONCE: Final = 2000
"""So many games are added up for one page, and as many more as their last bundle has."""

LEAST_COUNTED: Final = 5
"""A bundle counts as at least so many games: it takes queries of its own."""


class Bundled(NamedTuple):
    """Games that are alike, by what they are alike in."""

    level: str
    year: int
    players: int
    kind: str
    sums: Bundle


def count_in(game: GroupGame, level: Level | None, *, is_bought: bool) -> None:
    """Say that the results of a game have just been written; ``level``: of its sheets, if known."""
    say_changed(GroupGame.objects.filter(pk=game.pk))
    if level is not None:
        keep_level(game.group_id, game.level_digest, level, is_bought=is_bought)


def keep_level(group_id: int, digest: str, level: Level, *, is_bought: bool = False) -> None:
    """Keep the level that the results of a game in a group know the crosses of."""
    known, is_new = GroupLevel.objects.get_or_create(
        group_id=group_id,
        digest=digest,
        defaults={"document": format_level(level), "is_bought": is_bought},
    )
    if is_new:  # games from before may have crosses that nobody could count
        GameBundle.objects.filter(group=group_id, level_digest=digest).update(sums="")
    elif is_bought and not known.is_bought:
        known.is_bought = True
        known.save(update_fields=["is_bought"])


def take_out(game: GroupGame) -> None:
    """Say that the results of a game are about to go or to change."""
    say_changed(GroupGame.objects.filter(pk=game.pk))
    on_it = GroupResult.objects.filter(
        game__group=game.group_id, game__level_digest=game.level_digest
    ).exclude(crossed="")
    if on_it.filter(game=game).exists() and not on_it.exclude(game=game).exists():
        GroupLevel.objects.filter(group=game.group_id, digest=game.level_digest).delete()


def say_changed(games: QuerySet[GroupGame]) -> None:
    """Have the bundles of some games made anew: their results have changed, or are about to."""
    rows = (
        GroupResult.objects.filter(game__in=games)
        .order_by()
        .values_list(
            *("game__group", "game__level_digest", "game__evening__year", "game__kind"),
            *("has_bots", "chance"),
        )
        .distinct()
    )
    GameBundle.objects.bulk_create(
        (
            GameBundle(
                group_id=group,
                level_digest=digest,
                year=year,
                kind=kind,
                has_bots=has_bots,
                players=players,
            )
            for group, digest, year, kind, has_bots, players in sorted(
                {(*alike, round(1 / chance)) for *alike, chance in rows}
            )
        ),
        update_conflicts=True,
        unique_fields=["group", "level_digest", "year", "players", "kind", "has_bots"],
        update_fields=["sums"],
    )


def freshen(group: Group, choice: Choice = ALL) -> int:
    """Make the bundles of a choice anew that have changed; gives how many games are left."""
    changed = group.bundles.filter(choice.on_bundles(), sums="")
    if not changed.exists():  # as a rule
        return 0
    with transaction.atomic():
        Group.objects.select_for_update().get(pk=group.pk)
        levels = {known.digest: level_of(known) for known in group.levels.all()}
        games = 0
        for bundle in changed.order_by("-year", "pk"):
            if games >= AT_ONCE:
                return _games_left(group, choice)
            found = bundle_of(_games_of(bundle), levels.get(bundle.level_digest))
            if found.games:
                bundle.sums = format_bundle(found)
                bundle.save(update_fields=["sums"])
                games += max(found.games, LEAST_COUNTED)
            else:
                bundle.delete()
    return 0


def _games_left(group: Group, choice: Choice) -> int:
    """Count the games of a choice whose bundles have changed."""
    alike = ("level_digest", "year", "players", "kind", "has_bots")
    changed = set(group.bundles.filter(choice.on_bundles(), sums="").values_list(*alike))
    rows = (
        group.games.filter(choice.games(), is_open=False, results__seat=0)
        .order_by()
        .values_list(
            "level_digest", "evening__year", "results__chance", "kind", "results__has_bots"
        )
        .annotate(count=Count("pk"))
    )
    return sum(
        count
        for level, year, chance, kind, has_bots, count in rows
        if (level, year, round(1 / chance), kind, has_bots) in changed
    )


def bundles_of(group: Group, choice: Choice = ALL) -> list[Bundled]:
    """What a choice of a group's games is made of, as it was added up last.

    Games with bots are games with others only where they were chosen.
    """
    rows = group.bundles.filter(choice.on_bundles()).exclude(sums="")
    found = []
    for has_bots, digest, year, players, kind, text in rows.values_list(
        "has_bots", "level_digest", "year", "players", "kind", "sums"
    ):
        sums = read_bundle(text)
        if has_bots and choice.bots != WITH_BOTS:
            leave_out_matches(sums)
        found.append(Bundled(digest, year, players, kind, sums))
    return found


def crossed_among(known: GroupLevel | None, bundles: Iterable[Bundled]) -> Crossed | None:
    """What is crossed on a level in some games; None where no sheet of them is known."""
    if known is None:
        return None
    found = [one.sums for one in bundles if one.level == known.digest and one.sums.crossed]
    if not found:
        return None
    return Crossed(
        level_of(known),
        known.is_bought,
        sum(one.crossed_games for one in found),
        sum(one.crossed_sheets for one in found),
        [sum(several) for several in zip(*(one.crossed for one in found), strict=True)],
    )


def _games_of(bundle: GameBundle) -> Iterator[list[Seat]]:
    """Its games as they were played, each with its results as they were placed."""
    rows = (
        _results_of(bundle)
        .order_by("game__played", "game__number", "place", "seat")
        .values_list(
            *("pk", "game", "game__number", "game__played", "game__evening", "game__seconds"),
            *("player", "label", "place", "won", "chance", "total", "parts", "game__kind"),
            *("game__level_digest", "game__rating", "crossed"),
        )
    )
    seats = (Seat(*row) for row in rows.iterator(chunk_size=AT_ONCE))
    for _game, several in groupby(seats, key=lambda seat: seat.game):
        yield list(several)


def _results_of(bundle: GameBundle) -> QuerySet[GroupResult]:
    bots = WITH_BOTS if bundle.has_bots else WITHOUT_BOTS
    choice = Choice(bundle.year, bundle.level_digest, bundle.players, bundle.kind, bots)
    return GroupResult.objects.filter(
        choice.on_results(),
        # A choice without a level is one of all.
        Q(game__level_digest=bundle.level_digest),
        game__group=bundle.group_id,
        game__is_open=False,
    )

"""Store games in a group: each once, and updated when its sheets or its table change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from sheets.access.keys import Access, lock
from sheets.groups.crosses import drop_level_of, keep_level
from sheets.groups.played import (
    FinishedGame,
    end_of,
    level_name_of,
    of_scoring,
    of_table,
    of_tally,
)
from sheets.groups.players import Known, known_as
from sheets.groups.store import note_change
from sheets.models import Group, GroupGame, GroupResult, Scoring, Table, Tally
from sheets.rules import Level

Source = Scoring | Tally | Table
"""Source of a game."""

SOURCE_FIELDS: Final = {Scoring: "scoring", Tally: "tally", Table: "table"}
"""Fields of `GroupGame` by the type of its source."""

SOURCE_KINDS: Final = {Scoring: "sheets", Tally: "tally", Table: "table"}
"""Kinds of games of Dizzle by the type of their source."""

DICE2: Final = "dice2"
"""Kind of all games of Dice²."""

MOST_LOOKED_AT: Final = 20
"""Maximum number of changed games that one page view updates."""

LATEST: Final = 50
"""Number of latest games that a page view checks for changes; older ones are checked before their
sources are pruned."""

MOST_GAMES: Final = 20_000
"""Maximum number of games of a group."""

BATCH: Final = 2000
"""Number of rows that one statement writes."""


class GroupFull(Exception):
    """The group has as many games as it can have."""


@transaction.atomic
def keep(access: Access[Group], source: Source) -> GroupGame:
    """Add a game to a group, idempotently, with its results if it is over.

    A game that the group already has from a file is not added again, nor the other way round.

    Raises:
        NotAllowed: the key of the group is read-only.
        GroupFull: nothing has changed.
    """
    group = lock(access)
    known = group.games.filter(**{SOURCE_FIELDS[type(source)]: source}).first()
    if known is None and (twin := _same_in(group, source)):
        return twin
    if known is None:
        check_room(group, 1)
        group.last_number += 1
        dice2 = source.game if isinstance(source, Table) else ""
        group.touched = timezone.now()
        group.save(update_fields=["last_number", "touched"])
        known = GroupGame.objects.create(
            group=group,
            number=group.last_number,
            kind=DICE2 if dice2 else SOURCE_KINDS[type(source)],
            level_id=dice2,
            played=timezone.now(),
            evening=source.evening_of(timezone.now()),
            level_name=level_name_of(source),
            **{SOURCE_FIELDS[type(source)]: source},
        )
    _look_at(group, known)
    return known


def _same_in(group: Group, source: Source) -> GroupGame | None:
    """Return the group's game with the content of a source, if one of the two is from a file."""
    if isinstance(source, Scoring) and source.file_digest:
        return group.games.filter(content=source.file_digest).first()
    played = played_of(source)
    if played is None or not played.content:
        return None
    from_files = group.games.filter(scoring=None, tally=None, table=None)
    return from_files.filter(content=played.content).first()


def check_room(group: Group, count: int) -> None:
    """Check that a number of games fits into a group. Raises GroupFull."""
    if group.last_number + count > MOST_GAMES:
        raise GroupFull


def add_games(
    group: Group,
    games: Sequence[tuple[FinishedGame, date]],
    players: Sequence[Sequence[Known]] | None = None,
) -> None:
    """Add games that were not played on this site, each with its day.

    The group must be locked. ``players`` are those of each game; without them, players are known by
    their names. Raises GroupFull: nothing has changed.
    """
    if not games:
        return
    check_room(group, len(games))
    rows = [
        _filled(GroupGame(group=group, number=number, evening=day), played, played.played)
        for number, (played, day) in enumerate(games, start=group.last_number + 1)
    ]
    GroupGame.objects.bulk_create(rows, batch_size=BATCH)
    _save_results(
        (game, played, players[place] if players else _named_players(group, game, played))
        for place, (game, (played, _day)) in enumerate(zip(rows, games, strict=True))
    )
    group.last_number += len(games)
    group.save(update_fields=["last_number"])
    note_change(group, min(day for _played, day in games))


def rewrite_game(group: Group, game: GroupGame, played: FinishedGame, day: date) -> None:
    """Replace the results of a game, and its day. The group must be locked."""
    note_change(group, min(game.evening, day))
    drop_level_of(game)
    game.evening = day
    _replace_results(group, game, played, played.played)


def kept_in(source: Source, groups: Iterable[Group]) -> list[GroupGame]:
    """Return the games of some groups that came from a source."""
    same = Q(**{SOURCE_FIELDS[type(source)]: source})
    if isinstance(source, Scoring) and source.file_digest:
        same |= Q(content=source.file_digest)
    return list(GroupGame.objects.filter(same, group__in=groups).select_related("group"))


def day_of(source: Source) -> date | None:
    """Return the evening of a game; None if it is not known, or a table's game goes on.

    A group stores the evening of each of its games. Sheets and a tally that are in no group
    belong to the evening on which they were created.
    """
    kept = GroupGame.objects.filter(is_open=False, **{SOURCE_FIELDS[type(source)]: source})
    evening: date | None = kept.order_by("evening").values_list("evening", flat=True).first()
    if evening is None:
        moment = end_of(source) if isinstance(source, Table) else source.created
        return source.evening_of(moment) if moment else None
    return evening


def look_again(group: Group) -> None:
    """Update games whose sources have changed, a limited number at a time.

    Open games whose sheets or table were deleted can never end, so they are deleted.
    """
    gone = {"scoring": None, "tally": None, "table": None}
    GroupGame.objects.filter(group=group, is_open=True, **gone).delete()
    latest = GroupGame.objects.filter(group=group, number__gt=group.last_number - LATEST)
    if not _changed(latest):  # the usual case, which takes no lock
        return
    with transaction.atomic():
        group = Group.objects.select_for_update().get(pk=group.pk)
        for game in _changed(latest)[:MOST_LOOKED_AT]:
            _look_at(group, game)


def look_again_at(source: Source, groups: Iterable[Group]) -> list[GroupGame]:
    """Update the games of some groups that came from a source, and return them."""
    games = kept_in(source, groups)
    changed = _changed(GroupGame.objects.filter(pk__in=[game.pk for game in games]))
    for game in changed:
        with transaction.atomic():
            _look_at(Group.objects.select_for_update().get(pk=game.group_id), game)
    return kept_in(source, [game.group for game in games]) if changed else games


def keep_before_pruning(before: datetime) -> None:
    """Update games whose tables or sheets are about to be pruned."""
    old = (
        Q(scoring__touched__lt=before) | Q(tally__touched__lt=before) | Q(table__touched__lt=before)
    )
    for game in _changed(GroupGame.objects.filter(old)):
        with transaction.atomic():
            _look_at(Group.objects.select_for_update().get(pk=game.group_id), game)


def _changed(games: QuerySet[GroupGame]) -> list[GroupGame]:
    changed = (
        (Q(scoring__isnull=False) & ~Q(revision=F("scoring__revision") + 1))
        | (Q(tally__isnull=False) & ~Q(revision=F("tally__revision") + 1))
        | (Q(table__isnull=False) & ~Q(revision=F("table__revision") + 1))
    )
    return list(games.filter(changed).order_by("pk"))


def _look_at(group: Group, game: GroupGame) -> None:
    """Update a game from its source; it is open until it is over. The group must be locked."""
    if not game.is_open:
        note_change(group, game.evening)
    source = _source_of(game)
    played = played_of(source)
    drop_level_of(game)
    if played is None:
        GroupGame.objects.filter(pk=game.pk).update(revision=source.revision + 1, is_open=True)
        game.results.all().delete()
        return
    # The moment at which a paper game was added stays; a table's log has the end of its game.
    when = played.played if played.kind in ("table", DICE2) else game.played
    game.revision, game.evening = source.revision + 1, source.evening_of(when)
    note_change(group, game.evening)
    _replace_results(group, game, played, when)


def _replace_results(group: Group, game: GroupGame, played: FinishedGame, when: datetime) -> None:
    """Save a game, and replace its results."""
    _filled(game, played, when).save()
    game.results.all().delete()
    _save_results([(game, played, _named_players(group, game, played))])


def _filled(game: GroupGame, played: FinishedGame, when: datetime) -> GroupGame:
    """Set the fields of a game that is over, and return it."""
    game.kind, game.is_open, game.played = played.kind, False, when
    game.level_name, game.level_id = dict(played.level_name), played.level_id
    game.level_digest, game.rating = played.level_digest, played.rating
    game.content, game.starter, game.seconds = played.content, played.starter, played.seconds
    game.players = len(played.results)
    game.has_bots = any(one.is_bot for one in played.results)
    return game


def _named_players(group: Group, game: GroupGame, played: FinishedGame) -> list[Known]:
    return known_as(group, ["" if one.is_bot else one.name for one in played.results], game)


def _save_results(games: Iterable[tuple[GroupGame, FinishedGame, Sequence[Known]]]) -> None:
    """Save the results of games, and the levels of those with crosses."""
    rows: list[GroupResult] = []
    levels: dict[str, tuple[int, Level, bool]] = {}
    for game, played, known in games:
        if played.level is not None:
            levels[game.level_digest] = game.group_id, played.level, played.is_bought
        rows += (
            GroupResult(
                game=game,
                player=player,
                typed=typed,
                seat=seat,
                label=one.name if one.is_bot else "",
                total=None if played.kind == DICE2 else one.total,
                points=one.total,
                marks=one.marks,
                place=one.place,
                won=one.won,
                parts=dict(one.parts),
                crossed=one.crossed,
                played=game.played,
            )
            for seat, (one, (player, typed)) in enumerate(zip(played.results, known, strict=True))
        )
    GroupResult.objects.bulk_create(rows, batch_size=BATCH)
    for digest, (group_id, level, is_bought) in levels.items():
        keep_level(group_id, digest, level, is_bought=is_bought)


def _source_of(game: GroupGame) -> Source:
    source = game.scoring or game.tally or game.table
    if source is None:
        raise ValueError("a game that is looked at has a source")
    return source


def played_of(source: Source) -> FinishedGame | None:
    """Return the result of a source; None while it is not over."""
    if isinstance(source, Scoring):
        return of_scoring(source)
    if isinstance(source, Tally):
        return of_tally(source)
    return of_table(source)

"""Storage of games in a group: each game once, updated when its sheets or its table change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from sheets.access.keys import Access, lock
from sheets.groups.crossed_fields import delete_unused_level, store_level
from sheets.groups.game_results import (
    FinishedGame,
    end_of,
    level_name_of,
    result_of_scoring,
    result_of_table,
    result_of_tally,
)
from sheets.groups.players import Known, match_players
from sheets.groups.store import note_change
from sheets.models import Group, GroupGame, GroupResult, Scoring, Table, Tally
from sheets.rules import Level

Source = Scoring | Tally | Table
"""Source of a game in a group: scored paper sheets, a tally, or a table."""

SOURCE_FIELDS: Final = {Scoring: "scoring", Tally: "tally", Table: "table"}
"""Field of `GroupGame` that refers to the source, by the type of the source."""

SOURCE_KINDS: Final = {Scoring: "sheets", Tally: "tally", Table: "table"}
"""Value of `GroupGame.kind` for a game of Dizzle, by the type of its source."""

DICE2: Final = "dice2"
"""Value of `GroupGame.kind` for all games of Dice²."""

MAX_UPDATED_GAMES: Final = 20
"""Maximum number of changed games that one page view updates."""

MAX_CHECKED_GAMES: Final = 50
"""Number of latest games that a page view checks for changes; older ones are checked before their
sources are pruned."""

MAX_GAMES: Final = 20_000
"""Maximum number of games of a group; deleted games count, too."""

BATCH_SIZE: Final = 2000
"""Number of rows that one statement writes."""


class GroupFull(Exception):
    """The group would have more than `MAX_GAMES` games."""


@transaction.atomic
def add_game(access: Access[Group], source: Source) -> GroupGame:
    """Add a game to a group, with its results if it is over, and return the group's entry.

    If the group has the game already, from the same source or from a file, nothing is added.

    Raises:
        NotAllowed: the key of the group is read-only.
        GroupFull: nothing has changed.
    """
    group = lock(access)
    known = group.games.filter(**{SOURCE_FIELDS[type(source)]: source}).first()
    if known is None and (twin := _duplicate_in(group, source)):
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
    _update_game(group, known)
    return known


def _duplicate_in(group: Group, source: Source) -> GroupGame | None:
    """Return the group's game with the same content as a source, or None.

    At least one of the two must come from a file.
    """
    if isinstance(source, Scoring) and source.file_digest:
        return group.games.filter(content=source.file_digest).first()
    played = result_of_source(source)
    if played is None or not played.content:
        return None
    from_files = group.games.filter(scoring=None, tally=None, table=None)
    return from_files.filter(content=played.content).first()


def check_room(group: Group, count: int) -> None:
    """Check that ``count`` more games fit into a group. Raises GroupFull."""
    if group.last_number + count > MAX_GAMES:
        raise GroupFull


def add_games(
    group: Group,
    games: Sequence[tuple[FinishedGame, date]],
    players: Sequence[Sequence[Known]] | None = None,
) -> None:
    """Add games that were not played on this site, each with its day.

    The group must be locked. ``players`` has the players of each game; without it, players are
    matched by name. Raises GroupFull: nothing has changed.
    """
    if not games:
        return
    check_room(group, len(games))
    rows = [
        _with_result(GroupGame(group=group, number=number, evening=day), played, played.played)
        for number, (played, day) in enumerate(games, start=group.last_number + 1)
    ]
    GroupGame.objects.bulk_create(rows, batch_size=BATCH_SIZE)
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
    delete_unused_level(game)
    game.evening = day
    _replace_results(group, game, played, played.played)


def games_from(source: Source, groups: Iterable[Group]) -> list[GroupGame]:
    """Return the games of some groups that came from a source, or from the file of a scoring."""
    same = Q(**{SOURCE_FIELDS[type(source)]: source})
    if isinstance(source, Scoring) and source.file_digest:
        same |= Q(content=source.file_digest)
    return list(GroupGame.objects.filter(same, group__in=groups).select_related("group"))


def day_of(source: Source) -> date | None:
    """Return the evening of the game of a source; None while the game of a table goes on.

    A group stores the evening of each of its games. Sheets and tallies that are in no group belong
    to the evening on which they were created.
    """
    kept = GroupGame.objects.filter(is_open=False, **{SOURCE_FIELDS[type(source)]: source})
    evening: date | None = kept.order_by("evening").values_list("evening", flat=True).first()
    if evening is None:
        moment = end_of(source) if isinstance(source, Table) else source.created
        return source.evening_of(moment) if moment else None
    return evening


def update_changed_games(group: Group) -> None:
    """Update games whose sources have changed, a limited number at a time.

    Open games whose sheets or table were deleted can never end, so they are deleted.
    """
    gone = {"scoring": None, "tally": None, "table": None}
    GroupGame.objects.filter(group=group, is_open=True, **gone).delete()
    latest = GroupGame.objects.filter(group=group, number__gt=group.last_number - MAX_CHECKED_GAMES)
    if not _changed_games(latest):  # the usual case, which takes no lock
        return
    with transaction.atomic():
        group = Group.objects.select_for_update().get(pk=group.pk)
        for game in _changed_games(latest)[:MAX_UPDATED_GAMES]:
            _update_game(group, game)


def update_games_from(source: Source, groups: Iterable[Group]) -> list[GroupGame]:
    """Update the games that `games_from` returns, and return them."""
    games = games_from(source, groups)
    changed = _changed_games(GroupGame.objects.filter(pk__in=[game.pk for game in games]))
    for game in changed:
        with transaction.atomic():
            _update_game(Group.objects.select_for_update().get(pk=game.group_id), game)
    return games_from(source, [game.group for game in games]) if changed else games


def update_before_pruning(before: datetime) -> None:
    """Update games from tables and sheets last used before a time, which are about to be pruned."""
    old = (
        Q(scoring__touched__lt=before) | Q(tally__touched__lt=before) | Q(table__touched__lt=before)
    )
    for game in _changed_games(GroupGame.objects.filter(old)):
        with transaction.atomic():
            _update_game(Group.objects.select_for_update().get(pk=game.group_id), game)


def _changed_games(games: QuerySet[GroupGame]) -> list[GroupGame]:
    changed = (
        (Q(scoring__isnull=False) & ~Q(revision=F("scoring__revision") + 1))
        | (Q(tally__isnull=False) & ~Q(revision=F("tally__revision") + 1))
        | (Q(table__isnull=False) & ~Q(revision=F("table__revision") + 1))
    )
    return list(games.filter(changed).order_by("pk"))


def _update_game(group: Group, game: GroupGame) -> None:
    """Update a game from its source; mark it as open while its source is not finished.

    The group must be locked.
    """
    if not game.is_open:
        note_change(group, game.evening)
    source = _source_of(game)
    played = result_of_source(source)
    delete_unused_level(game)
    if played is None:
        GroupGame.objects.filter(pk=game.pk).update(revision=source.revision + 1, is_open=True)
        game.results.all().delete()
        return
    # The log of a table has the end of its game. A paper game keeps the time when it was added.
    when = played.played if played.kind in ("table", DICE2) else game.played
    game.revision, game.evening = source.revision + 1, source.evening_of(when)
    note_change(group, game.evening)
    _replace_results(group, game, played, when)


def _replace_results(group: Group, game: GroupGame, played: FinishedGame, when: datetime) -> None:
    """Save a game, and replace its results."""
    _with_result(game, played, when).save()
    game.results.all().delete()
    _save_results([(game, played, _named_players(group, game, played))])


def _with_result(game: GroupGame, played: FinishedGame, when: datetime) -> GroupGame:
    """Copy the data of a finished game, except its results, to a `GroupGame`, and return that."""
    game.kind, game.is_open, game.played = played.kind, False, when
    game.level_name, game.level_id = dict(played.level_name), played.level_id
    game.level_digest, game.rating = played.level_digest, played.rating
    game.content, game.starter, game.seconds = played.content, played.starter, played.seconds
    game.players = len(played.results)
    game.has_bots = any(one.is_bot for one in played.results)
    return game


def _named_players(group: Group, game: GroupGame, played: FinishedGame) -> list[Known]:
    return match_players(group, ["" if one.is_bot else one.name for one in played.results], game)


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
    GroupResult.objects.bulk_create(rows, batch_size=BATCH_SIZE)
    for digest, (group_id, level, is_bought) in levels.items():
        store_level(group_id, digest, level, is_bought=is_bought)


def _source_of(game: GroupGame) -> Source:
    source = game.scoring or game.tally or game.table
    if source is None:
        raise ValueError("an updated game has a source")
    return source


def result_of_source(source: Source) -> FinishedGame | None:
    """Return the finished game of a source; None while the game goes on or input is missing."""
    if isinstance(source, Scoring):
        return result_of_scoring(source)
    if isinstance(source, Tally):
        return result_of_tally(source)
    return result_of_table(source)

"""Loading of a table: its event log and the state that the log leads to, with a cache."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from threading import Lock
from typing import Any, Final, cast

from django.db import transaction
from django.db.models import QuerySet

from dizzle_site.compiled_queries import Statement
from sheets import models
from sheets.models import Table
from sheets.rules import Action
from sheets.rules.documents.game import Record, parse_action
from sheets.tables.access import TableAccess
from sheets.tables.event_log import G, GameState, Loaded, LogState, extend, read_log
from sheets.tables.family import family_of
from sheets.tables.table_settings import MIRRORED, level_of

MAX_CACHED_TABLES: Final = 500
"""Maximum number of games in the cache of this process; the least recently used one is evicted."""


_cache: OrderedDict[tuple[int, str], Loaded[Any]] = OrderedDict()
"""Logs with their states, by primary key and code of the table, in the order of use."""
_cache_lock = Lock()


def load(access: TableAccess) -> Loaded[GameState]:
    """Return the log of a table and its state, as of ``access.table.length`` entries.

    The cache of this process only saves work: entries never change, so a cached log is a prefix of
    the stored one, and the rest is read from the database. Before the game begins nothing is
    cached, because its start may still change, for example who starts it.
    """
    table = access.table
    with _cache_lock:
        loaded: Loaded[GameState] | None = _cache.get(_cache_key(table))
    if loaded is None or loaded.start.players != access.names:
        start: GameState = family_of(table).start(table, access.names)
        loaded = Loaded((), start, LogState(start))
    if len(loaded.entries) > table.length:
        # Another request has appended entries since the table was read; the cache has them.
        entries = loaded.entries[: table.length]
        return Loaded(entries, loaded.start, read_log(loaded.start, entries))
    if len(loaded.entries) < table.length:
        rows = _ENTRIES.rows(table.pk, len(loaded.entries), table.length)
        entries = loaded.entries + tuple(action for (action,) in rows)
        state = extend(loaded.state, loaded.start, entries, len(loaded.entries))
        loaded = Loaded(entries, loaded.start, state)
        remember(table, loaded)
    return loaded


def load_game(access: TableAccess, game_type: type[G]) -> Loaded[G]:
    """Return the log and state of a table that is known to play a game of ``game_type``."""
    loaded = load(access)
    assert isinstance(loaded.start, game_type)  # noqa: S101  # the caller knows the table's game
    return cast("Loaded[G]", loaded)


def _entries(table: int, after: int, until: int) -> QuerySet[models.Entry, tuple[Any]]:
    """Return the query for a table's entries with numbers above ``after``, up to ``until``."""
    rows = models.Entry.objects.filter(table=table).filter(number__gt=after)
    return rows.filter(number__lte=until).order_by("number").values_list("action")


_ENTRIES: Final = Statement(_entries, 1, 2, 3)
"""Compiled query of `_entries`."""


def _cache_key(table: Table) -> tuple[int, str]:
    return table.pk, table.code


def remember(table: Table, loaded: Loaded[G]) -> None:
    """Cache the log of a table after the commit, if its game has begun."""
    if table.has_started:
        transaction.on_commit(partial(_cache_loaded, _cache_key(table), loaded))


def _cache_loaded(key: tuple[int, str], loaded: Loaded[Any]) -> None:
    with _cache_lock:
        _cache[key] = loaded
        _cache.move_to_end(key)
        while len(_cache) > MAX_CACHED_TABLES:
            _cache.popitem(last=False)


def record_of(access: TableAccess) -> Record:
    """Return the record of a game of Dizzle, with the actions that are not struck."""
    table = access.table
    is_tracked = table.dice != MIRRORED
    return Record(level_of(table), table.level_id, access.names, is_tracked, actions_of(access))


def actions_of(access: TableAccess) -> tuple[Action, ...]:
    """Return the actions that are not struck, in their order."""
    loaded = load(access)
    return tuple(parse_action(loaded.entries[n - 1]) for n in loaded.state.applied)

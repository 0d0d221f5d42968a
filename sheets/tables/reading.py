"""Loading of a table: its event log and the state that the log leads to, with a cache."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from django.db import transaction
from django.db.models import QuerySet

from dizzle_site.statements import Statement
from sheets import models
from sheets.models import Table
from sheets.rules import Action
from sheets.rules.documents.game import Record, parse_action
from sheets.tables.access import TableAccess, names_of
from sheets.tables.log import Entry, G, LogState, Played, extend, read_log
from sheets.tables.playing import MIRRORED, Playing, level_of, playing_of

MAX_CACHED_TABLES: Final = 500
"""Maximum number of games in the cache of this process; the least recently used one is evicted."""


Value = TypeVar("Value")


@dataclass(frozen=True)
class Loaded(Generic[G]):
    """A table's log, the state that it leads to, and a cache of values derived from both."""

    entries: tuple[Entry, ...]
    start: G
    state: LogState[G]
    _cache: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def cached(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return a value that depends on log and state alone, computed once for all readers.

        It must not be changed. Two threads may both compute it; their results are equal.
        """
        if key not in self._cache:
            self._cache[key] = compute()
        value: Value = self._cache[key]
        return value


_cache: OrderedDict[tuple[int, str], Loaded[Any]] = OrderedDict()
"""Logs with their states, by primary key and code of the table, in the order of use."""
_cache_lock = Lock()


def load(access: TableAccess) -> Loaded[Played]:
    """Return the log of a table and its state, as of ``access.table.length`` entries."""
    return load_game(access, playing_of(access.table))


def load_game(access: TableAccess, playing: Playing[G]) -> Loaded[G]:
    """Return the same, typed for a game; ``playing`` must be the table's.

    The cache of this process only saves work: entries never change, so a cached log is a prefix of
    the stored one, and the rest is read from the database. Before the game begins nothing is
    cached, because its start may still change, for example who starts it.
    """
    table = access.table
    with _cache_lock:
        loaded: Loaded[G] | None = _cache.get(_cache_key(table))
    if loaded is None or loaded.start.players != names_of(access):
        start = playing.start(table, names_of(access))
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


def _entries(table: int, after: int, until: int) -> QuerySet[models.Entry, tuple[Any]]:
    """Return the query for the entries of a table after one number, up to another."""
    rows = models.Entry.objects.filter(table=table).filter(number__gt=after)
    return rows.filter(number__lte=until).order_by("number").values_list("action")


_ENTRIES: Final = Statement(_entries, 1, 2, 3)
"""Compiled query of `_entries`."""


def _cache_key(table: Table) -> tuple[int, str]:
    return table.pk, table.code


def remember(table: Table, loaded: Loaded[G]) -> None:
    """Cache the log of a game that has begun once the transaction is committed."""
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
    return Record(level_of(table), table.level_id, names_of(access), is_tracked, actions_of(access))


def actions_of(access: TableAccess) -> tuple[Action, ...]:
    """Return the actions that are not struck, in their order."""
    loaded = load(access)
    return tuple(parse_action(loaded.entries[n - 1]) for n in loaded.state.applied)

"""What has been played at a table so far? Its log and the state it leads to."""

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

CACHED_TABLES: Final = 500


What = TypeVar("What")


@dataclass(frozen=True)
class Loaded(Generic[G]):
    """A table's log with the state it leads to, and what was worked out of the two so far."""

    entries: tuple[Entry, ...]
    start: G
    state: LogState[G]
    _known: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def once(self, what: Hashable, work_out: Callable[[], What]) -> What:
        """What follows from log and state alone, worked out once for all who look at them.

        It must not be changed. Two threads may both work it out; they come to the same.
        """
        if what not in self._known:
            self._known[what] = work_out()
        known: What = self._known[what]
        return known


_cache: OrderedDict[tuple[int, str], Loaded[Any]] = OrderedDict()
_cache_lock = Lock()


def load(access: TableAccess) -> Loaded[Played]:
    """The log of a table and its state, as of ``access.table.length`` entries."""
    return load_game(access, playing_of(access.table))


def load_game(access: TableAccess, playing: Playing[G]) -> Loaded[G]:
    """The same where it is known what is played: ``playing`` must be the table's.

    What this process has read before is kept only to save work: entries never change, so it is
    right as far as it goes, and the rest is read from the database. Before the game begins nothing
    is kept: who starts it, for one, may still change.
    """
    table = access.table
    with _cache_lock:
        known: Loaded[G] | None = _cache.get(_cache_key(table))
    if known is None or known.start.players != names_of(access):
        start = playing.start(table, names_of(access))
        known = Loaded((), start, LogState(start))
    if len(known.entries) > table.length:
        # Somebody was faster since the table was read, and this process knows it already.
        entries = known.entries[: table.length]
        return Loaded(entries, known.start, read_log(known.start, entries))
    if len(known.entries) < table.length:
        rows = _ENTRIES.rows(table.pk, len(known.entries), table.length)
        entries = known.entries + tuple(action for (action,) in rows)
        state = extend(known.state, known.start, entries, len(known.entries))
        known = Loaded(entries, known.start, state)
        remember(table, known)
    return known


def _entries(table: int, after: int, until: int) -> QuerySet[models.Entry, tuple[Any]]:
    rows = models.Entry.objects.filter(table=table).filter(number__gt=after)
    return rows.filter(number__lte=until).order_by("number").values_list("action")


_ENTRIES: Final = Statement(_entries, 1, 2, 3)


def _cache_key(table: Table) -> tuple[int, str]:
    return table.pk, table.code


def remember(table: Table, loaded: Loaded[G]) -> None:
    """Cache a begun game once it is committed; the tables used last stay."""
    if table.has_started:
        transaction.on_commit(partial(_cache_loaded, _cache_key(table), loaded))


def _cache_loaded(key: tuple[int, str], loaded: Loaded[Any]) -> None:
    with _cache_lock:
        _cache[key] = loaded
        _cache.move_to_end(key)
        while len(_cache) > CACHED_TABLES:
            _cache.popitem(last=False)


def record_of(access: TableAccess) -> Record:
    """A game of Dizzle as it is written down: the actions that are not struck."""
    table = access.table
    is_tracked = table.dice != MIRRORED
    return Record(level_of(table), table.level_id, names_of(access), is_tracked, actions_of(access))


def actions_of(access: TableAccess) -> tuple[Action, ...]:
    """The actions that are not struck, in their order."""
    loaded = load(access)
    return tuple(parse_action(loaded.entries[n - 1]) for n in loaded.state.applied)

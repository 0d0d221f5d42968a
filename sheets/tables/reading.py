"""What has been played at a table so far? Its log and the state it leads to."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any, Final, NamedTuple

from sheets.models import Table
from sheets.rules import Action
from sheets.rules.record import Record, parse_action
from sheets.tables.doors import Door, names_of
from sheets.tables.log import LogState, Played, extend, read_log
from sheets.tables.playing import MIRRORED, family_of, level_of

CACHED_TABLES: Final = 200


class Loaded(NamedTuple):
    """A table's log with the state it leads to."""

    entries: tuple[Mapping[str, Any], ...]
    start: Played
    state: LogState


_cache: OrderedDict[tuple[int, str], Loaded] = OrderedDict()
_cache_lock = Lock()


def load(door: Door) -> Loaded:
    """The log of a table and its state, as of ``door.table.length`` entries.

    What this process has read before is kept only to save work: entries never change, so it is
    right as far as it goes, and the rest is read from the database.
    """
    table = door.table
    with _cache_lock:
        known = _cache.get(_cache_key(table))
    if known is None or known.start.players != names_of(door):
        start = family_of(table).start(table, names_of(door))
        known = Loaded((), start, LogState(start))
    if len(known.entries) > table.length:
        # Somebody was faster since the table was read, and this process knows it already.
        entries = known.entries[: table.length]
        return Loaded(entries, known.start, read_log(known.start, entries))
    if len(known.entries) < table.length:
        rows = table.entries.filter(number__gt=len(known.entries), number__lte=table.length)
        entries = known.entries + tuple(rows.values_list("action", flat=True))
        state = extend(known.state, known.start, entries, len(known.entries))
        known = Loaded(entries, known.start, state)
        remember(table, known)
    return known


def _cache_key(table: Table) -> tuple[int, str]:
    return table.pk, table.code


def remember(table: Table, loaded: Loaded) -> None:
    """Keep what is stored, the tables used last; never what is not committed."""
    with _cache_lock:
        _cache[_cache_key(table)] = loaded
        _cache.move_to_end(_cache_key(table))
        while len(_cache) > CACHED_TABLES:
            _cache.popitem(last=False)


def record_of(door: Door) -> Record:
    """A game of Dizzle as it is written down: the actions that are not struck."""
    table = door.table
    is_tracked = table.dice != MIRRORED
    return Record(level_of(table), table.level_id, names_of(door), is_tracked, actions_of(door))


def actions_of(door: Door) -> tuple[Action, ...]:
    """The actions that are not struck, in their order."""
    loaded = load(door)
    return tuple(parse_action(loaded.entries[n - 1]) for n in loaded.state.applied)

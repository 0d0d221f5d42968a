"""Append to a table's event log with optimistic locking; only this module writes moves.

Every request appends its entries in one transaction that also increments the table's revision, on
the condition that this is still the revision on which the request was decided. Otherwise another
request was faster, and this one is decided again on the new log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from datetime import timedelta
from threading import Lock
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from dizzle_site.database_errors import StillLocked
from sheets.live import bus
from sheets.models import Table
from sheets.rules import Action, RuleViolation
from sheets.rules.documents.game import format_action
from sheets.tables import background_bots
from sheets.tables.access import (
    NotYours,
    Refused,
    Stale,
    TableAccess,
    UnknownTable,
    find_access,
    renew,
)
from sheets.tables.bots import HARD, MEDIUM, bots_at
from sheets.tables.event_loader import load, remember
from sheets.tables.event_log import (
    SIMULTANEOUS_PHASES,
    GameState,
    HintRequest,
    Loaded,
    LogState,
    extend,
)
from sheets.tables.event_store import Row, ends_pause, store_entries
from sheets.tables.family import family_of, thinker_at
from sheets.tables.hints import open_request
from sheets.tables.table_settings import ROLLED

MAX_ATTEMPTS: Final = 50
"""Maximum number of attempts to append a request; each failed one means that another succeeded."""

QUEUE_SECONDS: Final = 5.0
"""How long a request waits for the write lock of this process, in seconds.

If another program blocks the database, each thread in the queue would wait for it in turn.
"""

MAX_ENTRIES: Final = 5000
"""Maximum number of entries in the log of a table."""

MAX_FOLLOW_UPS: Final = 400
"""Maximum number of automatic entries that one act may trigger: bots' moves and rolled dice."""


class NewEntry(NamedTuple):
    """An entry to append.

    Attributes:
        entry: the entry as it is stored.
        seat: the seat that acts, None for an automatic action.
        action: the action of the game in the entry, None for an entry about the table itself.
    """

    entry: Mapping[str, Any]
    seat: int | None = None
    action: Action | None = None


log = logging.getLogger(__name__)
"""Logger of this module."""

Decide = Callable[[TableAccess, Loaded[GameState]], list[NewEntry]]
"""Function that returns the entries of a request for the current log.

It raises NotYours, Stale, Refused or RuleViolation to refuse the request.
"""


def append(
    access: TableAccess, request: str, decide: Decide, *, in_lobby: bool = False
) -> TableAccess:
    """Append the entries of a request and the automatic entries after them, all or nothing.

    The first attempt uses the table as ``access`` has read it. If ``decide`` refuses the request,
    or another request was faster, the table is read again and the request is decided again. That is
    repeated, up to `MAX_ATTEMPTS` times, as long as other requests are faster.

    Args:
        access: the table and the seats held.
        request: idempotency key, empty for none; if the log has it, nothing is appended.
        decide: returns the entries.
        in_lobby: whether they can be appended before the game begins: entries about the table only.

    Returns:
        The access with the table after the change.

    Raises:
        NotYours, Stale, Refused, RuleViolation: ``decide`` has refused the request again, the game
            has not begun, the log is full, or all attempts have failed.
    """
    for attempt in range(MAX_ATTEMPTS):
        if attempt:
            access = renew(access)
            if request and access.table.entries.filter(request=request).exists():
                return access
        try:
            new, loaded = _decide(access, decide, in_lobby=in_lobby)
        except (NotYours, Stale, Refused, RuleViolation):
            if attempt:
                raise
            continue
        if not new:
            _start_background_move(access, loaded)
            return access
        if written := _write(access.table, new, request):
            remember(written, loaded)
            _publish(written)
            access = access._replace(table=written)
            _start_background_move(access, loaded)
            return access
    raise Stale(access.table.code)


def play_on(code: str, patience: timedelta) -> timedelta | None:
    """Make the next move of a hard bot at a table: one act, or all its pieces of track at once.

    An open request for a hint is answered first. If the decision has changed meanwhile, by an undo
    or by another server, the result is discarded, and the computation starts again. Arguments and
    result are those of `background_bots.PlayOn`.
    """
    try:
        access = find_access(code)
    except UnknownTable:
        return None
    before, family = load(access), family_of(access.table)
    hint_request, player = open_request(before.state), thinker_at(access, before.state)
    if hint_request is None and player is None:
        return None
    left = access.table.touched + patience - timezone.now()
    if patience and left > timedelta():
        return left
    if hint_request is not None:
        answer = background_bots.think(family, before.state.game, hint_request.player)
        with suppress(Refused):  # the log is full
            append(access, "", _answer_if_open(hint_request, answer))
    elif player is not None:
        _play_for(access, before, player)
    return None


def _play_for(access: TableAccess, before: Loaded[GameState], player: int) -> None:
    """Compute the move of a player's bot and append it."""
    family = family_of(access.table)
    actions = background_bots.decide(family, before.state.game, player)
    with suppress(Refused):  # the log is full
        try:
            append(access, "", _act_if_unchanged(player, before, actions))
        except RuleViolation:
            log.exception("a bot broke a rule")
            usual = family.choose(before.state.game, player, MEDIUM)
            append(access, "", _act_if_unchanged(player, before, [usual]))


def _answer_if_open(hint_request: HintRequest[GameState], answer: Sequence[Action]) -> Decide:
    """Return a `Decide` that appends the answer to a request for a hint if it is still open.

    An empty answer records that the request has failed.
    """

    def decide(_access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        now = open_request(loaded.state)
        if now is None or now.number != hint_request.number:
            return []
        entry: dict[str, object] = {"do": "advise", "asked": hint_request.number}
        if answer:
            entry["act"] = format_action(answer[0])
        if answer[1:]:
            entry["more"] = [format_action(action) for action in answer[1:]]
        return [NewEntry(entry)]

    return decide


def _act_if_unchanged(player: int, before: Loaded[GameState], actions: Sequence[Action]) -> Decide:
    """Return a `Decide` that appends a bot's actions if its decision has not changed since.

    ``before`` is the log for which the bot computed them.
    """

    def decide(access: TableAccess, loaded: Loaded[GameState]) -> list[NewEntry]:
        state, family = loaded.state, family_of(access.table)
        if thinker_at(access, state) != player or _basis(loaded, player) != _basis(before, player):
            return []
        game, throw = state.game, family.throws(access.table, state)
        return [
            entry_of(family.with_dice_for_bot(access.table, game, act, throw)) for act in actions
        ]

    return decide


def _basis(loaded: Loaded[GameState], player: int) -> Hashable:
    """Return a value that changes if what a player's decision depends on changes.

    In simultaneous phases the decision depends only on the player's own acts.
    """
    state = loaded.state
    if state.game.phase not in SIMULTANEOUS_PHASES:
        return state.applied
    own = (n for n in state.applied if loaded.entries[n - 1].get("player") == player)
    return state.moment, tuple(own)


def resume_thinking(access: TableAccess) -> None:
    """Start a bot's move or a hint that is due at a table, in case its server has stopped.

    Pages and streams that show the table call it. The server that handles an act starts the
    computation itself, without delay.
    """
    may_think = access.table.has_advice or HARD in bots_at(access).values()
    if access.table.has_started and may_think:
        _start_background_move(access, load(access), background_bots.PATIENCE)


def _start_background_move(
    access: TableAccess, loaded: Loaded[GameState], patience: timedelta = timedelta()
) -> None:
    """Start a bot's move or a hint in the background, if one is due, after the commit."""
    if open_request(loaded.state) or thinker_at(access, loaded.state) is not None:
        code = access.table.code
        transaction.on_commit(lambda: background_bots.ask(code, play_on, patience))


def touch(table: Table) -> int:
    """Increment the revision of a table after a change outside the log, and notify all clients.

    It must run in the transaction of the change. Returns the revision.
    """
    row = Table.objects.select_for_update().get(pk=table.pk)
    row.revision += 1
    row.save(update_fields=["revision", "touched"])
    _publish(row)
    return row.revision


def _publish(table: Table) -> None:
    """Notify all clients of the table's revision after the commit."""
    transaction.on_commit(lambda: bus.publish(table.code, table.revision))


@contextmanager
def changing(table: Table) -> Iterator[None]:
    """Context of a change of seats: a transaction that locks the table and notifies all clients."""
    with transaction.atomic():
        touch(table)
        yield


def _decide(
    access: TableAccess, decide: Decide, *, in_lobby: bool
) -> tuple[list[NewEntry], Loaded[GameState]]:
    """Return the entries of a request with the automatic ones after them, and the log with both.

    Raises what ``decide`` raises; Refused also before the game or if the log is full.
    """
    if not (access.table.has_started or in_lobby):
        raise Refused("not-started")
    loaded = load(access)
    new = decide(access, loaded)
    loaded = _with_entries(loaded, new)
    more, loaded = _follow_ups(access, loaded)
    if len(loaded.entries) > MAX_ENTRIES:
        raise Refused("log-full")
    return [*new, *more], loaded


def _write(table: Table, new: list[NewEntry], request: str) -> Table | None:
    """Append entries if the revision is unchanged; return the table as stored, else None.

    An unchanged revision means that neither the table nor its seats have changed since they were
    read, so the copy needs no query.
    """
    now, first = timezone.now(), table.length + 1
    rows = [
        Row(number, one.entry, one.seat, request if request and number == first else None)
        for number, one in enumerate(new, start=first)
    ]
    try:
        with _write_access():
            if not store_entries(table, rows, now):
                return None
    except IntegrityError:
        return None
    written = copy(table)
    written.revision, written.length, written.touched = table.revision + 1, rows[-1].number, now
    written.is_paused = table.is_paused and not ends_pause(rows)
    return written


_write_lock = Lock()
"""Serialises the writes of all threads of this process on SQLite."""


@contextmanager
def _write_access() -> Iterator[None]:
    """Context in which a thread may write; on SQLite threads queue for it.

    SQLite itself would let them sleep and retry. A thread in a transaction need not queue: it holds
    the database's write lock already, as its transaction began as IMMEDIATE.

    Raises:
        StillLocked: the queue does not move on, because another program is writing.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    if not _write_lock.acquire(timeout=QUEUE_SECONDS):
        raise StillLocked
    try:
        yield
    finally:
        _write_lock.release()


def _with_entries(loaded: Loaded[GameState], new: list[NewEntry]) -> Loaded[GameState]:
    """Return the log with new entries appended. Raises RuleViolation."""
    entries = loaded.entries + tuple(one.entry for one in new)
    actions = [one.action for one in new]
    state = extend(loaded.state, loaded.start, entries, len(loaded.entries), actions)
    return Loaded(entries, loaded.start, state)


def _follow_ups(
    access: TableAccess, loaded: Loaded[GameState]
) -> tuple[list[NewEntry], Loaded[GameState]]:
    """Return the automatic entries after a request, and the log with them.

    They end a pass with which all players are done, roll the app's dice, or move bots.
    """
    new: list[NewEntry] = []
    if not access.table.has_started:
        return new, loaded
    while len(new) < MAX_FOLLOW_UPS and (action := _next_automatic_action(access, loaded.state)):
        new.append(entry_of(action))
        loaded = _with_entries(loaded, new[-1:])
    return new, loaded


def _next_automatic_action(access: TableAccess, state: LogState[GameState]) -> Action | None:
    """Return the next automatic action at a table, or None."""
    family = family_of(access.table)
    if access.table.dice != ROLLED:
        # Absent players do not delay the others, but a table without people does not play on.
        left = access.unattended if access.people else frozenset()
        return family.next_with_real_dice(state.game, state.done | left, bots_at(access))
    throw = family.throws(access.table, state)
    return family.next_with_app_dice(access.table, state.game, bots_at(access), throw)


def entry_of(action: Action, seat: int | None = None, by: int | None = None) -> NewEntry:
    """Return the new entry for an action of a seat, or for an automatic one without a seat.

    ``by`` is the host's seat if the host acts for another player.
    """
    extra = {} if by is None else {"by": by}
    return NewEntry({**format_action(action), **extra}, seat if by is None else by, action)

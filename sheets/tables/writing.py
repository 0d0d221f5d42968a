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

from dizzle_site.storage import StillLocked
from sheets.live import bus
from sheets.models import Table
from sheets.rules import Action, RuleViolation
from sheets.rules.documents.game import format_action
from sheets.tables import thinking
from sheets.tables.access import (
    NotYours,
    Refused,
    Stale,
    TableAccess,
    UnknownTable,
    find_access,
    renew,
)
from sheets.tables.advice import open_question
from sheets.tables.log import SIMULTANEOUS_PHASES, LogState, Played, Question, extend
from sheets.tables.playing import ROLLED, bots_at, playing_of, thinker_at, throw_after
from sheets.tables.reading import Loaded, load, remember
from sheets.tables.storing import Row, store_entries
from sheets.tables.strengths import HARD, MEDIUM

MAX_ATTEMPTS: Final = 50
"""Maximum number of attempts to append a request; each failed one means that another succeeded."""

QUEUE_SECONDS: Final = 5.0
"""How long a request waits for the write lock, in seconds.

If one thread cannot write, ten cannot either, one after the other.
"""

MAX_ENTRIES: Final = 5000
"""Maximum number of entries in the log of a table."""

MAX_FOLLOW_UPS: Final = 400
"""Maximum number of automatic entries that one act may trigger: bots' moves and rolled dice."""


class NewEntry(NamedTuple):
    """An entry to append; ``seat`` is the one that acts, ``action`` what it does in the game.

    ``action`` is None for an entry about the table itself.
    """

    entry: Mapping[str, Any]
    seat: int | None = None
    action: Action | None = None


log = logging.getLogger(__name__)
"""Logger of the log's writer."""

Decide = Callable[[TableAccess, Loaded[Played]], list[NewEntry]]
"""Function that returns the entries of a request for the current log, or refuses it."""


def append(
    access: TableAccess, request: str, decide: Decide, *, in_lobby: bool = False
) -> TableAccess:
    """Append the entries of a request and those that follow automatically, all or nothing.

    The first attempt uses what ``access`` has read. If that is refused or too late, the table is
    read again and the request is decided again, as long as other requests are faster. A request id
    that is in the log makes the request idempotent: nothing is appended. Before the game begins
    only entries about the table can be appended, with ``in_lobby``.

    Returns:
        The access with the table as it is then.
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

    An open question for a hint is answered first. If the decision has changed meanwhile, by an undo
    or by another server, the result is discarded, and the computation starts again
    (`thinking.PlayOn`).
    """
    try:
        access = find_access(code)
    except UnknownTable:
        return None
    asked, playing = load(access), playing_of(access.table)
    question, player = open_question(asked.state), thinker_at(access, asked.state)
    if question is None and player is None:
        return None
    left = access.table.touched + patience - timezone.now()
    if patience and left > timedelta():
        return left
    if question is not None:
        answer = thinking.think(playing, asked.state.game, question.player)
        with suppress(Refused):  # the log is full
            append(access, "", _answer_if_open(question, answer))
    elif player is not None:
        _play_for(access, asked, player)
    return None


def _play_for(access: TableAccess, asked: Loaded[Played], player: int) -> None:
    """Compute the move of a player's bot and append it."""
    playing = playing_of(access.table)
    actions = thinking.decide(playing, asked.state.game, player)
    with suppress(Refused):  # the log is full
        try:
            append(access, "", _act_if_unchanged(player, asked, actions))
        except RuleViolation:
            log.exception("a bot broke a rule")
            usual = playing.choose(asked.state.game, player, MEDIUM)
            append(access, "", _act_if_unchanged(player, asked, [usual]))


def _answer_if_open(question: Question[Played], answer: Sequence[Action]) -> Decide:
    """Return a decision that appends an answer, empty for none, if its question is still open."""

    def decide(_access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        now = open_question(loaded.state)
        if now is None or now.number != question.number:
            return []
        entry: dict[str, object] = {"do": "advise", "asked": question.number}
        if answer:
            entry["act"] = format_action(answer[0])
        if answer[1:]:
            entry["more"] = [format_action(action) for action in answer[1:]]
        return [NewEntry(entry)]

    return decide


def _act_if_unchanged(player: int, asked: Loaded[Played], actions: Sequence[Action]) -> Decide:
    """Return a decision that appends a bot's actions if it still has the decision to take."""

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        state, playing = loaded.state, playing_of(access.table)
        if thinker_at(access, state) != player or _basis(loaded, player) != _basis(asked, player):
            return []
        throw = throw_after(state.to_come(playing.thrower(state.game)))
        game = state.game
        return [entry_of(playing.of_bot(access.table, game, act, throw)) for act in actions]

    return decide


def _basis(loaded: Loaded[Played], player: int) -> Hashable:
    """Return all that a player's decision depends on.

    In simultaneous phases these are only the player's own acts.
    """
    state = loaded.state
    if state.game.phase not in SIMULTANEOUS_PHASES:
        return state.applied
    own = (n for n in state.applied if loaded.entries[n - 1].get("player") == player)
    return state.moment, tuple(own)


def resume_thinking(access: TableAccess) -> None:
    """Start a bot's move or a hint that is due at a table, in case its server has stopped.

    Pages and streams that show the table call it; an act does the same at once.
    """
    may_think = access.table.has_advice or HARD in bots_at(access).values()
    if access.table.has_started and may_think:
        _start_background_move(access, load(access), thinking.PATIENCE)


def _start_background_move(
    access: TableAccess, loaded: Loaded[Played], patience: timedelta = timedelta()
) -> None:
    """Start a bot's move or a hint in the background, if one is due, after the commit."""
    if open_question(loaded.state) or thinker_at(access, loaded.state) is not None:
        code = access.table.code
        transaction.on_commit(lambda: thinking.ask(code, play_on, patience))


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
) -> tuple[list[NewEntry], Loaded[Played]]:
    """Return the entries to append, and the log with them."""
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

    Neither the table nor its seats have changed in between.
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
    return written


_write_lock = Lock()
"""Serialises the writes of all threads of this process on SQLite."""


@contextmanager
def _write_access() -> Iterator[None]:
    """Queue for the write lock on SQLite, which would let threads sleep and retry.

    A thread in a transaction holds the database's write lock already: its transaction began as
    IMMEDIATE.

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


def _with_entries(loaded: Loaded[Played], new: list[NewEntry]) -> Loaded[Played]:
    """Return the log with new entries appended. Raises RuleViolation."""
    entries = loaded.entries + tuple(one.entry for one in new)
    actions = [one.action for one in new]
    state = extend(loaded.state, loaded.start, entries, len(loaded.entries), actions)
    return Loaded(entries, loaded.start, state)


def _follow_ups(
    access: TableAccess, loaded: Loaded[Played]
) -> tuple[list[NewEntry], Loaded[Played]]:
    """Return the automatic entries after a request, and the log with them.

    A pass ends when all players are done, the app rolls, and bots move.
    """
    new: list[NewEntry] = []
    if not access.table.has_started:
        return new, loaded
    while len(new) < MAX_FOLLOW_UPS and (action := _next_automatic_action(access, loaded.state)):
        new.append(entry_of(action))
        loaded = _with_entries(loaded, new[-1:])
    return new, loaded


def _next_automatic_action(access: TableAccess, state: LogState[Played]) -> Action | None:
    """Return the next automatic action, None for none."""
    playing = playing_of(access.table)
    if access.table.dice != ROLLED:
        # Absent players do not delay the others, but a table without people does not play on.
        left = access.unattended if access.people else frozenset()
        return playing.next_with_real_dice(state.game, state.done | left, bots_at(access))
    throw = throw_after(state.to_come(playing.thrower(state.game)))
    return playing.next_with_own_dice(access.table, state.game, bots_at(access), throw)


def entry_of(action: Action, seat: int | None = None, by: int | None = None) -> NewEntry:
    """Return the entry of an action of a seat, or of an automatic one.

    ``by`` is the host who acts for another player.
    """
    extra = {} if by is None else {"by": by}
    return NewEntry({**format_action(action), **extra}, seat if by is None else by, action)

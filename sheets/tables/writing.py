"""How does a table's log grow? Only this file writes a move.

Everything that is done appends entries in one transaction that also moves the table's revision,
guarded by the revision the decision was made on; who loses the race decides anew on the fresh log.
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
"""How often a move is decided anew because somebody else was faster; somebody always succeeds."""

QUEUE_SECONDS: Final = 5.0
"""How long a move waits for its turn: where one cannot write, ten cannot, one after the other."""

MAX_ENTRIES: Final = 5000

MAX_FOLLOW_UPS: Final = 400
"""The most entries one act may draw after it: bots' moves and rolled dice."""


class NewEntry(NamedTuple):
    """One entry about to be appended; ``seat`` is whose it is, ``action`` what it does in the game.

    An entry about the table itself does nothing there.
    """

    entry: Mapping[str, Any]
    seat: int | None = None
    action: Action | None = None


log = logging.getLogger(__name__)

Decide = Callable[[TableAccess, Loaded[Played]], list[NewEntry]]


def append(
    access: TableAccess, request: str, decide: Decide, *, in_lobby: bool = False
) -> TableAccess:
    """Append what ``decide`` says and what follows from it, all or nothing; gives the table then.

    The first try goes by what ``access`` has read. Who is refused or too late on that asks the
    database and decides anew, and again as long as somebody else is faster. Before the game begins
    only entries about the table can be appended, with ``in_lobby``.
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
            _see_to_thinking(access, loaded)
            return access
        if written := _write(access.table, new, request):
            remember(written, loaded)
            _publish(written)
            access = access._replace(table=written)
            _see_to_thinking(access, loaded)
            return access
    raise Stale(access.table.code)


def play_on(code: str, patience: timedelta) -> timedelta | None:
    """A bot that thinks takes the next decision at a table, if the game waits for it: one act, or
    all its pieces of track at once.

    Before that an expert answers the player who has asked one. What they think about may change
    meanwhile: somebody takes back what they have done, or another server was faster. Then the
    answer is dropped, and they begin anew (`thinking.PlayOn`).
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
            append(access, "", _if_open_still(question, answer))
    elif player is not None:
        _play_for(access, asked, player)
    return None


def _play_for(access: TableAccess, asked: Loaded[Played], player: int) -> None:
    """A player's bot thinks and does what it has thought of."""
    playing = playing_of(access.table)
    actions = thinking.decide(playing, asked.state.game, player)
    with suppress(Refused):  # the log is full
        try:
            append(access, "", _if_asked_still(player, asked, actions))
        except RuleViolation:
            log.exception("a bot broke a rule")
            usual = playing.choose(asked.state.game, player, MEDIUM)
            append(access, "", _if_asked_still(player, asked, [usual]))


def _if_open_still(question: Question[Played], answer: Sequence[Action]) -> Decide:
    """The answer to a question, empty for none; nothing where the game has gone on from there."""

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


def _if_asked_still(player: int, asked: Loaded[Played], actions: Sequence[Action]) -> Decide:
    """What a bot does that was asked when a table stood so; nothing where that is over."""

    def decide(access: TableAccess, loaded: Loaded[Played]) -> list[NewEntry]:
        state, playing = loaded.state, playing_of(access.table)
        if thinker_at(access, state) != player or _basis(loaded, player) != _basis(asked, player):
            return []
        throw = throw_after(state.to_come(playing.thrower(state.game)))
        game = state.game
        return [entry_of(playing.of_bot(access.table, game, act, throw)) for act in actions]

    return decide


def _basis(loaded: Loaded[Played], player: int) -> Hashable:
    """On what a player decides: where all choose for themselves, not on what the others do."""
    state = loaded.state
    if state.game.phase not in SIMULTANEOUS_PHASES:
        return state.applied
    own = (n for n in state.applied if loaded.entries[n - 1].get("player") == player)
    return state.moment, tuple(own)


def resume_thinking(access: TableAccess) -> None:
    """Let a bot or an expert think that is due at a table, in case its server has stopped.

    Called when a page or a stream shows the table; an act does the same at once.
    """
    may_think = access.table.has_advice or HARD in bots_at(access).values()
    if access.table.has_started and may_think:
        _see_to_thinking(access, load(access), thinking.PATIENCE)


def _see_to_thinking(
    access: TableAccess, loaded: Loaded[Played], patience: timedelta = timedelta()
) -> None:
    if open_question(loaded.state) or thinker_at(access, loaded.state) is not None:
        code = access.table.code
        transaction.on_commit(lambda: thinking.ask(code, play_on, patience))


def touch(table: Table) -> int:
    """Tell every phone that something other than the log has changed; gives the revision.

    Must run in the transaction of the change.
    """
    row = Table.objects.select_for_update().get(pk=table.pk)
    row.revision += 1
    row.save(update_fields=["revision", "touched"])
    _publish(row)
    return row.revision


def _publish(table: Table) -> None:
    transaction.on_commit(lambda: bus.publish(table.code, table.revision))


@contextmanager
def changing(table: Table) -> Iterator[None]:
    """A change of seats; those of one table wait for one another, and every phone is told."""
    with transaction.atomic():
        touch(table)
        yield


def _decide(
    access: TableAccess, decide: Decide, *, in_lobby: bool
) -> tuple[list[NewEntry], Loaded[Played]]:
    """What is to be appended, and the log with it."""
    if not (access.table.has_started or in_lobby):
        raise Refused("not-started")
    loaded = load(access)
    new = decide(access, loaded)
    loaded = _read_on(loaded, new)
    more, loaded = _follow_ups(access, loaded)
    if len(loaded.entries) > MAX_ENTRIES:
        raise Refused("log-full")
    return [*new, *more], loaded


def _write(table: Table, new: list[NewEntry], request: str) -> Table | None:
    """Append the entries unless the revision has moved on; gives the table as it is stored then.

    Nobody has changed it in between, or its seats.
    """
    now, first = timezone.now(), table.length + 1
    rows = [
        Row(number, one.entry, one.seat, request if request and number == first else None)
        for number, one in enumerate(new, start=first)
    ]
    try:
        with _turn_to_write():
            if not store_entries(table, rows, now):
                return None
    except IntegrityError:
        return None
    written = copy(table)
    written.revision, written.length, written.touched = table.revision + 1, rows[-1].number, now
    return written


_one_writes = Lock()


@contextmanager
def _turn_to_write() -> Iterator[None]:
    """Where only one can write at a time, threads queue: SQLite would let them sleep and retry.

    A thread within a transaction is the one that writes: its transaction began as IMMEDIATE.

    Raises:
        StillLocked: the queue does not move on, because another program is writing.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    if not _one_writes.acquire(timeout=QUEUE_SECONDS):
        raise StillLocked
    try:
        yield
    finally:
        _one_writes.release()


def _read_on(loaded: Loaded[Played], new: list[NewEntry]) -> Loaded[Played]:
    """The log as it will be with the new entries. Raises RuleViolation."""
    entries = loaded.entries + tuple(one.entry for one in new)
    actions = [one.action for one in new]
    state = extend(loaded.state, loaded.start, entries, len(loaded.entries), actions)
    return Loaded(entries, loaded.start, state)


def _follow_ups(
    access: TableAccess, loaded: Loaded[Played]
) -> tuple[list[NewEntry], Loaded[Played]]:
    """What happens by itself: a pass everybody is done with ends, the app rolls, bots move."""
    new: list[NewEntry] = []
    if not access.table.has_started:
        return new, loaded
    while len(new) < MAX_FOLLOW_UPS and (action := _next_by_itself(access, loaded.state)):
        new.append(entry_of(action))
        loaded = _read_on(loaded, new[-1:])
    return new, loaded


def _next_by_itself(access: TableAccess, state: LogState[Played]) -> Action | None:
    playing = playing_of(access.table)
    if access.table.dice != ROLLED:
        # Players who have left hold nobody up; but a table at which nobody sits does not play on.
        left = access.unattended if access.people else frozenset()
        return playing.next_with_real_dice(state.game, state.done | left, bots_at(access))
    throw = throw_after(state.to_come(playing.thrower(state.game)))
    return playing.next_with_own_dice(access.table, state.game, bots_at(access), throw)


def entry_of(action: Action, seat: int | None = None, by: int | None = None) -> NewEntry:
    """The entry of an action that somebody at a seat does, or that happens by itself.

    ``by`` is the host who does it for somebody else.
    """
    said = {} if by is None else {"by": by}
    return NewEntry({**format_action(action), **said}, seat if by is None else by, action)

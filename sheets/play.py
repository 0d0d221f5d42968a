"""Use cases of a table: load its log, ask the rules, append. Only this file writes a move.

Everything that is done appends entries in one transaction that also moves the table's revision,
guarded by the revision the decision was made on; who loses the race decides anew on the fresh log.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from threading import Lock
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from sheets import live
from sheets.families import DICE as DICE
from sheets.families import MIRRORED as MIRRORED
from sheets.families import ROLLED as ROLLED
from sheets.families import Family, Hands, family_of
from sheets.families import level_of as level_of
from sheets.keys import digest
from sheets.models import Entry, Seat, Table
from sheets.rules import Action, RuleViolation
from sheets.rules.record import Record, format_action, parse_action
from sheets.table_log import TOGETHER, LogState, Played, extend, holds_without, read_log

TRIES: Final = 50
"""How often a move is decided anew because somebody else was faster; somebody always succeeds."""

MAX_ENTRIES: Final = 5000
FOLLOW_UPS: Final = 400
"""The most entries one act may draw after it: bots' moves and rolled dice."""

HOST_DECIDES_AFTER: Final = timedelta(minutes=1)
"""How old a proposal is before the host alone may carry it out."""


class UnknownTable(LookupError):
    """No table has this code."""


class NotYours(Exception):
    """The device does not hold the seat, or is not the host's."""


class Stale(Exception):
    """The request was about a turn or pass that is over."""


class Refused(Exception):
    """The table, not the rules of the game, refuses.

    ``reason`` is one of ``not-started``, ``seat-free``, ``nothing-to-undo``, ``others-acted``,
    ``no-proposal``, ``too-early``, ``no-such-entry``, ``log-full``, ``nothing-to-decide``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Door(NamedTuple):
    """A table as one device sees it: ``seats`` are the numbers of the seats it holds."""

    table: Table
    everybody: tuple[Seat, ...]
    seats: frozenset[int]

    @property
    def is_host(self) -> bool:
        """Whether the host's seat is held here."""
        return self.table.host in self.seats

    @property
    def left(self) -> frozenset[int]:
        """The seats nobody holds, neither a device nor a bot."""
        return frozenset(s.number for s in self.everybody if not (s.token_digest or s.bot))


class Loaded(NamedTuple):
    """A table's log with the state it leads to."""

    entries: tuple[Mapping[str, Any], ...]
    start: Played
    state: LogState


class Step(NamedTuple):
    """One entry about to be appended."""

    entry: Mapping[str, Any]
    seat: int | None = None


Decide = Callable[[Door, Loaded], list[Step]]


def open_door(code: str, token: str = "") -> Door:
    """The table with a code, and which of its seats the holder of a token has.

    Raises:
        UnknownTable: when there is none.
    """
    everybody = tuple(_seats().filter(table__code=code.upper()))
    if not everybody:
        raise UnknownTable(code)
    mine = digest(token) if token else None
    held = frozenset(seat.number for seat in everybody if seat.token_digest == mine)
    return Door(everybody[0].table, everybody, held)


def is_table(code: str) -> bool:
    """Whether a table has this code."""
    return Table.objects.filter(code=code.upper()).exists()


def _seats() -> QuerySet[Seat]:
    """Seats together with their table, in one query; the level is large and never changes."""
    return Seat.objects.select_related("table").defer("table__level")


def names_of(door: Door) -> tuple[str, ...]:
    """The players' names, in seating order."""
    return tuple(str(seat) for seat in door.everybody)


_cache: OrderedDict[tuple[int, str], Loaded] = OrderedDict()
_cache_lock = Lock()
CACHED_TABLES: Final = 200


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
        _remember(table, known)
    return known


def _cache_key(table: Table) -> tuple[int, str]:
    return table.pk, table.code


def _remember(table: Table, loaded: Loaded) -> None:
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


def start(door: Door) -> None:
    """The host begins the game. Raises NotYours, Refused."""
    if not door.is_host:
        raise NotYours
    if any(not (seat.token_digest or seat.bot) for seat in door.everybody):
        raise Refused("seat-free")
    with transaction.atomic():
        Table.objects.filter(pk=door.table.pk).update(has_started=True)
        touch(door.table)
    settle(door.table.code)


def settle(code: str) -> None:
    """Let happen at a table what happens by itself, now that its seats have changed."""
    _append(open_door(code), "", lambda _door, _loaded: [])


def take_over(door: Door, actions: Iterable[Action]) -> None:
    """The host's table, not begun yet, begins with what was played before, seats taken or not.

    Raises:
        NotYours, Refused, RuleViolation: nothing has changed.
    """
    if not door.is_host:
        raise NotYours
    with transaction.atomic():
        Table.objects.filter(pk=door.table.pk).update(has_started=True)
        touch(door.table)
        steps = [_step(action, action.player) for action in actions]
        _append(open_door(door.table.code)._replace(seats=door.seats), "", lambda *_: steps)


def act(door: Door, action: Action, *, moment: str, request: str) -> None:
    """A player does something: one action of the game.

    Args:
        door: the table and the seats held.
        action: what is done; dice in it are thrown anew where the app rolls.
        moment: `LogState.moment` as the player saw it.
        request: the device's id of this request; the same one again does nothing.

    Raises:
        NotYours, Stale, Refused, RuleViolation: nothing has changed.
    """

    def decide(door: Door, loaded: Loaded) -> list[Step]:
        family, game = family_of(door.table), loaded.state.game
        if not family.may_act(game, action, _hands_of(door)):
            raise NotYours
        if loaded.state.moment != moment:
            raise Stale
        thrown = family.with_dice(door.table, game, action)
        return [_step(thrown, family.actor_of(game, action))]

    _append(door, request, decide)


def set_done(door: Door, player: int, is_done: bool, *, moment: str, request: str) -> None:
    """A player of a mirrored pass has finished placing, or has not. Raises NotYours, Stale."""

    def decide(door: Door, loaded: Loaded) -> list[Step]:
        if player not in door.seats:
            raise NotYours
        if loaded.state.moment != moment or loaded.state.game.phase != "open":
            raise Stale
        return [Step({"do": "done" if is_done else "not_done", "player": player}, player)]

    _append(door, request, decide)


def undo(door: Door, player: int, *, request: str) -> None:
    """A player takes their last act of this pass back, with `acts_taken_back` after it.

    Raises:
        NotYours, Refused: nothing has changed.
    """

    def decide(door: Door, loaded: Loaded) -> list[Step]:
        if player not in door.seats:
            raise NotYours
        if last_own_act(door.table, loaded, player) is None:
            raise Refused("nothing-to-undo")
        numbers = acts_taken_back(door, loaded, player)
        is_alone = len(numbers) == 1
        if not numbers or (
            is_alone and not holds_without(loaded.state, loaded.start, loaded.entries, numbers[0])
        ):
            raise Refused("others-acted")
        return [Step({"do": "undo", "player": player, "entry": n}, player) for n in numbers]

    _append(door, request, decide)


def acts_taken_back(door: Door, loaded: Loaded, player: int) -> tuple[int, ...]:
    """The numbers of the entries that `undo` strikes, the last first; empty for none.

    Where everybody acts for themself it is the player's last act alone. In turns, what bots and
    the other seats of this device did after it goes with it, but nothing that other people did.
    No act is taken back after which the app has rolled: whoever has seen the dice would choose
    anew knowing them. From there only a proposal leads back.
    """
    table, state = door.table, loaded.state
    number = last_own_act(table, loaded, player)
    if number is None:
        return ()
    later = [n for n in reversed(state.applied) if n > number]
    if not later or state.game.phase in TOGETHER:
        return (number,)
    family = family_of(table)
    ours = door.seats | {seat.number for seat in door.everybody if seat.bot}
    for action in (parse_action(loaded.entries[n - 1]) for n in later):
        is_thrown = table.dice == ROLLED and family.has_dice(action)
        if is_thrown or family.actor_of(state.game, action) not in ours:
            return ()
    return (*later, number)


def last_own_act(table: Table, loaded: Loaded, player: int) -> int | None:
    """The number of a player's last act in this pass, None for none or dice the app rolled."""
    for number in reversed(loaded.state.applied):
        if number <= loaded.state.pass_began_after:
            return None
        family, action = family_of(table), parse_action(loaded.entries[number - 1])
        if family.actor_of(loaded.state.game, action) != player:
            continue
        return None if table.dice == ROLLED and family.has_dice(action) else number
    return None


def propose(door: Door, player: int, to: int, *, request: str) -> None:
    """A player proposes to go back to before entry ``to``. Raises NotYours, Refused."""

    def decide(door: Door, loaded: Loaded) -> list[Step]:
        if player not in door.seats:
            raise NotYours
        if to not in loaded.state.applied:
            raise Refused("no-such-entry")
        others = door.seats - {player}
        steps = [Step({"do": "propose", "player": player, "to": to}, player)]
        steps += [Step({"do": "agree", "player": other}, other) for other in sorted(others)]
        return [*steps, *_wind_back_if_agreed(door, to, door.seats)]

    _append(door, request, decide)


def answer(door: Door, agrees: bool, *, request: str) -> None:
    """All seats of this device agree to the proposal, or refuse it. Raises NotYours, Refused."""

    def decide(door: Door, loaded: Loaded) -> list[Step]:
        proposal = loaded.state.proposal
        if not door.seats:
            raise NotYours
        if not proposal:
            raise Refused("no-proposal")
        do = "agree" if agrees else "disagree"
        steps = [Step({"do": do, "player": player}, player) for player in sorted(door.seats)]
        if not agrees:
            return steps[:1]
        return [*steps, *_wind_back_if_agreed(door, proposal.to, proposal.agreed | door.seats)]

    _append(door, request, decide)


def decide_alone(door: Door, *, request: str) -> None:
    """The host carries out a proposal that is a minute old. Raises NotYours, Refused."""

    def decide(door: Door, loaded: Loaded) -> list[Step]:
        proposal = loaded.state.proposal
        if not door.is_host:
            raise NotYours
        if not proposal:
            raise Refused("no-proposal")
        made = door.table.entries.get(number=proposal.number).made
        if timezone.now() - made < HOST_DECIDES_AFTER:
            raise Refused("too-early")
        return [Step({"do": "wind_back", "to": proposal.to}, door.table.host)]

    _append(door, request, decide)


def stand_in(door: Door, player: int, *, request: str) -> None:
    """The host lets a bot take one decision for somebody who is away. Raises NotYours, Refused."""

    def decide(door: Door, loaded: Loaded) -> list[Step]:
        if not door.is_host:
            raise NotYours
        family, game = family_of(door.table), loaded.state.game
        if player not in family.deciding(door.table, game):
            raise Refused("nothing-to-decide")
        return [Step(format_action(family.stand_in(game, player)), door.table.host)]

    _append(door, request, decide)


def touch(table: Table) -> int:
    """Tell every phone that something other than the log has changed; gives the revision.

    Must run in the transaction of the change.
    """
    row = Table.objects.select_for_update().get(pk=table.pk)
    row.revision += 1
    row.save(update_fields=["revision", "touched"])
    transaction.on_commit(lambda: live.publish(row.code, row.revision))
    return row.revision


def _append(door: Door, request: str, decide: Decide) -> None:
    """Append what ``decide`` says and what follows from it, all or nothing.

    The first try goes by what ``door`` has read. Who is refused or too late on that asks the
    database and decides anew, and again as long as somebody else is faster.
    """
    for attempt in range(TRIES):
        if attempt:
            door = _reopen(door)
            if request and door.table.entries.filter(request=request).exists():
                return
        try:
            steps, loaded = _decide(door, decide)
        except (NotYours, Stale, Refused, RuleViolation):
            if attempt:
                raise
            continue
        if not steps:
            return
        if _write(door.table, steps, request):
            _remember(door.table, loaded)
            return
    raise Stale(door.table.code)


def _reopen(door: Door) -> Door:
    """The table as it is now, with the seats of the door that its device still holds."""
    everybody = tuple(_seats().filter(table=door.table.pk))
    if not everybody:
        raise UnknownTable(door.table.code)
    digests = {seat.number: seat.token_digest for seat in door.everybody}
    held = frozenset(
        seat.number
        for seat in everybody
        if seat.number in door.seats and seat.token_digest == digests[seat.number]
    )
    return Door(everybody[0].table, everybody, held)


def _decide(door: Door, decide: Decide) -> tuple[list[Step], Loaded]:
    """What is to be appended, and the log with it."""
    if not door.table.has_started:
        raise Refused("not-started")
    loaded = load(door)
    steps = decide(door, loaded)
    loaded = _read_on(loaded, steps)
    more, loaded = _follow_ups(door, loaded)
    if len(loaded.entries) > MAX_ENTRIES:
        raise Refused("log-full")
    return [*steps, *more], loaded


def _write(table: Table, steps: list[Step], request: str) -> bool:
    """Append the steps unless the revision has moved on; says whether they were appended."""
    try:
        with _turn_to_write(), transaction.atomic():
            moved = Table.objects.filter(pk=table.pk, revision=table.revision).update(
                revision=table.revision + 1,
                length=table.length + len(steps),
                touched=timezone.now(),
            )
            if not moved:
                return False
            Entry.objects.bulk_create(
                Entry(
                    table=table,
                    number=number,
                    action=step.entry,
                    seat=step.seat,
                    request=request if request and number == table.length + 1 else None,
                )
                for number, step in enumerate(steps, start=table.length + 1)
            )
            transaction.on_commit(lambda: live.publish(table.code, table.revision + 1))
    except IntegrityError:
        return False
    return True


_one_writes = Lock()


def _turn_to_write() -> AbstractContextManager[object]:
    """Where only one can write at a time, threads queue: SQLite would let them sleep and retry."""
    return _one_writes if connection.vendor == "sqlite" else nullcontext()


def _read_on(loaded: Loaded, steps: list[Step]) -> Loaded:
    """The log as it will be with the steps. Raises RuleViolation."""
    entries = loaded.entries + tuple(step.entry for step in steps)
    state = extend(loaded.state, loaded.start, entries, len(loaded.entries))
    return Loaded(entries, loaded.start, state)


def _follow_ups(door: Door, loaded: Loaded) -> tuple[list[Step], Loaded]:
    """What happens by itself: a pass everybody is done with ends, the app rolls, bots move."""
    steps: list[Step] = []
    while len(steps) < FOLLOW_UPS and (action := _next_by_itself(door, loaded.state)):
        step = _step(action)
        steps.append(step)
        loaded = _read_on(loaded, [step])
    return steps, loaded


def _next_by_itself(door: Door, state: LogState) -> Action | None:
    family: Family = family_of(door.table)
    if door.table.dice != ROLLED:
        # Whoever has left holds nobody up; but a table at which nobody sits does not play on.
        left = door.left if len(door.left) < len(door.everybody) else frozenset()
        return family.next_with_real_dice(state.game, state.done | left)
    bots = {seat.number: seat.bot for seat in door.everybody if seat.bot}
    return family.next_with_own_dice(door.table, state.game, bots)


def _hands_of(door: Door) -> Hands:
    return Hands(door.seats, door.is_host, door.left)


def _step(action: Action, seat: int | None = None) -> Step:
    return Step(format_action(action), seat)


def _wind_back_if_agreed(door: Door, to: int, agreed: frozenset[int]) -> Iterator[Step]:
    people = {seat.number for seat in door.everybody if seat.token_digest}
    if people <= agreed:
        yield Step({"do": "wind_back", "to": to})

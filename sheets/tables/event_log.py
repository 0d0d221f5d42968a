"""Event log of a table, and the state that it leads to: game, done players, proposals, countdowns.

A table is event-sourced: its log is a list of entries, never changed and never shortened. Most are
the actions of a ``dizzle-game/1``, or of a `Sitting` that plays Dice². The others are about the
table:

- ``done``, ``not_done``: a player has, or has not, finished placing in a mirrored pass; ``for``:
other players who are recorded as done, too.
- ``undo``: strikes the entry ``entry``. If that ended a pass, ``done`` are the players who are done
again.
- ``propose``, ``agree``, ``disagree``: a proposal to go back to before the entry ``to``, and the
answers.
- ``wind_back``: carries it out; strikes all entries from ``to`` on.
- ``propose`` with ``forward``: a proposal to restore what the ``wind_back`` with the number ``to``
struck; ``wind_forward`` restores it.
- ``propose`` with ``correct``: a proposal of this action, which corrects a sheet after the game.
The action is appended when all agree, or with ``by`` when the host decides alone.
- ``hurry``: the host starts a countdown for the players ``for``: with ``frees`` to free a seat,
with ``proposal`` for answers to the proposal with that number. With ``host`` a player starts a
countdown for the host.
- ``here``: a player for whom a countdown runs is present.
- ``host``: ``player`` makes the seat ``to`` the host, in place of ``from``.
- ``free``: the host frees a seat; ``leave``: a player gets up; ``bot``: a bot plays on for a player
who leaves; ``move``: a player goes on with another device.
- ``pause``: the game is paused until another day; ``resume``: it goes on.
- ``ask``: a player asks for a hint; ``advise``: the answer to the entry ``asked``: ``act`` and, for
tracks, the pieces ``more``; neither if the request failed.

``by`` is the host, or another player, who did something for the player of the entry. The game is
the replay of the actions that are not struck.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeVar

from sheets.dice_sequence import SHARED_DICE
from sheets.rules import Action, RuleViolation
from sheets.rules.documents.game import parse_action
from sheets.rules.marks import RocketCrosses


class GameState(Protocol):
    """State of a game, as far as the log needs it: a `Game` of Dizzle or a `Sitting` of Dice²."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in seating order."""
        ...

    @property
    def phase(self) -> str:
        """Name of the phase, which says what the game waits for."""
        ...

    @property
    def is_finished(self) -> bool:
        """Whether the game is over."""
        ...

    @property
    def pass_number(self) -> int:
        """Number of the current pass, counted from 1."""
        ...

    @property
    def passes_done(self) -> int:
        """Number of passes that have ended."""
        ...

    def apply(self, action: Action, /) -> Self:
        """Return the game after an action. Raises RuleViolation."""
        ...


G = TypeVar("G", bound=GameState)
"""Type of the game that a table plays."""

Value = TypeVar("Value")
"""Type of a value that is derived from a log."""

Entry = Mapping[str, Any]
"""One entry of the log as it is stored: ``do`` and its parameters."""


TABLE_ENTRIES: Final = (
    *("done", "not_done", "propose", "agree", "disagree"),
    *("hurry", "here", "free", "leave", "bot", "host", "move", "pause", "resume"),
)
"""Entries about the table that do not change the game."""

PRESENCE_ENTRIES: Final = (
    *("here", "done", "not_done", "propose", "agree", "disagree", "undo", "leave", "ask", "host"),
    *("pause", "resume"),
)
"""Entries about the table that prove that their player is present."""

SIMULTANEOUS_PHASES: Final = ("open", "marking", "lava")
"""Phases in which all players act at once, in any order."""


class Proposal(NamedTuple):
    """A player's proposal to go back to before entry ``to``; ``agreed`` are the players who agree.

    With ``is_forward`` it proposes to restore what the ``wind_back`` with the number ``to`` struck.
    With a ``correction`` it proposes to correct a sheet, and ``to`` is 0. ``number`` is its entry.
    """

    number: int
    player: int
    to: int
    agreed: frozenset[int]
    is_forward: bool = False
    correction: Action | None = None


class Answered(NamedTuple):
    """Outcome of a proposal.

    Attributes:
        number: number of the entry that settled it.
        proposal: the proposal.
        refused_by: the player who refused or withdrew it; None if it was carried out.
        alone: whether the host carried it out without waiting for all answers.
    """

    number: int
    proposal: Proposal
    refused_by: int | None = None
    alone: bool = False


class Countdown(NamedTuple):
    """A countdown after which the game goes on without players who do not react.

    Attributes:
        number: number of the entry that began it.
        by: the player who began it, usually the host.
        players: the players who have to react.
        frees: whether their seat is to be freed.
        proposal: number of the proposal that they have to answer; None for none.
        host: whether ``by`` wants to become host in place of ``players``, the seats of the host's
            device.

    If none of the last three is set, it is for acts that the game waits for now.
    """

    number: int
    by: int
    players: frozenset[int]
    frees: bool = False
    proposal: int | None = None
    host: bool = False


class Rewind(NamedTuple, Generic[G]):
    """A ``wind_back`` and what is needed to undo it.

    Attributes:
        number: number of its entry.
        applied: `LogState.applied` before it.
        done: `LogState.done` before it.
        kept: numbers of the actions that still held after it.
        game: the game after it.
    """

    number: int
    applied: tuple[int, ...]
    done: frozenset[int]
    kept: tuple[int, ...]
    game: G


class HintRequest(NamedTuple, Generic[G]):
    """A player's request for a hint about the position ``game``.

    ``number`` is its entry. ``answer`` is one action, or all pieces of track that the player owes;
    empty until the hard bot has answered, and if ``has_failed`` says that there will be no answer.
    """

    number: int
    player: int
    game: G
    answer: tuple[Action, ...] = ()
    has_failed: bool = False


class PassEnd(NamedTuple, Generic[G]):
    """End of one pass, with the choices of planets and tracks that belong to it.

    Attributes:
        number: number of the entry whose action ended the pass.
        until: number of the last entry that belongs to the pass: the last choice so far, or
            ``number``.
        before: the game before the action.
        action: the action that ended the pass.
        after: the game after the entry ``until``.
    """

    number: int
    until: int
    before: G
    action: Action
    after: G


class LogState(NamedTuple, Generic[G]):
    """State of a table after some entries.

    Attributes:
        game: the game.
        length: number of entries that were read.
        applied: numbers of the entries whose actions hold, that is, are not struck; in the order in
            which they are replayed.
        done: players who are done with the current mirrored pass.
        proposal: the open proposal.
        struck: numbers of the entries that were taken back.
        pass_ends: all pass ends so far; the last one may still wait for choices.
        thrown: numbers of all dice thrown so far, including dice that were taken back; by player if
            each has their own dice, else by `SHARED_DICE`.
        throws: how many dice of ``thrown`` hold, counted from the first; the rest was taken back.
        revealed: `thrown` as numbers of dice when the game was over for the first time, which
            showed the seed of the app's dice; None before.
        answered: outcome of the last proposal, until the next one.
        countdown: the running countdown.
        hint_requests: all requests for hints; undo and rewinds remove none.
        former_hosts: seats that were the host's before; the current one may be among them.
        rewinds: rewinds that were not undone; the last one can be undone until a player plays on
            (`acts.may_go_forward`).
    """

    game: G
    length: int = 0
    applied: tuple[int, ...] = ()
    done: frozenset[int] = frozenset()
    proposal: Proposal | None = None
    struck: frozenset[int] = frozenset()
    pass_ends: tuple[PassEnd[G], ...] = ()
    thrown: Mapping[int, tuple[int, ...]] = {}
    throws: Mapping[int, int] = {}
    revealed: Mapping[int, int] | None = None
    answered: Answered | None = None
    countdown: Countdown | None = None
    hint_requests: tuple[HintRequest[G], ...] = ()
    former_hosts: frozenset[int] = frozenset()
    rewinds: tuple[Rewind[G], ...] = ()

    def taken_back_dice(self, player: int) -> tuple[int, ...]:
        """Return the dice of a player that were taken back; the next throws repeat them in order.

        So players cannot go back to get better dice, or the dice that another player has thrown.
        """
        return self.thrown.get(player, ())[self.throws.get(player, 0) :]

    @property
    def pass_began_after(self) -> int:
        """Number of the last entry before the current pass; 0 in the first pass.

        While players choose planets and tracks after a pass, it is the entry that ended the pass.
        """
        if not self.pass_ends:
            return 0
        last = self.pass_ends[-1]
        return last.number if self.game.phase == "marking" else last.until

    @property
    def moment(self) -> str:
        """Token for optimistic locking: requests with an older one refer to a past turn or pass.

        In an open pass and other simultaneous phases it is the same for the whole phase, so that
        players do not disturb each other; in a turn it changes with every act, and with its undo.
        """
        if self.game.phase in SIMULTANEOUS_PHASES:
            return self.turn
        return f"{self.turn}-{self.applied[-1] if self.applied else 0}"

    @property
    def turn(self) -> str:
        """Pass and phase, such as ``3-open``; a tap for another phase must not be carried out."""
        return f"{self.game.pass_number}-{self.game.phase}"

    @property
    def acts(self) -> int:
        """Number of actions that hold; 0 in simultaneous phases."""
        return 0 if self.game.phase in SIMULTANEOUS_PHASES else len(self.applied)


@dataclass(frozen=True)
class Loaded(Generic[G]):
    """A table's log, the state that it leads to, and a cache of values derived from both.

    ``start`` is the game before the first entry.
    """

    entries: tuple[Entry, ...]
    start: G
    state: LogState[G]
    _cache: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def cached(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return a value that depends on log and state alone, computed once for all callers.

        Callers must not change it. Two threads may both compute it; their results are equal.
        """
        if key not in self._cache:
            self._cache[key] = compute()
        value: Value = self._cache[key]
        return value


def find_reached(entries: Sequence[Entry], applied: Iterable[int]) -> RocketCrosses:
    """Return the planets that rockets have crossed.

    ``applied`` are the numbers of the entries that hold, counted from 1.
    """
    holding = (entries[number - 1] for number in applied)
    return frozenset((e["player"], e["at"]) for e in holding if e["do"] == "rocket")


def read_log(start: G, entries: Sequence[Entry]) -> LogState[G]:
    """Return the state of a table from its whole log.

    Raises:
        RuleViolation: the rules refuse an entry, which should not happen: each entry was checked
            before it was stored.
    """
    return extend(LogState(start), start, entries, 0)


def extend(
    state: LogState[G],
    start: G,
    entries: Sequence[Entry],
    known: int,
    actions: Sequence[Action | None] = (),
) -> LogState[G]:
    """Return the state after all ``entries``; ``state`` has read the first ``known`` of them.

    ``actions`` are the actions in the other entries, None for an entry about the table. A caller
    that has just made these entries passes them to save parsing.
    """
    new = zip_longest(entries[known:], actions)
    for number, (entry, action) in enumerate(new, start=known + 1):
        state = _after_entry(state, start, entries, number, entry, action)
    return state


def _after_entry(
    state: LogState[G],
    start: G,
    entries: Sequence[Entry],
    number: int,
    entry: Entry,
    action: Action | None,
) -> LogState[G]:
    """Return the state after one more entry."""
    state = state._replace(length=number)
    if action is not None:
        return _after_action(state, number, entry, action)
    do = entry["do"]
    if do in PRESENCE_ENTRIES:
        state = state._replace(countdown=_countdown_without(state.countdown, entry["player"]))
    if do in TABLE_ENTRIES:
        return _after_table_entry(state, number, entry)
    if do == "ask":
        request = HintRequest(number, entry["player"], state.game)
        return state._replace(hint_requests=(*state.hint_requests, request))
    if do == "advise":
        return state._replace(hint_requests=_with_hint(state.hint_requests, entry))
    if do == "undo":
        back = strike(state, start, entries, {entry["entry"]})
        return back._replace(done=frozenset(entry["done"])) if "done" in entry else back
    if do in ("wind_back", "wind_forward"):
        wound = _rewind(state, start, entries, number, entry)
        alone = "by" in entry
        answered = state.proposal and Answered(number, state.proposal, None, alone)
        return _without_proposal(wound._replace(answered=answered))
    return _after_action(state, number, entry, parse_action(entry))


def _after_action(state: LogState[G], number: int, entry: Entry, action: Action) -> LogState[G]:
    """Return the state after a new action.

    It ends an open proposal to go forward. A correction carries out the open proposal.
    """
    played, proposal = _apply(state, number, action), state.proposal
    is_correction = action.do == "correct"
    if not proposal or not (proposal.is_forward or is_correction):
        return played
    if is_correction:
        played = played._replace(answered=Answered(number, proposal, None, "by" in entry))
    return _without_proposal(played)


def _rewind(
    state: LogState[G], start: G, entries: Sequence[Entry], number: int, entry: Entry
) -> LogState[G]:
    """Return the state after an entry ``wind_back`` or ``wind_forward``."""
    to = entry["to"]
    if entry["do"] == "wind_back":
        back = strike(state, start, entries, set(range(to, number)))
        rewind = Rewind(number, state.applied, state.done, back.applied, back.game)
        return back._replace(done=frozenset(), rewinds=(*state.rewinds, rewind))
    rewind = next(one for one in state.rewinds if one.number == to)
    restored = set(rewind.applied)
    back = replay(state, start, entries, rewind.applied)
    return back._replace(
        struck=state.struck.union(range(to + 1, number)) - restored,
        done=rewind.done,
        rewinds=tuple(one for one in state.rewinds if one.number < to),
    )


def _after_table_entry(state: LogState[G], number: int, entry: Entry) -> LogState[G]:
    """Return the state after an entry that leaves the game as it is."""
    do, player = entry["do"], entry["player"]
    match do:
        case "done":
            return state._replace(done=state.done.union([player, *entry.get("for", ())]))
        case "not_done":
            return state._replace(done=state.done - {player})
        case "hurry":
            about = entry.get("frees", False), entry.get("proposal"), entry.get("host", False)
            countdown = Countdown(number, player, frozenset(entry["for"]), *about)
            return state._replace(countdown=countdown)
        case "host":
            is_over = state.countdown and state.countdown.host
            return state._replace(
                former_hosts=state.former_hosts | {entry["from"]},
                countdown=None if is_over else state.countdown,
            )
        case "free":
            return state._replace(
                countdown=_countdown_without(state.countdown, *entry["for"]),
                former_hosts=state.former_hosts.difference(entry["for"]),
            )
        case "leave" | "bot":
            return state._replace(former_hosts=state.former_hosts - {player})
        case "propose":
            is_forward = entry.get("forward", False)
            correction = parse_action(entry["correct"]) if "correct" in entry else None
            to, agreed = entry.get("to", 0), frozenset({player})
            proposal = Proposal(number, player, to, agreed, is_forward, correction)
            return _without_proposal(state)._replace(proposal=proposal, answered=None)
    if do == "agree" and state.proposal:
        agreed = state.proposal.agreed | {player}
        return state._replace(proposal=state.proposal._replace(agreed=agreed))
    if do == "disagree":
        return _without_proposal(
            state._replace(answered=state.proposal and Answered(number, state.proposal, player))
        )
    return state


def _with_hint(requests: tuple[HintRequest[G], ...], entry: Entry) -> tuple[HintRequest[G], ...]:
    """Return all requests; one of them has the answer, or the failure, that ``entry`` records."""
    acts = [entry["act"], *entry.get("more", ())] if "act" in entry else []
    answer = tuple(parse_action(act) for act in acts)
    return tuple(
        one._replace(answer=answer, has_failed=not answer) if one.number == entry["asked"] else one
        for one in requests
    )


def _without_proposal(state: LogState[G]) -> LogState[G]:
    """Return the state without an open proposal, and without a countdown for its answers."""
    countdown = state.countdown
    is_over = countdown and countdown.proposal is not None
    return state._replace(proposal=None, countdown=None if is_over else countdown)


def strike(
    state: LogState[G], start: G, entries: Sequence[Entry], numbers: set[int]
) -> LogState[G]:
    """Return the state after striking some entries: replay the actions that still hold.

    Raises:
        RuleViolation: a remaining action is illegal without the struck ones.
    """
    holding = [number for number in state.applied if number not in numbers]
    back = replay(state, start, entries, holding)
    return back._replace(struck=state.struck | numbers)


def replay(
    state: LogState[G], start: G, entries: Sequence[Entry], numbers: Iterable[int]
) -> LogState[G]:
    """Return the state in which only the actions with these numbers hold, in this order.

    Raises:
        RuleViolation: an action is illegal after the actions before it.
    """
    fresh = LogState(start, thrown=state.thrown, revealed=state.revealed)
    proposal = state.proposal
    for number in numbers:
        fresh = _apply(fresh, number, parse_action(entries[number - 1]))
    return fresh._replace(
        length=state.length,
        struck=state.struck,
        done=state.done,
        rewinds=state.rewinds,
        # The sheet that the proposal corrects has changed.
        proposal=None if proposal and proposal.correction else proposal,
        answered=state.answered,
        hint_requests=state.hint_requests,
        former_hosts=state.former_hosts,
        countdown=state.countdown if _outlasts(state.countdown) else None,
    )


def _outlasts(countdown: Countdown | None) -> bool:
    """Return whether a countdown goes on when the game waits for something else.

    It does if it is to free a seat, to replace the host, or for answers to a proposal.
    """
    return bool(countdown and (countdown.frees or countdown.host or countdown.proposal is not None))


def _apply(state: LogState[G], number: int, action: Action) -> LogState[G]:
    """Return the state after an action of the game."""
    before = state.game
    after = before.apply(action)
    thrown, throws = _thrown_after(state, action)
    revealed = state.revealed
    if revealed is None and after.is_finished:
        revealed = {whose: len(dice) for whose, dice in thrown.items()}
    return state._replace(
        game=after,
        thrown=thrown,
        throws=throws,
        revealed=revealed,
        countdown=_countdown_after(state, after, action),
        applied=(*state.applied, number),
        done=_done_after(state.done, before, after, action),
        pass_ends=_pass_ends_after(state.pass_ends, number, before, action, after),
    )


def _thrown_after(
    state: LogState[G], action: Action
) -> tuple[Mapping[int, tuple[int, ...]], Mapping[int, int]]:
    """Return `LogState.thrown` and `LogState.throws` after an action."""
    whose = action.player if action.do == "throw" else SHARED_DICE
    dice = (action.die,) if action.do in ("erupt", "throw") else action.dice
    if not dice:
        return state.thrown, state.throws
    all_dice, had = state.thrown.get(whose, ()), state.throws.get(whose, 0)
    held = had + len(dice)
    thrown = (*all_dice[:had], *dice, *all_dice[held:])
    return {**state.thrown, whose: thrown}, {**state.throws, whose: held}


def _countdown_without(countdown: Countdown | None, *players: int) -> Countdown | None:
    """Return a countdown without players who have reacted or left; None if none remains."""
    left = countdown.players.difference(players) if countdown else None
    return countdown._replace(players=left) if countdown and left else None


def _countdown_after(state: LogState[G], after: G, action: Action) -> Countdown | None:
    """Return the countdown after an action: it ends when the game waits for something else."""
    before = state.game
    if _outlasts(state.countdown):
        return _countdown_without(state.countdown, action.player)
    is_same = (before.phase, before.pass_number) == (after.phase, after.pass_number)
    if not is_same or after.phase not in SIMULTANEOUS_PHASES:
        return None
    return _countdown_without(state.countdown, action.player)


def _done_after(done: frozenset[int], before: G, after: G, action: Action) -> frozenset[int]:
    """Return the players who are done after an action: not its player; none in a new phase."""
    if after.pass_number != before.pass_number or after.phase != before.phase:
        return frozenset()
    return done - {action.player}


def _pass_ends_after(
    pass_ends: tuple[PassEnd[G], ...], number: int, before: G, action: Action, after: G
) -> tuple[PassEnd[G], ...]:
    """Return the pass ends after an action, which may add one, or a choice to the last one."""
    has_ended = after.passes_done > before.passes_done
    if before.phase == "marking":
        last = pass_ends[-1]
        return (*pass_ends[:-1], last._replace(after=after, until=number))
    if has_ended or after.phase == "marking":
        return (*pass_ends, PassEnd(number, number, before, action, after))
    return pass_ends


def holds_without(state: LogState[G], start: G, entries: Sequence[Entry], number: int) -> bool:
    """Return whether all other actions stay legal if an entry is struck."""
    try:
        strike(state, start, entries, {number})
    except RuleViolation:
        return False
    return True

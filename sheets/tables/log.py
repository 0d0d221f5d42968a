"""What does the log of a table say: where does the game stand, who is done, what is proposed?

A table is its log: a list of entries, never changed and never shortened. Most are the actions of a
``dizzle-game/1``, or of a `Sitting` that plays Dice². The others are about the table:

- ``done``, ``not_done``: a player in a mirrored pass; ``for``: the others who are done as well.
- ``undo``: strikes one entry; with the end of a pass ``done`` has those who are done again.
- ``propose``, ``agree``, ``disagree``, and ``wind_back``, which strikes all entries from ``to`` on.
- ``propose`` with ``correct``: that entry, which corrects a player's sheet after the game. It is an
  action of the game, and is written with ``by`` where the host decided alone.
- ``wind_forward``: restores what the ``wind_back`` with the number ``to`` struck; proposed with
  ``forward``.
- ``hurry``: the host counts down for the players ``for``, with ``frees`` to free a seat, with
  ``proposal`` for an answer to it; with ``host`` a player counts down for the host.
- ``here``: one of them is there.
- ``host``: ``player`` makes the seat ``to`` the host, in place of ``from``.
- ``free``: the host frees a seat; ``leave``: a player gets up; ``bot``: a bot plays on
  for a player who leaves; ``move``: a player goes on with another device.
- ``pause``: the players go on another day; ``resume``: they go on.
- ``ask``: a player asks what an expert would do; ``advise``: the answer to the entry ``asked``:
  ``act`` and, of track, the pieces that are ``more``; neither where none came.

``by`` in an entry is the host, or player, who did it for others. The game is the replay of the
actions that are not struck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, Generic, NamedTuple, Protocol, Self, TypeVar

from sheets.rules import Action, RuleViolation
from sheets.rules.documents.game import parse_action
from sheets.rules.marks import RocketCrosses


class Played(Protocol):
    """All that a log asks what it leads to: a `Game` of Dizzle or a `Sitting` of Dice²."""

    @property
    def players(self) -> tuple[str, ...]:
        """Their names, in seating order."""
        ...

    @property
    def phase(self) -> str:
        """What the game waits for."""
        ...

    @property
    def is_finished(self) -> bool:
        """Whether nothing more can be played."""
        ...

    @property
    def pass_number(self) -> int:
        """The pass that runs, counted from 1."""
        ...

    @property
    def passes_done(self) -> int:
        """How many passes have ended."""
        ...

    def apply(self, action: Action, /) -> Self:
        """The game after an action. Raises RuleViolation."""
        ...


G = TypeVar("G", bound=Played)
"""The game that is played at a table."""

Entry = Mapping[str, Any]
"""One entry of the log: ``do`` and what belongs to it, as it is stored."""


EVERYBODY: Final = -1
"""Whose dice are thrown where nobody has their own."""

SAID: Final = (
    *("done", "not_done", "propose", "agree", "disagree"),
    *("hurry", "here", "free", "leave", "bot", "host", "move", "pause", "resume"),
)
"""Entries about the table that leave the game as it is."""

OF_PRESENCE: Final = (
    *("here", "done", "not_done", "propose", "agree", "disagree", "undo", "leave", "ask", "host"),
    *("pause", "resume"),
)
"""Entries about the table that show that a player is there."""

TOGETHER: Final = ("open", "marking", "lava")
"""The phases in which everybody acts for themself, in no order."""


class Proposal(NamedTuple):
    """Somebody wants back to before entry ``to``; ``agreed`` are the players who said yes.

    With ``is_forward`` they want to restore what the ``wind_back`` with the number ``to`` struck;
    with a ``correction`` they want to correct a sheet, and ``to`` is 0.
    """

    number: int
    player: int
    to: int
    agreed: frozenset[int]
    is_forward: bool = False
    correction: Action | None = None


class Answered(NamedTuple):
    """What became of the last proposal: whose refused it, None where it was carried out.

    ``number`` is the entry with which that was settled. ``alone`` says that the host carried it out
    without waiting for all.
    """

    number: int
    proposal: Proposal
    refused_by: int | None = None
    alone: bool = False


class Countdown(NamedTuple):
    """Somebody wants to go on without some who are there, unless they touch something.

    ``number`` is the entry with which the player ``by`` began it, the host as a rule. With
    ``frees`` it is about a seat, with ``proposal`` about their answer to the one with that number,
    and with ``host`` a player wants to become host in place of ``players``, the seats of the host's
    device; else it is about what the game waits for now.
    """

    number: int
    by: int
    players: frozenset[int]
    frees: bool = False
    proposal: int | None = None
    host: bool = False


class Rewind(NamedTuple, Generic[G]):
    """The game was wound back with the entry ``number``, and what can be restored.

    ``applied`` and ``done`` are those of the state before it; ``kept`` are the numbers of the
    actions that held after it, and ``game`` is the game then.
    """

    number: int
    applied: tuple[int, ...]
    done: frozenset[int]
    kept: tuple[int, ...]
    game: G


class Question(NamedTuple, Generic[G]):
    """A player has asked what an expert would do when the ``game`` stood so.

    ``number`` is the entry of it. ``answer`` is one action, or all pieces of track that the player
    owed; empty until the expert has thought, and where ``has_failed`` says that none came.
    """

    number: int
    player: int
    game: G
    answer: tuple[Action, ...] = ()
    has_failed: bool = False


class PassEnd(NamedTuple, Generic[G]):
    """The end of one pass: the game before it, the action that ended it, and the game after it.

    ``number`` is the entry of that action, ``until`` the last one that still belonged to the pass
    (the choices of planets and tracks).
    """

    number: int
    until: int
    before: G
    action: Action
    after: G


class LogState(NamedTuple, Generic[G]):
    """A table after some entries.

    ``length`` is how many entries were read; ``applied`` the numbers of those that hold, in their
    order; ``pass_ends`` all pass ends so far, the last of which may still wait for choices.
    ``thrown`` are all dice there have been, one by one, the first ``throws`` of which hold: those
    of each player where everybody has their own, else of `EVERYBODY`.
    ``answered`` stays until somebody proposes again. ``asked`` are all questions to an expert:
    what is taken back takes none of them along. ``former_hosts`` are the seats that have been the
    host's; it may be one of them again. ``rewinds`` are the ways back that were not followed by a
    way forward, the last of which can be undone until somebody plays on (`play.may_go_forward`).
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
    answered: Answered | None = None
    countdown: Countdown | None = None
    asked: tuple[Question[G], ...] = ()
    former_hosts: frozenset[int] = frozenset()
    rewinds: tuple[Rewind[G], ...] = ()

    def to_come(self, whose: int) -> tuple[int, ...]:
        """The dice of somebody that were taken back: they show the same when thrown again.

        So nobody goes back in the hope of better dice, or of those somebody else has thrown.
        """
        return self.thrown.get(whose, ())[self.throws.get(whose, 0) :]

    @property
    def pass_began_after(self) -> int:
        """The number of the last entry that belongs to an earlier pass, or ended this one."""
        if not self.pass_ends:
            return 0
        last = self.pass_ends[-1]
        return last.number if self.game.phase == "marking" else last.until

    @property
    def moment(self) -> str:
        """What a request must name to be about now and not about a turn or pass that is over.

        In an open pass and where everybody chooses for themself it is the same for all of the
        pass, so that players do not disturb each other; in a turn it changes with every act.
        """
        return self.turn if self.game.phase in TOGETHER else f"{self.turn}-{self.acts}"

    @property
    def turn(self) -> str:
        """The pass and its phase: a tap that was meant for another one must not be carried out."""
        return f"{self.game.pass_number}-{self.game.phase}"

    @property
    def acts(self) -> int:
        """How many acts hold; 0 in an open pass and where everybody chooses for themself."""
        return 0 if self.game.phase in TOGETHER else len(self.applied)


def find_reached(entries: Sequence[Entry], applied: Iterable[int]) -> RocketCrosses:
    """The planets that rockets have crossed in those entries, counted from 1, that hold."""
    holding = (entries[number - 1] for number in applied)
    return frozenset((e["player"], e["at"]) for e in holding if e["do"] == "rocket")


def read_log(start: G, entries: Sequence[Entry]) -> LogState[G]:
    """The state of a table from its whole log.

    Entries are numbered from 1. An entry that does not hold (it was acknowledged, so none should)
    raises RuleViolation.
    """
    return extend(LogState(start), start, entries, 0)


def extend(
    state: LogState[G],
    start: G,
    entries: Sequence[Entry],
    known: int,
    actions: Sequence[Action | None] = (),
) -> LogState[G]:
    """The state after all ``entries``, the first ``known`` of which ``state`` has read already.

    ``actions`` are those of the others, for who has just written them; None for what is no act.
    """
    new = zip_longest(entries[known:], actions)
    for number, (entry, action) in enumerate(new, start=known + 1):
        state = _add(state, start, entries, number, entry, action)
    return state


def _add(
    state: LogState[G],
    start: G,
    entries: Sequence[Entry],
    number: int,
    entry: Entry,
    action: Action | None,
) -> LogState[G]:
    state = state._replace(length=number)
    if action is not None:
        return _play(state, number, entry, action)
    do = entry["do"]
    if do in OF_PRESENCE:
        state = state._replace(countdown=_without(state.countdown, entry["player"]))
    if do in SAID:
        return _hear(state, number, entry)
    if do == "ask":
        question = Question(number, entry["player"], state.game)
        return state._replace(asked=(*state.asked, question))
    if do == "advise":
        return state._replace(asked=_asked_after(state.asked, entry))
    if do == "undo":
        back = strike(state, start, entries, {entry["entry"]})
        return back._replace(done=frozenset(entry["done"])) if "done" in entry else back
    if do in ("wind_back", "wind_forward"):
        wound = _wind(state, start, entries, number, entry)
        alone = "by" in entry
        answered = state.proposal and Answered(number, state.proposal, None, alone)
        return _settled(wound._replace(answered=answered))
    return _play(state, number, entry, parse_action(entry))


def _play(state: LogState[G], number: int, entry: Entry, action: Action) -> LogState[G]:
    """A new action; nobody is asked any more whether to go forward again instead."""
    played, proposal = _act(state, number, action), state.proposal
    is_correction = action.do == "correct"
    if not proposal or not (proposal.is_forward or is_correction):
        return played
    if is_correction:
        played = played._replace(answered=Answered(number, proposal, None, "by" in entry))
    return _settled(played)


def _wind(
    state: LogState[G], start: G, entries: Sequence[Entry], number: int, entry: Entry
) -> LogState[G]:
    """The game goes back to before an entry, or forward again to where it was before that."""
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


def _hear(state: LogState[G], number: int, entry: Entry) -> LogState[G]:
    """Somebody says something about the table, which leaves the game as it is."""
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
            return state._replace(countdown=_without(state.countdown, *entry["for"]))
        case "propose":
            is_forward = entry.get("forward", False)
            correction = parse_action(entry["correct"]) if "correct" in entry else None
            to, agreed = entry.get("to", 0), frozenset({player})
            proposal = Proposal(number, player, to, agreed, is_forward, correction)
            return _settled(state)._replace(proposal=proposal, answered=None)
    if do == "agree" and state.proposal:
        agreed = state.proposal.agreed | {player}
        return state._replace(proposal=state.proposal._replace(agreed=agreed))
    if do == "disagree":
        return _settled(
            state._replace(answered=state.proposal and Answered(number, state.proposal, player))
        )
    return state


def _asked_after(asked: tuple[Question[G], ...], entry: Entry) -> tuple[Question[G], ...]:
    """All questions with the answer to one of them, or that none came."""
    acts = [entry["act"], *entry.get("more", ())] if "act" in entry else []
    answer = tuple(parse_action(act) for act in acts)
    return tuple(
        one._replace(answer=answer, has_failed=not answer) if one.number == entry["asked"] else one
        for one in asked
    )


def _settled(state: LogState[G]) -> LogState[G]:
    """Nobody is asked about a proposal any more, and nobody counts down for an answer."""
    countdown = state.countdown
    is_over = countdown and countdown.proposal is not None
    return state._replace(proposal=None, countdown=None if is_over else countdown)


def strike(
    state: LogState[G], start: G, entries: Sequence[Entry], numbers: set[int]
) -> LogState[G]:
    """The state without some entries: everything that still holds is replayed.

    Raises:
        RuleViolation: when an entry that stays does not hold without the struck ones.
    """
    holding = [number for number in state.applied if number not in numbers]
    back = replay(state, start, entries, holding)
    return back._replace(struck=state.struck | numbers)


def replay(
    state: LogState[G], start: G, entries: Sequence[Entry], numbers: Iterable[int]
) -> LogState[G]:
    """The state in which the actions with these numbers hold, in order. Raises RuleViolation."""
    fresh, proposal = LogState(start, thrown=state.thrown), state.proposal
    for number in numbers:
        fresh = _act(fresh, number, parse_action(entries[number - 1]))
    return fresh._replace(
        length=state.length,
        struck=state.struck,
        done=state.done,
        rewinds=state.rewinds,
        # The sheet that was to be corrected is another one now.
        proposal=None if proposal and proposal.correction else proposal,
        answered=state.answered,
        asked=state.asked,
        former_hosts=state.former_hosts,
        countdown=state.countdown if _outlasts(state.countdown) else None,
    )


def _outlasts(countdown: Countdown | None) -> bool:
    """Whether a countdown is about more than what the game waited for when it began."""
    return bool(countdown and (countdown.frees or countdown.host or countdown.proposal is not None))


def _act(state: LogState[G], number: int, action: Action) -> LogState[G]:
    before = state.game
    after = before.apply(action)
    thrown, throws = _thrown_after(state, action)
    return state._replace(
        game=after,
        thrown=thrown,
        throws=throws,
        countdown=_countdown_after(state, after, action),
        applied=(*state.applied, number),
        done=_done_after(state.done, before, after, action),
        pass_ends=_pass_ends_after(state.pass_ends, number, before, action, after),
    )


def _thrown_after(
    state: LogState[G], action: Action
) -> tuple[Mapping[int, tuple[int, ...]], Mapping[int, int]]:
    """All dice there have been, and how many of them hold, with those of an act."""
    whose = action.player if action.do == "throw" else EVERYBODY
    dice = (action.die,) if action.do in ("erupt", "throw") else action.dice
    if not dice:
        return state.thrown, state.throws
    all_dice, had = state.thrown.get(whose, ()), state.throws.get(whose, 0)
    held = had + len(dice)
    thrown = (*all_dice[:had], *dice, *all_dice[held:])
    return {**state.thrown, whose: thrown}, {**state.throws, whose: held}


def _without(countdown: Countdown | None, *players: int) -> Countdown | None:
    """Some have shown that they are there, or have no seat any more."""
    left = countdown.players.difference(players) if countdown else None
    return countdown._replace(players=left) if countdown and left else None


def _countdown_after(state: LogState[G], after: G, action: Action) -> Countdown | None:
    """A countdown is about what the game waits for now, and for whom."""
    before = state.game
    if _outlasts(state.countdown):
        return _without(state.countdown, action.player)
    is_same = (before.phase, before.pass_number) == (after.phase, after.pass_number)
    if not is_same or after.phase not in TOGETHER:
        return None
    return _without(state.countdown, action.player)


def _done_after(done: frozenset[int], before: G, after: G, action: Action) -> frozenset[int]:
    """Who acts again is not done any more; a new pass begins with nobody done."""
    if after.pass_number != before.pass_number or after.phase != before.phase:
        return frozenset()
    return done - {action.player}


def _pass_ends_after(
    pass_ends: tuple[PassEnd[G], ...], number: int, before: G, action: Action, after: G
) -> tuple[PassEnd[G], ...]:
    """The pass ends with this act: a new one, or the last one whose choices go on."""
    has_ended = after.passes_done > before.passes_done
    if before.phase == "marking":
        last = pass_ends[-1]
        return (*pass_ends[:-1], last._replace(after=after, until=number))
    if has_ended or after.phase == "marking":
        return (*pass_ends, PassEnd(number, number, before, action, after))
    return pass_ends


def holds_without(state: LogState[G], start: G, entries: Sequence[Entry], number: int) -> bool:
    """Whether an entry can be struck while everything after it still holds."""
    try:
        strike(state, start, entries, {number})
    except RuleViolation:
        return False
    return True

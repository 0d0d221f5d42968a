"""What does the log of a table say: where does the game stand, who is done, what is proposed?

A table is its log: a list of entries, never changed and never shortened. Most are the actions of a
``dizzle-game/1``, or of a `Sitting` that plays Dice²; the others belong to the table: ``done``
and ``not_done`` (a player in a mirrored pass), ``undo`` (strikes one entry), ``propose``,
``agree``, ``disagree`` and ``wind_back`` (strikes all entries from ``to`` on). The game is the
replay of the actions that are not struck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sheets.rules import Action, Game, RuleViolation
from sheets.rules.marks import Reached
from sheets.rules.record import parse_action
from sheets.rules.story import Effect, tell

Played = Any
"""What the log leads to: a `Game` of Dizzle or a `Sitting` of Dice².

The log itself only asks for ``apply``, ``phase``, ``pass_number`` and ``passes_done``.
"""

Entry = Mapping[str, Any]
"""One entry of the log: ``do`` and what belongs to it, as it is stored."""


TOGETHER: Final = ("open", "marking", "lava")
"""The phases in which everybody acts for themself, in no order."""


class Proposal(NamedTuple):
    """Somebody wants back to before entry ``to``; ``agreed`` are the players who said yes."""

    number: int
    player: int
    to: int
    agreed: frozenset[int]


class PassEnd(NamedTuple):
    """The end of one pass: the game before it and after it.

    ``number`` is the entry that ended it, ``until`` the last one that still belonged to it (the
    choices of planets and tracks).
    """

    number: int
    until: int
    before: Played
    after: Played

    @property
    def story(self) -> list[Effect]:
        """What happened, effect by effect."""
        return tell(self.before, self.after)


class LogState(NamedTuple):
    """A table after some entries.

    ``length`` is how many entries were read; ``applied`` the numbers of those that hold, in their
    order; ``pass_ends`` all pass ends so far, the last of which may still wait for choices.
    ``thrown`` are all dice there have been, one by one, the first ``throws`` of which hold.
    """

    game: Played
    length: int = 0
    applied: tuple[int, ...] = ()
    done: frozenset[int] = frozenset()
    proposal: Proposal | None = None
    struck: frozenset[int] = frozenset()
    pass_ends: tuple[PassEnd, ...] = ()
    thrown: tuple[int, ...] = ()
    throws: int = 0

    @property
    def to_come(self) -> tuple[int, ...]:
        """The dice that were taken back: they show the same when they are thrown again.

        So nobody goes back in the hope of better dice.
        """
        return self.thrown[self.throws :]

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
        game = self.game
        if game.phase in TOGETHER:
            return f"{game.pass_number}-{game.phase}"
        return f"{game.pass_number}-{game.phase}-{len(self.applied)}"


def find_reached(entries: Sequence[Entry], applied: Iterable[int]) -> Reached:
    """The planets that rockets have crossed in those entries, counted from 1, that hold."""
    holding = (entries[number - 1] for number in applied)
    return frozenset((e["player"], e["at"]) for e in holding if e["do"] == "rocket")


def read_log(start: Played, entries: Sequence[Entry]) -> LogState:
    """The state of a table from its whole log.

    Entries are numbered from 1. An entry that does not hold (it was acknowledged, so none should)
    raises RuleViolation.
    """
    return extend(LogState(start), start, entries, 0)


def extend(state: LogState, start: Played, entries: Sequence[Entry], known: int) -> LogState:
    """The state after all ``entries``, the first ``known`` of which ``state`` has read already."""
    for number, entry in enumerate(entries[known:], start=known + 1):
        state = _add(state, start, entries, number, entry)
    return state


def _add(
    state: LogState, start: Played, entries: Sequence[Entry], number: int, entry: Entry
) -> LogState:
    do = entry["do"]
    state = state._replace(length=number)
    if do == "done":
        return state._replace(done=state.done | {entry["player"]})
    if do == "not_done":
        return state._replace(done=state.done - {entry["player"]})
    if do == "propose":
        player = entry["player"]
        return state._replace(proposal=Proposal(number, player, entry["to"], frozenset({player})))
    if do == "agree" and state.proposal:
        agreed = state.proposal.agreed | {entry["player"]}
        return state._replace(proposal=state.proposal._replace(agreed=agreed))
    if do == "disagree":
        return state._replace(proposal=None)
    if do == "undo":
        return strike(state, start, entries, {entry["entry"]})
    if do == "wind_back":
        gone = set(range(entry["to"], number))
        return strike(state, start, entries, gone)._replace(proposal=None, done=frozenset())
    return _act(state, number, parse_action(entry))


def strike(state: LogState, start: Played, entries: Sequence[Entry], numbers: set[int]) -> LogState:
    """The state without some entries: everything that still holds is replayed.

    Raises:
        RuleViolation: when an entry that stays does not hold without the struck ones.
    """
    struck = state.struck | numbers
    fresh = LogState(start, thrown=state.thrown)
    for number in state.applied:
        if number not in struck:
            fresh = _act(fresh, number, parse_action(entries[number - 1]))
    return fresh._replace(
        length=state.length, struck=struck, done=state.done, proposal=state.proposal
    )


def _act(state: LogState, number: int, action: Action) -> LogState:
    before = state.game
    after = before.apply(action)
    dice = (action.die,) if action.do in ("erupt", "throw") else action.dice
    throws = state.throws + len(dice)
    return state._replace(
        game=after,
        thrown=(*state.thrown[: state.throws], *dice, *state.thrown[throws:]),
        throws=throws,
        applied=(*state.applied, number),
        done=_done_after(state.done, before, after, action),
        pass_ends=_pass_ends_after(state.pass_ends, number, before, action, after),
    )


def _done_after(
    done: frozenset[int], before: Played, after: Played, action: Action
) -> frozenset[int]:
    """Who acts again is not done any more; a new pass begins with nobody done."""
    if after.pass_number != before.pass_number or after.phase != before.phase:
        return frozenset()
    return done - {action.player}


def _pass_ends_after(
    pass_ends: tuple[PassEnd, ...], number: int, before: Played, action: Action, after: Played
) -> tuple[PassEnd, ...]:
    """The pass ends with this act: a new one, or the last one whose choices go on."""
    is_over = after.passes_done > before.passes_done
    if before.phase == "marking":
        last = pass_ends[-1]
        return (*pass_ends[:-1], last._replace(after=after, until=number))
    if is_over or after.phase == "marking":
        return (*pass_ends, PassEnd(number, number, _with_last_die(before, action), after))
    return pass_ends


def _with_last_die(game: Played, action: Action) -> Played:
    """The game with the die on its field that ends the pass by being placed."""
    if action.do != "place" or not isinstance(game, Game):
        return game
    sheets = list(game.sheets)
    sheets[action.player] = sheets[action.player].with_die(game.level.index[action.at])
    return game._replace(sheets=tuple(sheets))


def holds_without(state: LogState, start: Played, entries: Sequence[Entry], number: int) -> bool:
    """Whether an entry can be struck while everything after it still holds."""
    try:
        strike(state, start, entries, {number})
    except RuleViolation:
        return False
    return True

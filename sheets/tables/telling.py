"""What happened entry by entry, in a table's log or in a recorded game?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sheets.rules import Game
from sheets.rules.marks import Reached
from sheets.rules.record import Record, format_action
from sheets.rules.story import Effect, tell
from sheets.tables.log import Entry, LogState, extend, find_reached
from sheets.tables.log_words import tell_entry


class Told(NamedTuple):
    """One entry, the state before it and the state after it; entries count from 1."""

    number: int
    entries: Sequence[Entry]
    before: LogState
    after: LogState

    @property
    def entry(self) -> Entry:
        """The entry itself."""
        return self.entries[self.number - 1]

    @property
    def sentence(self) -> str:
        """The entry in words."""
        game = self.before.game
        if not isinstance(game, Game):
            return tell_entry(self.entry, self.entries, None, game.players)
        roller = game.players[game.start_player]
        return tell_entry(self.entry, self.entries, game.level, game.players, roller)

    @property
    def ends_pass(self) -> bool:
        """Whether the entry ended a pass, though choices may still be owed."""
        return len(self.after.pass_ends) > len(self.before.pass_ends)

    @property
    def effects(self) -> list[Effect]:
        """What followed from the entry, without what it says itself."""
        if not isinstance(self.after.game, Game):
            return []
        if self.after.length != self.number or self.number not in self.after.applied:
            return []
        if self.ends_pass:
            return self.after.pass_ends[-1].story
        said = (self.entry["do"], (self.entry.get("player"),))
        effects = tell(self.before.game, self.after.game)
        return [effect for effect in effects if (effect.rule, effect.players) != said]


def tell_log(start: Game, entries: Sequence[Entry]) -> Iterator[Told]:
    """Each entry of a log, the oldest first.

    Raises:
        RuleViolation: at the first entry that does not hold.
    """
    state = LogState(start)
    for number in range(1, len(entries) + 1):
        after = extend(state, start, entries[:number], number - 1)
        yield Told(number, entries, state, after)
        state = after


class Stop(NamedTuple):
    """One act in the list beside a replay: how many acts have been done with it."""

    at: int
    sentence: str


class Replay(NamedTuple):
    """A recorded game, stopped after some of its acts.

    ``told`` is the last act done, None at the beginning; ``stops`` are the numbers of acts after
    which the game began or a pass was over; ``acts`` are those of the pass that is shown.
    """

    record: Record
    at: int
    length: int
    game: Game
    told: Told | None
    stops: tuple[int, ...]
    acts: tuple[Stop, ...]
    reached: Reached

    @property
    def is_pass_end(self) -> bool:
        """Whether a pass is over with the last act done."""
        return self.told is not None and _is_stop(self.told)

    @property
    def story(self) -> list[Effect]:
        """What followed: after the end of a pass all of it, else what the last act led to."""
        if self.told is None:
            return []
        if self.told.after.pass_ends and self.told.after.pass_ends[-1].until == self.at:
            return self.told.after.pass_ends[-1].story
        return self.told.effects

    def lit(self, player: int) -> list[str]:
        """The fields of a sheet that the last act, or the end of the pass, has changed."""
        fields = {
            at
            for effect in self.story
            if player in effect.players or player in effect.others
            for at in effect.fields
        }
        if not fields and self.told and self.told.entry.get("player") == player:
            fields.add(self.told.entry.get("at", ""))
        return sorted(fields - {""})

    @property
    def before(self) -> int | None:
        """The stop before this moment."""
        return max((stop for stop in self.stops if stop < self.at), default=None)

    @property
    def behind(self) -> int | None:
        """The stop after this moment."""
        return min((stop for stop in self.stops if stop > self.at), default=None)

    @property
    def pass_shown(self) -> int:
        """The pass that is shown, counted from 1; 0 before the first act."""
        return sum(stop < self.at for stop in self.stops)


def replay_to(record: Record, at: int) -> Replay:
    """A recorded game stopped after ``at`` acts, or as many as there are.

    Raises:
        RuleViolation: when the record breaks a rule anywhere.
    """
    entries = [format_action(action) for action in record.actions]
    at = max(0, min(at, len(entries)))
    start, shown = record.start(), None
    stops = [0]
    for told in tell_log(start, entries):
        if told.number == at:
            shown = told
        if _is_stop(told):
            stops.append(told.number)
    if stops[-1] != len(entries):
        stops.append(len(entries))
    first = max((stop for stop in stops if stop < at), default=0)
    last = min((stop for stop in stops if stop > first), default=0)
    # All acts of one pass but rolls name their player, and all rolls of a pass are one player's.
    roller = start.players[(shown.before.game if shown else start).start_player]
    acts = [
        Stop(number, tell_entry(entries[number - 1], entries, start.level, start.players, roller))
        for number in range(first + 1, last + 1)
    ]
    game = shown.after.game if shown else start
    return Replay(
        record,
        at,
        len(entries),
        game,
        shown,
        tuple(stops),
        tuple(acts),
        find_reached(entries, range(1, at + 1)),
    )


def _is_stop(told: Told) -> bool:
    """Whether a pass, choices and all, is over with this entry."""
    before, after = told.before.game, told.after.game
    return bool(after.passes_done > before.passes_done)

"""What happened entry by entry, in a table's log or in a recorded game?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Generic, NamedTuple

from django.utils.translation import gettext as _

from sheets.rules import Game
from sheets.rules.documents.game import Record, format_action, parse_action
from sheets.rules.marks import Reached
from sheets.rules.story import Effect, tell_act
from sheets.tables.log import Entry, G, LogState, PassEnd, extend, find_reached
from sheets.tables.words import round_words
from sheets.texts.log import effect_sentence, entry_sentence


class Replayed(NamedTuple, Generic[G]):
    """One entry, the state before it and the state after it; entries count from 1."""

    number: int
    entries: Sequence[Entry]
    before: LogState[G]
    after: LogState[G]

    @property
    def entry(self) -> Entry:
        """The entry itself."""
        return self.entries[self.number - 1]

    @property
    def ends_pass(self) -> bool:
        """Whether the entry ended a pass, though choices may still be owed."""
        return len(self.after.pass_ends) > len(self.before.pass_ends)


def replay_log(start: G, entries: Sequence[Entry]) -> Iterator[Replayed[G]]:
    """Each entry of a log, the oldest first.

    Raises:
        RuleViolation: at the first entry that does not hold.
    """
    state = LogState(start)
    for number in range(1, len(entries) + 1):
        after = extend(state, start, entries[:number], number - 1)
        yield Replayed(number, entries, state, after)
        state = after


def story_of(end: PassEnd[Game]) -> list[Effect]:
    """How a pass of Dizzle ended, effect by effect."""
    return tell_act(end.before, end.action, end.after)


def effects_of(replayed: Replayed[Game]) -> list[Effect]:
    """What followed from an entry of a game of Dizzle, without what it says itself."""
    before, after = replayed.before, replayed.after
    if after.length != replayed.number or replayed.number not in after.applied:
        return []
    if replayed.ends_pass:
        return story_of(after.pass_ends[-1])
    said = (replayed.entry["do"], (replayed.entry.get("player"),))
    effects = tell_act(before.game, parse_action(replayed.entry), after.game)
    return [effect for effect in effects if (effect.rule, effect.players) != said]


def sort_for_reader(effects: Iterable[Effect], player: int | None) -> list[Effect]:
    """Effects in their order, but of several of the same rule those of a player first."""
    groups = groupby(effects, key=lambda effect: effect.rule)
    return [
        effect
        for _rule, group in groups
        for effect in sorted(group, key=lambda effect: player not in effect.players)
    ]


class EffectLine(NamedTuple):
    """One effect in words: what to light up, and on whose sheets.

    ``is_choice`` says that one of the players chose it just now.
    """

    text: str
    fields: tuple[str, ...]
    players: tuple[int, ...]
    is_choice: bool


def effect_lines(effects: Sequence[Effect], game: Game) -> list[EffectLine]:
    """What happened in a game, effect by effect, as it is told beside the sheets."""
    return [
        EffectLine(
            effect_sentence(effect, game.level, game.players),
            effect.fields,
            effect.players + effect.others,
            effect.rule in ("rocket", "track"),
        )
        for effect in effects
    ]


def sentence_of(replayed: Replayed[Game]) -> str:
    """An entry of a game of Dizzle in words; who rolled is known from the game before it."""
    game = replayed.before.game
    roller = game.players[game.start_player]
    return entry_sentence(replayed.entry, replayed.entries, game.level, game.players, roller)


class Stop(NamedTuple):
    """One act in the list beside a replay: how many acts have been done with it."""

    at: int
    sentence: str


class Replay(NamedTuple):
    """A recorded game, stopped after some of its acts.

    ``last`` is the last act done, None at the beginning; ``stops`` are the numbers of acts after
    which the game began or a pass was over; ``acts`` are those of the pass that is shown.
    """

    record: Record
    at: int
    length: int
    game: Game
    last: Replayed[Game] | None
    stops: tuple[int, ...]
    acts: tuple[Stop, ...]
    reached: Reached

    @property
    def sentence(self) -> str:
        """The last act done in words, empty at the beginning."""
        return sentence_of(self.last) if self.last else ""

    @property
    def heading(self) -> str:
        """Where in the game this is."""
        if self.at == 0:
            return _("Before the first move")
        if self.game.is_finished:
            return _("The game is over")
        if not self.is_pass_end:
            return round_words(self.game)
        players = len(self.game.players)
        return _("Pass %(number)d of %(passes)d is over") % {
            "number": self.game.passes_done,
            "passes": self.record.level.rounds[players] * players,
        }

    @property
    def is_pass_end(self) -> bool:
        """Whether a pass is over with the last act done."""
        return self.last is not None and _is_stop(self.last)

    @property
    def story(self) -> list[Effect]:
        """What followed: after the end of a pass all of it, else what the last act led to."""
        if self.last is None:
            return []
        if self.last.after.pass_ends and self.last.after.pass_ends[-1].until == self.at:
            return story_of(self.last.after.pass_ends[-1])
        return effects_of(self.last)

    def lit(self, player: int) -> list[str]:
        """The fields of a sheet that the last act, or the end of the pass, has changed."""
        fields = {
            at
            for effect in self.story
            if player in effect.players or player in effect.others
            for at in effect.fields
        }
        if not fields and self.last and self.last.entry.get("player") == player:
            fields.add(self.last.entry.get("at", ""))
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
    for replayed in replay_log(start, entries):
        if replayed.number == at:
            shown = replayed
        if _is_stop(replayed):
            stops.append(replayed.number)
    if stops[-1] != len(entries):
        stops.append(len(entries))
    first = max((stop for stop in stops if stop < at), default=0)
    last = min((stop for stop in stops if stop > first), default=0)
    # All acts of one pass but rolls name their player, and all rolls of a pass are one player's.
    roller = start.players[(shown.before.game if shown else start).start_player]
    acts = [
        Stop(
            number, entry_sentence(entries[number - 1], entries, start.level, start.players, roller)
        )
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


def _is_stop(replayed: Replayed[G]) -> bool:
    """Whether a pass, choices and all, is over with this entry."""
    before, after = replayed.before.game, replayed.after.game
    return after.passes_done > before.passes_done

"""Replay of a table's log or a recorded game, entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Generic, NamedTuple

from django.utils.translation import gettext as _

from sheets.rules import Game
from sheets.rules.documents.game import Record, format_action, parse_action
from sheets.rules.effect_list import Effect, find_effects_of
from sheets.rules.marks import RocketCrosses
from sheets.tables.event_log import Entry, G, LogState, PassEnd, extend, find_reached
from sheets.tables.sentences import round_words
from sheets.text.event_log import effect_sentence, entry_sentence


class Replayed(NamedTuple, Generic[G]):
    """One entry with the states before and after it; ``number`` counts from 1."""

    number: int
    entries: Sequence[Entry]
    before: LogState[G]
    after: LogState[G]

    @property
    def entry(self) -> Entry:
        """The entry."""
        return self.entries[self.number - 1]

    @property
    def ends_pass(self) -> bool:
        """Whether the entry ended a pass; players may still owe choices."""
        return len(self.after.pass_ends) > len(self.before.pass_ends)


def replay_log(start: G, entries: Sequence[Entry]) -> Iterator[Replayed[G]]:
    """Yield each entry of a log with its states, oldest first.

    Raises:
        RuleViolation: the iteration has reached an entry that breaks a rule.
    """
    state = LogState(start)
    for number in range(1, len(entries) + 1):
        after = extend(state, start, entries[:number], number - 1)
        yield Replayed(number, entries, state, after)
        state = after


def story_of(end: PassEnd[Game]) -> list[Effect]:
    """Return the effects of the end of a pass of Dizzle."""
    return find_effects_of(end.before, end.action, end.after)


def effects_of(replayed: Replayed[Game]) -> list[Effect]:
    """Return the effects of an entry of Dizzle, without what its own sentence states."""
    before, after = replayed.before, replayed.after
    if after.length != replayed.number or replayed.number not in after.applied:
        return []
    if replayed.ends_pass:
        return story_of(after.pass_ends[-1])
    said = (replayed.entry["do"], (replayed.entry.get("player"),))
    effects = find_effects_of(before.game, parse_action(replayed.entry), after.game)
    return [effect for effect in effects if (effect.rule, effect.players) != said]


def sort_for_reader(effects: Iterable[Effect], player: int | None) -> list[Effect]:
    """Return effects in their order, but among the effects of one rule a player's own first."""
    groups = groupby(effects, key=lambda effect: effect.rule)
    return [
        effect
        for _rule, group in groups
        for effect in sorted(group, key=lambda effect: player not in effect.players)
    ]


class EffectLine(NamedTuple):
    """One effect as a sentence, with the fields to highlight on the sheets of ``players``.

    ``is_choice`` says that a player has just chosen it, for example a planet for a rocket.
    """

    text: str
    fields: tuple[str, ...]
    players: tuple[int, ...]
    is_choice: bool


def effect_lines(effects: Sequence[Effect], game: Game) -> list[EffectLine]:
    """Return the effects in a game as they are shown next to the sheets."""
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
    """Return an entry of Dizzle as a sentence; the game before it says which player rolled."""
    game = replayed.before.game
    roller = game.players[game.start_player]
    return entry_sentence(replayed.entry, replayed.entries, game.level, game.players, roller)


class Stop(NamedTuple):
    """One act in the list next to a replay; ``at`` is the number of acts up to and with it."""

    at: int
    sentence: str


class Replay(NamedTuple):
    """A recorded game, stopped after some of its acts.

    Attributes:
        record: the recorded game.
        at: number of acts done.
        length: number of all acts.
        game: the game after these acts.
        last: the last act done, None at the beginning.
        stops: the values of ``at`` at the beginning, after each pass, and at the end of the record.
        acts: the acts of the pass that is shown.
        reached: the planets that rockets have crossed.
    """

    record: Record
    at: int
    length: int
    game: Game
    last: Replayed[Game] | None
    stops: tuple[int, ...]
    acts: tuple[Stop, ...]
    reached: RocketCrosses

    @property
    def sentence(self) -> str:
        """The last act done as a sentence, empty at the beginning."""
        return sentence_of(self.last) if self.last else ""

    @property
    def heading(self) -> str:
        """The position in the game in words."""
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
        """The effects of the last act; at the end of a pass all effects of that end."""
        if self.last is None:
            return []
        if self.last.after.pass_ends and self.last.after.pass_ends[-1].until == self.at:
            return story_of(self.last.after.pass_ends[-1])
        return effects_of(self.last)

    def lit(self, player: int) -> list[str]:
        """Return the fields of a player's sheet that the last act, or the pass end, has changed."""
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
        """The previous stop, None at the beginning."""
        return max((stop for stop in self.stops if stop < self.at), default=None)

    @property
    def behind(self) -> int | None:
        """The next stop, None at the end."""
        return min((stop for stop in self.stops if stop > self.at), default=None)

    @property
    def pass_shown(self) -> int:
        """Number of the pass that is shown, counted from 1; 0 before the first act."""
        return sum(stop < self.at for stop in self.stops)


def replay_to(record: Record, at: int) -> Replay:
    """Return a recorded game stopped after ``at`` acts, or after all if it has fewer.

    Raises:
        RuleViolation: the record breaks a rule anywhere.
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
    # Rolls name no player; all rolls of one pass belong to the same player.
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
    """Return whether a pass, including its choices, is over with this entry."""
    before, after = replayed.before.game, replayed.after.game
    return after.passes_done > before.passes_done

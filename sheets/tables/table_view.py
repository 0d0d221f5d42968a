"""A table of Dizzle as all devices see it: sheets, points, dice, and what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sheets.rules import Game, Level, Score
from sheets.rules.marks import Marks, marks_of
from sheets.rules.scoring import score_sheet
from sheets.rules.sheet import Sheet
from sheets.scoring.marks import has_volcano
from sheets.scoring.sentences import points_of_all
from sheets.tables.access import TableAccess
from sheets.tables.countdowns import PresenceView, view_presence
from sheets.tables.event_log import Loaded, LogState, PassEnd, find_reached
from sheets.tables.family import thinker_at
from sheets.tables.hints import hint_counts_sentence
from sheets.tables.identity_key import IdentityKey
from sheets.tables.pending_acts import Pending, find_pending
from sheets.tables.proposals import OpenProposal, Outcome, view_outcome, view_proposal
from sheets.tables.recent_acts import Act, acts_of_pass
from sheets.tables.replay import EffectLine, effect_lines, sort_for_reader, story_of
from sheets.tables.sentences import round_words, thinking, waiting


class Story(NamedTuple):
    """The end of the last pass, effect by effect; ``entry`` is the entry that ended it."""

    entry: int
    pass_number: int
    lines: list[EffectLine]


class _SheetKey:
    """Cache key of a sheet, equal for sheets with the same content."""

    __slots__ = ("_content", "sheet")

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._content = tuple(
            tuple(part.items()) if isinstance(part, Mapping) else part for part in sheet
        )

    def __hash__(self) -> int:
        return hash(self._content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SheetKey) and self._content == other._content


MAX_CACHED_SHEETS: Final = 2048
"""Maximum number of entries in each of the following caches: 500 tables with four players.

Most sheets stay the same from tap to tap, and most taps change only dice.
"""


@lru_cache(maxsize=MAX_CACHED_SHEETS)
def _score(key: _SheetKey, is_solo: bool) -> Score:
    """Return the score of a sheet."""
    return score_sheet(key.sheet, solo=is_solo)


@lru_cache(maxsize=MAX_CACHED_SHEETS)
def _marks(key: _SheetKey, reached: frozenset[str]) -> Marks:
    """Return the marks of a sheet."""
    return marks_of(key.sheet, reached)


@lru_cache(maxsize=MAX_CACHED_SHEETS)
def _story(key: IdentityKey[PassEnd[Game]], first: int | None, _language: str | None) -> Story:
    """Return the effects of a pass end; within a rule, those for the player ``first`` come first.

    The language is only part of the cache key.
    """
    end = key.value
    effects = sort_for_reader(story_of(end), first)
    return Story(end.number, end.before.pass_number, effect_lines(effects, end.after))


@dataclass(frozen=True)
class TableView:
    """A table with the current state of its game; `SeatView` adds what depends on the device."""

    access: TableAccess
    loaded: Loaded[Game]

    @property
    def state(self) -> LogState[Game]:
        """The state that the log leads to."""
        return self.loaded.state

    @property
    def game(self) -> Game:
        """The current state of the game."""
        return self.loaded.state.game

    @property
    def level(self) -> Level:
        """The level of the game."""
        return self.game.level

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return self.game.players

    @cached_property
    def marks(self) -> list[Marks]:
        """The marks of all sheets."""
        return self.loaded.cached("marks", self._find_marks)

    def _find_marks(self) -> list[Marks]:
        """Return the marks of all sheets."""
        reached = find_reached(self.loaded.entries, self.state.applied)
        return [
            _marks(_SheetKey(sheet), frozenset(at for who, at in reached if who == player))
            for player, sheet in enumerate(self.game.sheets)
        ]

    @cached_property
    def scores(self) -> list[Score]:
        """The scores of all sheets, as if the game ended now."""
        return self.loaded.cached("scores", self._find_scores)

    def _find_scores(self) -> list[Score]:
        """Return the scores of all sheets without dice, which do not count."""
        without = [sheet._replace(dice=0, near_dice=0, is_out=False) for sheet in self.game.sheets]
        return [_score(_SheetKey(sheet), self.game.is_solo) for sheet in without]

    @cached_property
    def pending(self) -> list[Pending]:
        """Everything the game waits for."""
        free = self.access.unattended
        return self.loaded.cached(("pending", free), lambda: find_pending(self.state, free))

    @cached_property
    def thinker(self) -> int | None:
        """The player whose hard bot is thinking; None for none."""
        return thinker_at(self.access, self.state)

    @property
    def awaits_bot(self) -> bool:
        """Whether the game waits only for bots, one of which is computing its move."""
        seats = self.access.all_seats
        return self.thinker is not None and all(seats[one.player].bot for one in self.pending)

    def waiting_for(self, pending: Sequence[Pending], names: Sequence[str]) -> str:
        """Return the sentence that says for which players the game waits, with these names."""
        if self.awaits_bot and self.thinker is not None:
            return thinking(names[self.thinker])
        return waiting(
            pending,
            names,
            count=self.game.dice_to_roll,
            is_last_turn=self.game.is_last_turn,
            is_boxed_in=self.game.is_boxed_in(),
        )

    @cached_property
    def acts(self) -> list[Act]:
        """The acts of this pass, if players take turns."""
        what = ("acts", get_language())
        return self.loaded.cached(what, lambda: list(acts_of_pass(self.loaded)))

    @property
    def rounds(self) -> list[list[str]]:
        """The round tracker: for each round its passes, ``done``, ``now`` or empty."""
        players, done = len(self.names), self.game.passes_done
        ticks = ["done"] * done + ["now"] * (not self.game.is_finished)
        ticks += [""] * (self.level.rounds[players] * players - len(ticks))
        return [ticks[start : start + players] for start in range(0, len(ticks), players)]

    @property
    def rounds_sentence(self) -> str:
        """The round and pass as a sentence."""
        return round_words(self.game)

    @property
    def result(self) -> str:
        """The points of all players, highest first."""
        return points_of_all(self.names, [score.total for score in self.scores])

    @cached_property
    def _entries_of_pass(self) -> list[Mapping[str, Any]]:
        """The entries of this pass that hold, last one first."""
        began = self.state.pass_began_after
        return [self.loaded.entries[n - 1] for n in reversed(self.state.applied) if n > began]

    @property
    def eruption(self) -> int:
        """The number rolled for the volcano in this pass, 0 for none yet."""
        return next((entry["die"] for entry in self._entries_of_pass if entry["do"] == "erupt"), 0)

    @property
    def shows_dice(self) -> bool:
        """Whether dice of the pass are shown above the sheet, at least those of a volcano."""
        return self.game.is_tracked or has_volcano(self.game.level)

    @property
    def extra_dice(self) -> list[int]:
        """The two extra dice of a solo game, as long as their roll is the last act."""
        last = self._entries_of_pass[0] if self._entries_of_pass else {}
        return list(last["dice"]) if last.get("do") == "extra" else []

    @cached_property
    def story(self) -> Story | None:
        """The end of the last pass, as far as it has been settled."""
        ends = self.state.pass_ends
        return _story(IdentityKey(ends[-1]), self.reader, get_language()) if ends else None

    @property
    def reader(self) -> int | None:
        """The player for whom the page is made; None if it is for all."""
        return None

    @property
    def dice_too_many(self) -> str:
        """A warning if more real dice lie on the sheets than exist; empty if not.

        There is none in a solo game, where the extra dice lie on the sheet, too.
        """
        game = self.game
        if game.phase != "open" or game.is_solo:
            return ""
        lying = sum(sheet.dice.bit_count() for sheet in game.sheets)
        count = self.level.dice[len(self.names)]
        if lying <= count:
            return ""
        sentence = _(
            "Please check: %(lying)d dice lie on the sheets, but only %(count)d are in play."
        )
        return sentence % {"lying": lying, "count": count}

    @property
    def hint_counts(self) -> str:
        """Sentence on how many hints each player has used; empty if hints are not allowed."""
        return hint_counts_sentence(self.state) if self.access.table.has_advice else ""

    @cached_property
    def proposal(self) -> OpenProposal | None:
        """The open proposal."""
        return view_proposal(self.access, self.loaded, self.level)

    @property
    def answered(self) -> Outcome | None:
        """The outcome of the last proposal."""
        return view_outcome(self.access, self.loaded, self.level)

    @cached_property
    def presence(self) -> PresenceView:
        """The countdowns, and the players for whom the host may act."""
        what = self.pending[0].what if self.pending else "dice"
        return view_presence(self.access, self.state, what)

"""What is there to see of a table of Dizzle, whoever looks: sheets, points, dice, what happened?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sheets.rules import Game, Level, Score
from sheets.rules.marks import Marks, marks_of
from sheets.rules.scoring import score_sheet
from sheets.rules.sheet import Sheet
from sheets.scoring.marks import has_volcano
from sheets.scoring.words import points_of_all
from sheets.tables.access import TableAccess
from sheets.tables.advice import asked_sentence
from sheets.tables.going_on import GoingOn, see_going_on
from sheets.tables.itself import IdentityKey
from sheets.tables.lately import Act, acts_of_pass
from sheets.tables.log import LogState, PassEnd, find_reached
from sheets.tables.pending import Pending, find_pending
from sheets.tables.playing import DIZZLE, thinker_at
from sheets.tables.proposals import OpenProposal, Outcome, see_answer, see_proposal
from sheets.tables.reading import Loaded
from sheets.tables.replay import EffectLine, effect_lines, sort_for_reader, story_of
from sheets.tables.words import round_words, thinking, waiting


class Story(NamedTuple):
    """How the last pass ended, effect after effect; ``entry`` is the entry that ended it."""

    entry: int
    pass_number: int
    lines: list[EffectLine]


class _Same:
    """A sheet that is the same as another one on which the same lies."""

    __slots__ = ("_all", "sheet")

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._all = tuple(
            tuple(part.items()) if isinstance(part, Mapping) else part for part in sheet
        )

    def __hash__(self) -> int:
        return hash(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._all == other._all


# From tap to tap most sheets stay as they are, and most taps change nothing but dice. There is room
# for those of 500 tables of four.


@lru_cache(maxsize=2048)
def _score(of: _Same, is_solo: bool) -> Score:
    return score_sheet(of.sheet, solo=is_solo)


@lru_cache(maxsize=2048)
def _marks(of: _Same, reached: frozenset[str]) -> Marks:
    return marks_of(of.sheet, reached)


@lru_cache(maxsize=2048)
def _story(of: IdentityKey[PassEnd[Game]], first: int | None, _language: str | None) -> Story:
    """How a pass has ended stays as it is until the next one ends."""
    end = of.value
    effects = sort_for_reader(story_of(end), first)
    return Story(end.number, end.before.pass_number, effect_lines(effects, end.after))


@dataclass(frozen=True)
class TableView:
    """A table with its game as it stands; `SeatView` adds what depends on who looks."""

    access: TableAccess
    loaded: Loaded[Game]

    @property
    def state(self) -> LogState[Game]:
        """Where the log leads."""
        return self.loaded.state

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.loaded.state.game

    @property
    def level(self) -> Level:
        """The level that is played."""
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
        reached = find_reached(self.loaded.entries, self.state.applied)
        return [
            _marks(_Same(sheet), frozenset(at for who, at in reached if who == player))
            for player, sheet in enumerate(self.game.sheets)
        ]

    @cached_property
    def scores(self) -> list[Score]:
        """What all sheets would come to now."""
        return self.loaded.cached("scores", self._find_scores)

    def _find_scores(self) -> list[Score]:
        without = [sheet._replace(dice=0, near_dice=0, is_out=False) for sheet in self.game.sheets]
        return [_score(_Same(sheet), self.game.is_solo) for sheet in without]

    @cached_property
    def pending(self) -> list[Pending]:
        """Everything the game waits for."""
        free = self.access.unattended
        return self.loaded.cached(("pending", free), lambda: find_pending(self.state, free))

    @cached_property
    def thinker(self) -> int | None:
        """The player whose bot thinks just now."""
        return thinker_at(self.access, self.state)

    @property
    def awaits_bot(self) -> bool:
        """Whether the game waits for bots alone: what one thinks of may come at once."""
        seats = self.access.everybody
        return self.thinker is not None and all(seats[one.player].bot for one in self.pending)

    def waiting_for(self, pending: Sequence[Pending], names: Sequence[str]) -> str:
        """That the game waits for these, as a sentence with the players called so."""
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
        """The acts of this pass, where everybody acts in turn."""
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
        """The same in words."""
        return round_words(self.game)

    @property
    def result(self) -> str:
        """What everybody has, the most first."""
        return points_of_all(self.names, [score.total for score in self.scores])

    @cached_property
    def _thrown(self) -> list[Mapping[str, Any]]:
        """The entries of this pass that hold, the last one first."""
        began = self.state.pass_began_after
        return [self.loaded.entries[n - 1] for n in reversed(self.state.applied) if n > began]

    @property
    def eruption(self) -> int:
        """The number the volcano rolled for this pass, 0 for none yet."""
        return next((entry["die"] for entry in self._thrown if entry["do"] == "erupt"), 0)

    @property
    def shows_dice(self) -> bool:
        """Whether dice of the pass are shown above the sheet, at least those of a volcano."""
        return self.game.is_tracked or has_volcano(self.game.level)

    @property
    def extra_dice(self) -> list[int]:
        """A solo game's two extra dice, as long as they are the last that happened."""
        last = self._thrown[0] if self._thrown else {}
        return list(last["dice"]) if last.get("do") == "extra" else []

    @cached_property
    def story(self) -> Story | None:
        """How the last pass ended, as far as it has been settled."""
        ends = self.state.pass_ends
        return _story(IdentityKey(ends[-1]), self.reader, get_language()) if ends else None

    @property
    def reader(self) -> int | None:
        """The player who reads the page; None for nobody in particular."""
        return None

    @property
    def dice_too_many(self) -> str:
        """A hint if more real dice lie on the sheets than there are; empty if not.

        A player alone also has the extra dice, so that nothing can be said.
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
    def asked(self) -> str:
        """How often everybody has asked an expert, empty where nobody may."""
        return asked_sentence(self.state) if self.access.table.has_advice else ""

    @property
    def proposal(self) -> OpenProposal | None:
        """The proposal to go back that waits for answers."""
        return see_proposal(self.access, self.loaded, self.level)

    @property
    def answered(self) -> Outcome | None:
        """What became of the last one."""
        return see_answer(self.access, self.loaded, self.level)

    @cached_property
    def going_on(self) -> GoingOn:
        """For whom the host may go on."""
        what = self.pending[0].what if self.pending else "dice"
        return see_going_on(self.access, DIZZLE, self.state, what)

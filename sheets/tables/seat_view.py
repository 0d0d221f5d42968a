"""A table of Dizzle as a device sees it: one sheet large, what to do, what a tap does."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, Final, NamedTuple

from cachetools import LRUCache, cached
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sheets.models import Seat
from sheets.rules import Game, Level, Score
from sheets.rules.level import SHAPES
from sheets.rules.marks import format_marks
from sheets.rules.placement import is_boxed_in
from sheets.rules.sheet import opened_colours
from sheets.scoring.score_view import CategoryRow, category_rows
from sheets.tables import acts, event_loader
from sheets.tables.access import TableAccess
from sheets.tables.hints import Hint, count_hints, view_hint
from sheets.tables.paper_comparison import takes_paper
from sheets.tables.pending_acts import Pending, find_pending, pending_for
from sheets.tables.proposals import call_sentence
from sheets.tables.recent_acts import Act, turns_since
from sheets.tables.sentences import gone, start, task
from sheets.tables.table_settings import TYPED
from sheets.tables.table_view import TableView
from sheets.tables.taps import Taps, script_taps, taps_of

PAIRED: Final = ("place", "extra")
"""Kinds of acts that a solo player does alternately while dice are left."""


class Person(NamedTuple):
    """One player in the row of sheets.

    ``fresh`` are the fields of their last turn; ``hint_count`` is how many hints they used.
    """

    number: int
    name: str
    total: int
    is_mine: bool
    is_awaited: bool
    is_out: bool
    is_done: bool
    bot: str
    fresh: list[str]
    hint_count: int


def _rows_key(level: Level, score: Score) -> Hashable:
    """Return the cache key of a score column: names in it depend on the language."""
    return level, tuple(score.by_category.items()), score.items, get_language()


@cached(LRUCache(maxsize=256), key=_rows_key, lock=Lock())
def _rows(level: Level, score: Score) -> list[CategoryRow]:
    """Return the score column of a sheet, which most taps do not change."""
    return category_rows(level, score)


@dataclass(frozen=True)
class SeatView(TableView):
    """A table as one device sees it.

    Attributes:
        seat: the seat of this device that acts, None if it holds none.
        shown: the player whose sheet is large.
        at: the field for which a track is being chosen.
    """

    seat: int | None
    shown: int
    at: str = ""

    @property
    def reader(self) -> int | None:
        """The seat that acts here."""
        return self.seat

    @property
    def is_own(self) -> bool:
        """Whether the sheet shown large is the one this device acts on."""
        return self.seat is not None and self.seat == self.shown

    @cached_property
    def own_pending(self) -> Pending | None:
        """The act that the game waits for from this seat; None for none."""
        return None if self.seat is None else self._pending_for(self.seat)

    def _pending_for(self, player: int) -> Pending | None:
        return pending_for(self.pending, self.access.table.dice, player)

    @cached_property
    def what(self) -> str:
        """Kind of the act that the game waits for from this seat (`Pending`); empty for none."""
        return self.own_pending.what if self.own_pending else ""

    @cached_property
    def task(self) -> str:
        """Sentences that ask the seat for its act; empty if the game does not wait for it."""
        if not self.own_pending or self.seat is None:
            return ""
        asked = task(
            self.own_pending,
            dice=self.access.table.dice,
            count=self.game.dice_to_roll,
            is_last_turn=self.game.is_last_turn,
        )
        jump = ""
        if self.what in ("dice", "place") and is_boxed_in(self.game.sheets[self.seat]):
            jump = _("Boxed in: your next die jumps.")
        return " ".join(filter(None, (self.start, asked, jump)))

    @cached_property
    def start(self) -> str:
        """Sentence that says who starts a mirrored pass, with how many dice.

        Empty in other phases, where the turns show it.
        """
        return start(self.game, self.seat) if self.game.phase == "open" else ""

    @cached_property
    def waiting(self) -> str:
        """Sentence that says for which other players the game waits; empty for none."""
        others = [one for one in self.pending if one.player != self.seat]
        empty = () if self.awaits_bot else self.access.unattended
        left = [self.names[one.player] for one in others if one.player in empty]
        return ". ".join(filter(None, (self.waiting_for(others, self.names), gone(left))))

    @property
    def is_asked(self) -> bool:
        """Whether `status` is a request to the seat."""
        return self.is_own and bool(self.task) and not self.is_done

    @cached_property
    def status(self) -> str:
        """The state of the game in one or two sentences: what to do, or for whom to wait."""
        if self.game.is_finished:
            return _("The game is over.")
        if self.seat is None:
            return " ".join(filter(None, (_("You are watching."), self.start, self.waiting)))
        if not self.is_own:
            return _("The sheet of %(name)s") % {"name": self.shown_name}
        if self.is_asked:
            return self.task
        out = _("You are out of this pass.") if self.is_out else ""
        return " ".join(filter(None, (out, self.waiting)))

    @cached_property
    def recent_acts(self) -> list[Act]:
        """The other players' acts since the seat's own last turn."""
        return turns_since(self.acts, self.seat)

    @property
    def can_end_for_all(self) -> bool:
        """Whether the seat, which is done, can end a mirrored pass for others who still place.

        Only once a die lies anywhere: a second tap in the same place must not end the next pass.
        """
        placing = {one.player for one in self.pending} & self.access.people
        has_dice = any(sheet.dice for sheet in self.game.sheets)
        return self.is_done and has_dice and bool(placing - {self.seat})

    @property
    def is_done(self) -> bool:
        """Whether the seat is done with the pass."""
        return self.seat in self.state.done

    @property
    def is_out(self) -> bool:
        """Whether the seat has dropped out of the pass."""
        return self.seat is not None and self.game.sheets[self.seat].is_out

    @cached_property
    def _last_own(self) -> int | None:
        if self.seat is None:
            return None
        return acts.last_own_act(self.access.table, self.loaded, self.seat)

    @cached_property
    def can_undo(self) -> bool:
        """Whether the seat can undo an act of this pass, or the end of the previous pass."""
        if self.seat is None:
            return False
        taken = acts.acts_taken_back(self.access, self.loaded, self.seat)
        return bool(taken or self.just_ended)

    @property
    def undo_entry(self) -> int | None:
        """The number of the entry that an undo would take back; None for none."""
        return self.just_ended or (self._last_own if self.can_undo else None)

    @cached_property
    def just_ended(self) -> int | None:
        """The number of the entry that just ended the previous pass, if the seat can undo that."""
        if self.seat is None:
            return None
        return acts.ended_by(self.access, self.loaded, self.seat)

    @cached_property
    def forward_from(self) -> int | None:
        """The number of the rewind that this device may propose to undo, None for none."""
        if self.seat is None or self.state.proposal:
            return None
        return acts.may_go_forward(self.access, self.loaded)

    @property
    def proposes_from(self) -> int | None:
        """The number of the seat's last act in this pass, if only a proposal can take it back."""
        return None if self.can_undo else self._last_own

    @property
    def others_here(self) -> list[int]:
        """The other awaited seats of this device; one tap switches to them."""
        return [a.player for a in self.pending if a.player in self.access.seats - {self.seat}]

    @cached_property
    def people(self) -> list[Person]:
        """All players in seating order."""
        awaited = {one.player for one in self.pending}
        return [
            Person(
                number,
                self.names[number],
                score.total,
                number in self.access.seats,
                number in awaited,
                self.game.sheets[number].is_out and self.game.phase in ("open", "turn"),
                number in self.state.done
                or (self.game.phase == "open" and number in self.access.unattended),
                self.access.all_seats[number].bot,
                [act.at for act in self.recent_acts if act.player == number and act.do == "place"],
                count_hints(self.state, number),
            )
            for number, score in enumerate(self.scores)
        ]

    @cached_property
    def track_at(self) -> str:
        """The field whose track is chosen now, empty for none."""
        waiting = next((owed.at for owed in self.game.pending() if owed.player == self.seat), ())
        if self.what != "track" or not waiting:
            return ""
        return self.at if self.at in waiting else waiting[0]

    @property
    def shapes(self) -> tuple[str, ...]:
        """The pieces of track to choose from, always in the same order."""
        return SHAPES if self.track_at else ()

    @cached_property
    def taps(self) -> Taps | None:
        """The meaning of taps on the shown sheet; None if it is not this seat's own."""
        if self.seat is None or not self.is_own:
            return None
        taps = taps_of(self.state, self.seat, track_at=self.track_at)
        action = self.hint and self.hint.action
        return taps.with_hint(action.at) if action else taps

    @cached_property
    def hint(self) -> Hint | None:
        """The seat's hint; None if hints are not allowed, or dice have to be rolled."""
        is_playing = self.is_own and not self.game.is_finished
        if self.seat is None or not is_playing or not self.access.table.has_advice:
            return None
        if self.what in ("roll", "erupt"):
            return None
        return view_hint(self.state, self.seat, self.track_at)

    @property
    def hinted_act(self) -> str:
        """The hinted act: a piece of track, else a name such as ``drop``; empty without a hint."""
        action = self.hint and self.hint.action
        return action.shape or action.do if action else ""

    @property
    def reachable(self) -> Mapping[str, str]:
        """Reach of fields on the shown sheet (`Taps.reachable`); empty if the sheet is not own."""
        return self.taps.reachable if self.taps else {}

    @property
    def owes(self) -> bool:
        """Whether the seat owes a choice on the shown sheet."""
        return bool(self.taps and self.taps.owes)

    @property
    def shown_name(self) -> str:
        """Name of the player whose sheet is large."""
        return self.names[self.shown]

    @property
    def has_paper(self) -> bool:
        """Whether the shown sheet may lie on paper in front of this player."""
        return self.is_own and takes_paper(self.access)

    @property
    def score(self) -> Score:
        """The score of the shown sheet, as if the game ended now."""
        return self.scores[self.shown]

    @property
    def categories(self) -> list[CategoryRow]:
        """The score column of the shown sheet."""
        return _rows(self.level, self.score)

    @property
    def free_seats(self) -> list[Seat]:
        """The seats that a visitor without a seat can take."""
        if self.seat is not None:
            return []
        return [seat for seat in self.access.all_seats if seat.is_free]

    @property
    def throws_pairs(self) -> bool:
        """Whether the keys to type the two extra dice are shown.

        They stay while the player places a die between two rolls, so that the page does not jump.
        """
        return self.game.is_solo and self.access.table.dice == TYPED and self.what in PAIRED

    @cached_property
    def call(self) -> str:
        """Key of the current call to act; empty while no player on this device is awaited."""
        if self.proposal and self.proposal.call:
            return self.proposal.call
        here = [one for one in self.pending if self._pending_for(one.player)]
        called = [f"{a.player} {a.what}" for a in here if a.player in self.access.seats]
        if self.game.phase == "open" or not called:
            return ""
        return f"{self.state.moment} {called[0]}"

    @property
    def call_sentence(self) -> str:
        """What the call to act asks for, in a few words."""
        return call_sentence(self.proposal)

    @cached_property
    def title(self) -> str:
        """The page's title: the state of the game, marked when a player here is awaited."""
        if self.game.is_finished:
            return _("The game is over")
        if self.call:
            return "● " + self.call_sentence
        if self.what == "dice":
            everybody = [_("you") if i == self.seat else name for i, name in enumerate(self.names)]
            return self.waiting_for(self.pending, everybody)
        return self.waiting or self.access.table.shown_code

    def _script_sheets(self) -> dict[str, Any]:
        """Return the sheets for the script; they are the same for all devices."""
        return {
            "marks": [
                {at: format_marks(stack) for at, stack in marks.items()} for marks in self.marks
            ],
            "opened": [opened_colours(self.level, sheet.crosses) for sheet in self.game.sheets],
        }

    @property
    def script_state(self) -> dict[str, Any]:
        """State for the page's script."""
        return {
            "seat": self.seat,
            "shown": self.shown,
            "moment": self.state.moment,
            "turn": self.state.turn,
            "acts": self.state.acts,
            **self.loaded.cached("script", self._script_sheets),
            **script_taps(self.taps),
            "title": self.title,
            "call": self.call,
            "story": self.story and self.story.entry,
        }


def view_seat(
    access: TableAccess, *, seat: int | None = None, shown: int | None = None, at: str = ""
) -> SeatView:
    """Return the table as a device sees it.

    ``seat`` and ``shown`` are wishes; impossible ones are replaced: by the first awaited seat of
    the device, and by that seat's sheet.
    """
    loaded = event_loader.load_game(access, Game)
    if seat not in access.seats:
        waiting = [
            one.player
            for one in find_pending(loaded.state, access.unattended)
            if one.player in access.seats
        ]
        seat = next(iter([*waiting, *sorted(access.seats)]), None)
    if shown is None or not 0 <= shown < len(access.all_seats):
        shown = seat or 0
    return SeatView(access, loaded, seat, shown, at)

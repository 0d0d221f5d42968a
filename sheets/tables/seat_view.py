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
from sheets.rules import Level, Score
from sheets.rules.level import SHAPES
from sheets.rules.marks import format_marks
from sheets.rules.placement import is_boxed_in
from sheets.rules.sheet import opened_colours
from sheets.scoring.score_view import CategoryRow, category_rows
from sheets.tables import play, reading
from sheets.tables.access import TableAccess
from sheets.tables.advice import Advice, count_asked, see_advice
from sheets.tables.lately import Act, turns_since
from sheets.tables.paper import takes_paper
from sheets.tables.pending import Pending, find_pending, pending_for
from sheets.tables.playing import DIZZLE, TYPED
from sheets.tables.table_view import TableView
from sheets.tables.taps import Taps, script_taps, taps_of
from sheets.tables.words import gone, start, task

PAIRED: Final = ("place", "extra")
"""What a solo player is asked in turn while dice are left."""


class Person(NamedTuple):
    """One player in the row of sheets.

    ``fresh`` are the fields of their last turn; ``asked`` is how often they asked for a hint.
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
    asked: int


def _rows_key(level: Level, score: Score) -> Hashable:
    """Return the cache key of a score column: names in it depend on the language."""
    return level, tuple(score.by.items()), score.items, get_language()


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
        """The act that the seat is asked for."""
        return None if self.seat is None else self._pending_for(self.seat)

    def _pending_for(self, player: int) -> Pending | None:
        return pending_for(self.pending, self.access.table.dice, player)

    @cached_property
    def what(self) -> str:
        """Kind of the act that the seat is asked for, as in `Pending`; empty for none."""
        return self.own_pending.what if self.own_pending else ""

    @cached_property
    def task(self) -> str:
        """The act that the seat is asked for as a sentence, with what the player has to know."""
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
        """Who starts with how many dice, in a mirrored pass; elsewhere the turns show it."""
        return start(self.game, self.seat) if self.game.phase == "open" else ""

    @cached_property
    def waiting(self) -> str:
        """The others for whom the game waits, as a sentence."""
        others = [one for one in self.pending if one.player != self.seat]
        left = [self.names[one.player] for one in others if one.player in self.access.unattended]
        return ". ".join(filter(None, (self.waiting_for(others, self.names), gone(left))))

    @property
    def is_asked(self) -> bool:
        """Whether `says` tells the seat what to do."""
        return self.is_own and bool(self.task) and not self.is_done

    @cached_property
    def says(self) -> str:
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
    def lately(self) -> list[Act]:
        """The others' acts since the seat's own last turn."""
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
        return play.last_own_act(self.access.table, DIZZLE, self.loaded, self.seat)

    @cached_property
    def can_undo(self) -> bool:
        """Whether the seat can undo an act of this pass."""
        if self.seat is None:
            return False
        taken = play.acts_taken_back(self.access, DIZZLE, self.loaded, self.seat)
        return bool(taken or self.just_ended)

    @property
    def undo_entry(self) -> int | None:
        """The number of the entry that an undo would take back."""
        return self.just_ended or (self._last_own if self.can_undo else None)

    @cached_property
    def just_ended(self) -> int | None:
        """The number of the entry with which the seat has just ended the previous pass."""
        if self.seat is None:
            return None
        return play.ended_by(self.access, DIZZLE, self.loaded, self.seat)

    @cached_property
    def forward_from(self) -> int | None:
        """The rewind that a player here may propose to undo, None for none."""
        if self.seat is None or self.state.proposal:
            return None
        return play.may_go_forward(self.access, DIZZLE, self.loaded)

    @property
    def proposes_from(self) -> int | None:
        """The seat's last act in this pass, if only a proposal can take it back."""
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
                self.access.everybody[number].bot,
                [act.at for act in self.lately if act.player == number and act.do == "place"],
                count_asked(self.state, number),
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
        action = self.advice and self.advice.action
        return taps.advised(action.at) if action else taps

    @cached_property
    def advice(self) -> Advice | None:
        """The seat's hint; None if hints are not allowed, or dice have to be rolled."""
        is_playing = self.is_own and not self.game.is_finished
        if self.seat is None or not is_playing or not self.access.table.has_advice:
            return None
        if self.what in ("roll", "erupt"):
            return None
        return see_advice(self.state, self.seat, self.track_at)

    @property
    def advised(self) -> str:
        """The expert's choice if it is no field: ``drop``, ``reroll`` or a track; else empty."""
        action = self.advice and self.advice.action
        return action.shape or action.do if action else ""

    @property
    def hints(self) -> Mapping[str, str]:
        """The fields of the shown sheet on which a tap would do something now, see `Taps`."""
        return self.taps.hints if self.taps else {}

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
    def is_asked_back(self) -> bool:
        """Whether a player here has to answer a proposal."""
        proposal = self.state.proposal
        return bool(proposal and self.access.seats - proposal.agreed)

    @property
    def free_seats(self) -> list[Seat]:
        """The seats that a visitor without a seat can take."""
        if self.seat is not None:
            return []
        return [seat for seat in self.access.everybody if seat.is_free]

    @property
    def throws_pairs(self) -> bool:
        """Whether keys for two extra dice are shown; also in between, so that nothing moves."""
        return self.game.is_solo and self.access.table.dice == TYPED and self.what in PAIRED

    @cached_property
    def call(self) -> str:
        """Identifies one call of this device to act; empty while no player here is awaited."""
        if self.is_asked_back and self.state.proposal:
            return f"proposal {self.state.proposal.number}"
        here = [one for one in self.pending if self._pending_for(one.player)]
        called = [f"{a.player} {a.what}" for a in here if a.player in self.access.seats]
        if self.game.phase == "open" or not called:
            return ""
        return f"{self.state.moment} {called[0]}"

    @cached_property
    def title(self) -> str:
        """The page's title: the state of the game, marked when a player here is awaited."""
        if self.game.is_finished:
            return _("The game is over")
        if self.is_asked_back:
            return "● " + _("Go back?")
        if self.call:
            return "● " + _("Your turn")
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
    loaded = reading.load_game(access, DIZZLE)
    if seat not in access.seats:
        waiting = [
            one.player
            for one in find_pending(loaded.state, access.unattended)
            if one.player in access.seats
        ]
        seat = next(iter([*waiting, *sorted(access.seats)]), None)
    if shown is None or not 0 <= shown < len(access.everybody):
        shown = seat or 0
    return SeatView(access, loaded, seat, shown, at)

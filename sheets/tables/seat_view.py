"""What does a device see of its table: one sheet large, what is asked of it, what a tap does?"""

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
    """One player as the row of sheets shows them.

    ``fresh`` are the fields of their last turn; they have ``asked`` an expert so often.
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
    return level, tuple(score.by.items()), score.items, get_language()


@cached(LRUCache(maxsize=256), key=_rows_key, lock=Lock())
def _rows(level: Level, score: Score) -> list[CategoryRow]:
    """Return the score column of a sheet, which most taps do not change."""
    return category_rows(level, score)


@dataclass(frozen=True)
class SeatView(TableView):
    """A table through one device.

    ``seat`` is the seat of this device that acts, None where it holds none; ``shown`` the player
    whose sheet is large; ``at`` the field a track is being chosen for.
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
        """What the seat is asked to do."""
        return None if self.seat is None else self._pending_for(self.seat)

    def _pending_for(self, player: int) -> Pending | None:
        return pending_for(self.pending, self.access.table.dice, player)

    @cached_property
    def what(self) -> str:
        """What it is in one word, empty for nothing."""
        return self.own_pending.what if self.own_pending else ""

    @cached_property
    def task(self) -> str:
        """What it is as a sentence, with what has to be known for it."""
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
        """Who starts with how many dice, where the dice lie on the table; else a turn says it."""
        return start(self.game, self.seat) if self.game.phase == "open" else ""

    @cached_property
    def waiting(self) -> str:
        """For which others the game waits, as a sentence."""
        others = [one for one in self.pending if one.player != self.seat]
        left = [self.names[one.player] for one in others if one.player in self.access.unattended]
        return ". ".join(filter(None, (self.waiting_for(others, self.names), gone(left))))

    @property
    def is_asked(self) -> bool:
        """Whether what `says` says is for the seat to do."""
        return self.is_own and bool(self.task) and not self.is_done

    @cached_property
    def says(self) -> str:
        """How it stands, in one or two sentences: what to do, or for whom to wait."""
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
        """What the others have done since the seat's own last turn."""
        return turns_since(self.acts, self.seat)

    @property
    def can_end_for_all(self) -> bool:
        """Whether the seat, which is done, can end a mirrored pass for others who still place.

        Not before a die lies anywhere: a second tap in the same place must not end the next pass.
        """
        placing = {one.player for one in self.pending} & self.access.people
        has_dice = any(sheet.dice for sheet in self.game.sheets)
        return self.is_done and has_dice and bool(placing - {self.seat})

    @property
    def is_done(self) -> bool:
        """Whether the seat has said that it is done."""
        return self.seat in self.state.done

    @property
    def is_out(self) -> bool:
        """Whether the seat has left the pass."""
        return self.seat is not None and self.game.sheets[self.seat].is_out

    @cached_property
    def _last_own(self) -> int | None:
        if self.seat is None:
            return None
        return play.last_own_act(self.access.table, DIZZLE, self.loaded, self.seat)

    @cached_property
    def can_undo(self) -> bool:
        """Whether the seat can take an act of this pass back."""
        if self.seat is None:
            return False
        taken = play.acts_taken_back(self.access, DIZZLE, self.loaded, self.seat)
        return bool(taken or self.just_ended)

    @property
    def undo_entry(self) -> int | None:
        """The number of the act that would be taken back."""
        return self.just_ended or (self._last_own if self.can_undo else None)

    @cached_property
    def just_ended(self) -> int | None:
        """The number of the entry with which the seat has just ended the pass before."""
        if self.seat is None:
            return None
        return play.ended_by(self.access, DIZZLE, self.loaded, self.seat)

    @cached_property
    def forward_from(self) -> int | None:
        """The entry that led back and from which a player here may propose to go forward again."""
        if self.seat is None or self.state.proposal:
            return None
        return play.may_go_forward(self.access, DIZZLE, self.loaded)

    @property
    def proposes_from(self) -> int | None:
        """The seat's last act in this pass where only a proposal leads back before it."""
        return None if self.can_undo else self._last_own

    @property
    def others_here(self) -> list[int]:
        """The other seats of this device that are awaited: one tap leads there."""
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
        """The field whose track is chosen now."""
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
        """What tapping the sheet shown does; None where it is not one's own."""
        if self.seat is None or not self.is_own:
            return None
        taps = taps_of(self.state, self.seat, track_at=self.track_at)
        action = self.advice and self.advice.action
        return taps.advised(action.at) if action else taps

    @cached_property
    def advice(self) -> Advice | None:
        """What the seat sees of an expert it can ask; None where there is none, or dice to roll."""
        is_playing = self.is_own and not self.game.is_finished
        if self.seat is None or not is_playing or not self.access.table.has_advice:
            return None
        if self.what in ("roll", "erupt"):
            return None
        return see_advice(self.state, self.seat, self.track_at)

    @property
    def advised(self) -> str:
        """What the expert would do where that is no field: ``drop``, ``reroll`` or a track."""
        action = self.advice and self.advice.action
        return action.shape or action.do if action else ""

    @property
    def hints(self) -> Mapping[str, str]:
        """The fields of the sheet shown that a tap would do something with now, see `Taps`."""
        return self.taps.hints if self.taps else {}

    @property
    def owes(self) -> bool:
        """Whether the seat owes a choice on the sheet shown."""
        return bool(self.taps and self.taps.owes)

    @property
    def shown_name(self) -> str:
        """Whose sheet is shown large."""
        return self.names[self.shown]

    @property
    def has_paper(self) -> bool:
        """Whether the sheet shown large may lie on paper before whoever looks."""
        return self.is_own and takes_paper(self.access)

    @property
    def score(self) -> Score:
        """What the sheet shown would come to now."""
        return self.scores[self.shown]

    @property
    def categories(self) -> list[CategoryRow]:
        """The score column of the sheet shown."""
        return _rows(self.level, self.score)

    @property
    def is_asked_back(self) -> bool:
        """Whether somebody here has to answer a proposal to go back."""
        proposal = self.state.proposal
        return bool(proposal and self.access.seats - proposal.agreed)

    @property
    def free_seats(self) -> list[Seat]:
        """The seats somebody who has none can still take."""
        if self.seat is not None:
            return []
        return [seat for seat in self.access.everybody if seat.is_free]

    @property
    def throws_pairs(self) -> bool:
        """Whether there are keys for two extra dice: between them, too, so that nothing moves."""
        return self.game.is_solo and self.access.table.dice == TYPED and self.what in PAIRED

    @cached_property
    def call(self) -> str:
        """Tells one summons of this device from the next; empty while nobody here is awaited."""
        if self.is_asked_back and self.state.proposal:
            return f"proposal {self.state.proposal.number}"
        here = [one for one in self.pending if self._pending_for(one.player)]
        called = [f"{a.player} {a.what}" for a in here if a.player in self.access.seats]
        if self.game.phase == "open" or not called:
            return ""
        return f"{self.state.moment} {called[0]}"

    @cached_property
    def title(self) -> str:
        """The page's title: how it stands, and when somebody here is awaited."""
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
        """What it needs of all sheets, whoever looks."""
        return {
            "marks": [
                {at: format_marks(stack) for at, stack in marks.items()} for marks in self.marks
            ],
            "opened": [opened_colours(self.level, sheet.crosses) for sheet in self.game.sheets],
        }

    @property
    def script_state(self) -> dict[str, Any]:
        """What the page's script needs."""
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
    """The table as a device sees it; which of its seats acts and what is shown are wishes."""
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

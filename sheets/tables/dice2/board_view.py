"""What does a device see of a table with Dice²: the board, what is asked of it, what a tap does?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from sheets.artwork.board import View, die_id, view_of
from sheets.rules.dice2 import KINDS, Dice2Game, new_game
from sheets.rules.dice2.board import CENTRE, INDEX, NAMES, SIDE
from sheets.rules.dice2.outlook import FieldOutlook, outlook_of
from sheets.rules.dice2.relay import kinds_for
from sheets.rules.dice2.sitting import Sitting
from sheets.tables import play, reading, seating
from sheets.tables.access import TableAccess
from sheets.tables.dice2 import words as dice2_words
from sheets.tables.dice2.board_taps import BoardTaps, board_taps
from sheets.tables.dice2.relay_view import RelayView
from sheets.tables.dice2.score_view import BoardScore, score_of
from sheets.tables.log import LogState
from sheets.tables.playing import DICE2, ROLLED
from sheets.tables.proposals import OpenProposal, see_proposal
from sheets.tables.reading import Loaded
from sheets.texts.log import entry_sentence
from sheets.texts.rulebook.games import game_name


class Person(NamedTuple):
    """One player: ``dice_left`` and ``points`` (or markers) in the game, ``total`` in the relay."""

    number: int
    name: str
    is_mine: bool
    is_awaited: bool
    is_winner: bool
    dice_left: int
    points: int
    total: int
    bot: str


class Cell(NamedTuple):
    """A field's button: what it says, and the numbers it takes now as ``"3 4"``."""

    at: str
    says: str
    takes: str


@dataclass(frozen=True)
class BoardView:
    """A table through one device.

    ``seat`` is the seat that acts here: the one whose turn it is where the device has several, or
    a free one the host moves for; None where it holds none. ``asked`` is the field somebody
    wants to know about.
    """

    access: TableAccess
    loaded: Loaded[Sitting]
    seat: int | None
    asked: str = ""

    @property
    def state(self) -> LogState[Sitting]:
        """Where the log leads."""
        return self.loaded.state

    @property
    def sitting(self) -> Sitting:
        """The table as it stands."""
        return self.loaded.state.game

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return self.sitting.players

    @cached_property
    def relay(self) -> RelayView | None:
        """The relay, where one is played."""
        relay = self.sitting.relay
        return RelayView(relay, self.access, self.state) if relay else None

    @cached_property
    def played(self) -> Dice2Game:
        """The game on the board; an empty board before a relay's first."""
        if self.sitting.game:
            return self.sitting.game
        players = len(self.names)
        return new_game(KINDS[kinds_for(players)[0]], players)

    @property
    def kind_name(self) -> str:
        """The name of the game on the board, empty before a relay's first."""
        return game_name(self.played.kind.name) if self.sitting.game else ""

    @cached_property
    def board(self) -> View:
        """The board's drawing."""
        view = view_of(self.played, self.last)
        if not self._outlook:
            return view
        return view._replace(asked=self.asked, in_the_way=self._outlook.in_the_way)

    @cached_property
    def last(self) -> str:
        """The field of the last die, empty for none."""
        for number in reversed(self.state.applied):
            entry = self.loaded.entries[number - 1]
            if entry["do"] == "begin":
                return ""
            if entry["do"] == "place":
                return str(entry["at"])
        return ""

    @property
    def enter(self) -> str:
        """The field where a keyboard enters the board: the last die’s, else the dark one."""
        return self.last or NAMES[CENTRE]

    @property
    def takes_throws(self) -> bool:
        """Whether the players throw real dice."""
        return self.access.table.dice != ROLLED

    @cached_property
    def is_mine(self) -> bool:
        """Whether this device is to move."""
        return self.sitting.phase == "turn" and self.seat == self.sitting.player

    @property
    def moves_for(self) -> str:
        """For whom the host moves, empty for nobody but themself."""
        return (
            self.names[self.seat or 0]
            if self.is_mine and self.seat not in self.access.seats
            else ""
        )

    @property
    def task(self) -> str:
        """What is asked of this device."""
        return dice2_words.task(self.sitting, for_name=self.moves_for) if self.is_mine else ""

    @property
    def waiting(self) -> str:
        """For whom the game waits."""
        return dice2_words.waiting(self.sitting)

    @property
    def rounds_sentence(self) -> str:
        """How far the table is, for lists of tables."""
        if self.relay and self.sitting.phase == "begin":
            return _("The next game is about to begin")
        return self.waiting

    @property
    def verdict(self) -> str:
        """How the game on the board ended, empty while it runs."""
        game = self.sitting.game
        return dice2_words.verdict(game, self.names) if game and game.is_finished else ""

    @cached_property
    def people(self) -> list[Person]:
        """All players in seating order."""
        game, relay = self.played, self.sitting.relay
        winners = (
            (relay.winners if relay else game.winners) if self.sitting.is_finished else game.winners
        )
        return [
            Person(
                number,
                name,
                number in self.access.seats,
                number == self.sitting.player,
                number in winners,
                game.dice_left[number],
                game.points[number],
                relay.points[number] if relay else 0,
                self.access.everybody[number].bot,
            )
            for number, name in enumerate(self.names)
        ]

    # What a tap does ----------------------------------------------------------------------------

    @cached_property
    def taps(self) -> BoardTaps:
        """What a tap on a field does."""
        return board_taps(self.played, self.sitting.thrown) if self.is_mine else BoardTaps()

    @property
    def numbers(self) -> list[tuple[int, bool]]:
        """The numbers to choose from, and whether each fits anywhere; none where the app throws."""
        return self.taps.numbers if self.takes_throws else []

    @property
    def die_owner(self) -> int:
        """Whose dice are thrown."""
        return self.sitting.player or 0

    @property
    def die_prefix(self) -> str:
        """How the drawings of their dice are called, without the number."""
        return die_id(self.die_owner, 0).removesuffix("-0")

    @property
    def thrown_drawing(self) -> str:
        """The drawing of the die the app has thrown."""
        return die_id(self.die_owner, self.sitting.thrown)

    @cached_property
    def rows(self) -> list[list[Cell]]:
        """The buttons over the board, row by row."""
        lanes = self.board.box.lanes
        return [[self._cell(row * SIDE + column) for column in lanes] for row in lanes]

    def _cell(self, index: int) -> Cell:
        at = NAMES[index]
        takes = " ".join(map(str, self.taps.takes(at)))
        words = [at]
        if at in self.board.dice:
            owner, number = self.board.dice[at]
            words.append(_("%(die)d of %(name)s") % {"die": number, "name": self.names[owner]})
        if at == self.last:
            words.append(_("the last die"))
        if takes:
            words.append(_("takes %(numbers)s") % {"numbers": ", ".join(takes.split())})
        return Cell(at, ", ".join(words), takes)

    @cached_property
    def _outlook(self) -> FieldOutlook | None:
        """What the field asked for is good for; None where nobody asks."""
        if self.asked not in INDEX or self.sitting.phase not in ("turn", "throw"):
            return None
        return outlook_of(self.played, self.asked)

    @property
    def answer(self) -> str:
        """What is to be known about the field asked for."""
        return (
            dice2_words.field_sentence(self.asked, self._outlook, self.names)
            if self._outlook
            else ""
        )

    # Around the board ----------------------------------------------------------------------------

    @cached_property
    def scored(self) -> BoardScore:
        """What has been scored on the board, and what still can be."""
        return score_of(self.played, self.names)

    @property
    def again_starter(self) -> str:
        """Who starts if the same game is played again, where somebody else would than last time."""
        seat = seating.starter_again(self.access)
        return self.names[seat] if seat else ""

    # What the shared parts ask --------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether this device has an act to take back."""
        return self.undo_for is not None

    @property
    def undo_for(self) -> int | None:
        """The seat of this device whose act is the last one that can be taken back."""
        lasts = {
            taken[-1]: seat
            for seat in self.access.seats
            if (taken := play.acts_taken_back(self.access, DICE2, self.loaded, seat))
        }
        return lasts[max(lasts)] if lasts else None

    @property
    def can_stand_in(self) -> list[int]:
        """The players the host may let a bot decide for."""
        return play.absent_deciders(self.access, DICE2, self.sitting)

    @property
    def proposal(self) -> OpenProposal | None:
        """The proposal to go back that waits for answers."""
        proposal = self.state.proposal
        if not proposal:
            return None
        entries = self.loaded.entries
        what = entry_sentence(entries[proposal.to - 1], entries, None, self.names)
        return see_proposal(self.access, proposal, what)

    @property
    def call(self) -> str:
        """Tells one summons of this device from the next; empty while nobody here is awaited."""
        return self.state.moment if self.is_mine else ""

    @property
    def is_shared(self) -> bool:
        """Whether the device is passed round, so that it has to say who is called."""
        return len(self.access.seats) > 1

    @property
    def called(self) -> str:
        """The name of who is to move, empty for nobody."""
        player = self.sitting.player
        return "" if player is None else self.names[player]

    @property
    def page_title(self) -> str:
        """The page's title: it says when somebody here is awaited."""
        if not self.call:
            return self.waiting or dice2_words.title_of(self.access.table)
        return "● " + (self.waiting if self.is_shared else _("Your turn"))

    @property
    def script_state(self) -> dict[str, Any]:
        """What the page's script needs."""
        return {
            "seat": self.seat,
            "moment": self.state.moment,
            "mine": self.is_mine,
            "box": [self.board.box.across, self.board.has_markers],
            "thrown": self.sitting.thrown,
            "enter": self.enter,
            "cells": {cell.at: [cell.says, cell.takes] for row in self.rows for cell in row},
            "title": self.page_title,
            "call": self.call,
            "phase": self.sitting.phase,
            "waiting": self.waiting,
            "die": self.die_prefix,
        }


def view_board(access: TableAccess, *, asked: str = "") -> BoardView:
    """The table as a device sees it."""
    loaded = reading.load_game(access, DICE2)
    player = loaded.state.game.player
    acts_for = access.seats | access.free if access.is_host else access.seats
    seat = player if player in acts_for else min(access.seats, default=None)
    return BoardView(access, loaded, seat, asked)

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
from sheets.tables.dice2.moves import Move, move_sentence, moves_of
from sheets.tables.dice2.relay_view import RelayView
from sheets.tables.dice2.replay import last_dice
from sheets.tables.dice2.score_view import BoardScore, score_of
from sheets.tables.going_on import GoingOn, away, see_going_on
from sheets.tables.log import LogState
from sheets.tables.playing import DICE2, ROLLED, thinker_at
from sheets.tables.proposals import OpenProposal, Outcome, see_answer, see_proposal
from sheets.tables.reading import Loaded
from sheets.tables.words import thinking
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


class Happened(NamedTuple):
    """A move that somebody else has made: its entry's number, its field, what is said of it."""

    number: int
    at: str
    sentence: str


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
        view = view_of(self.played, *last_dice(self.moves))
        if not self._outlook:
            return view
        return view._replace(asked=self.asked, in_the_way=self._outlook.in_the_way)

    @cached_property
    def moves(self) -> list[Move]:
        """All moves so far, those of earlier games of a relay, too."""
        return moves_of(self.loaded)

    @property
    def last(self) -> str:
        """The field of the last die, empty for none."""
        return self.board.last

    @cached_property
    def happened(self) -> list[Happened]:
        """What the others, or the app, did since the last move that was made here.

        Who only watches sees the last move of everybody.
        """
        found: list[Happened] = []
        for move in reversed(self.moves):
            is_own = move.action.player == self.seat and move.is_chosen
            if is_own or move.action.do == "begin":
                break
            if self.seat is None and len(found) == len(self.names):
                break
            found.append(Happened(move.number, move.action.at, move_sentence(move, self.names)))
        return found[::-1]

    @property
    def own_move(self) -> int:
        """The number of the last move that was made here, 0 for none."""
        own = (move for move in reversed(self.moves) if move.is_chosen)
        return next((move.number for move in own if move.action.player == self.seat), 0)

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
        if self.thinker is not None:
            return thinking(self.names[self.thinker])
        return dice2_words.waiting(self.sitting)

    @cached_property
    def thinker(self) -> int | None:
        """The player whose bot thinks just now."""
        return thinker_at(self.access, self.state)

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

    @property
    def result(self) -> str:
        """How the table's game or its relay has ended."""
        return self.relay.verdict if self.relay else self.verdict

    @property
    def decided(self) -> str:
        """Who wins the running game for certain, empty while nobody can say."""
        game = self.sitting.game
        return dice2_words.decided(game, self.names) if game else ""

    @property
    def counts_as_best(self) -> bool:
        """Whether this is a result of Square Dice by a player who knew none of the dice before."""
        is_over = self.sitting.is_finished and self.played.kind.name == "square"
        return is_over and bool(self.access.seats) and not self.times_back

    @property
    def times_back(self) -> int:
        """How often the table went back to before dice that the app had thrown."""
        if self.takes_throws:
            return 0
        return sum(entry["do"] == "wind_back" for entry in self.loaded.entries)

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
            facts = {"die": number, "name": self.names[owner]}
            is_alone = len(self.names) == 1
            words.append(str(number) if is_alone else _("%(die)d of %(name)s") % facts)
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
    def again_starter(self) -> int:
        """The seat that is proposed to start if the same game is played again."""
        return seating.next_starter(self.access)

    # What the shared parts ask --------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether this device has an act to take back."""
        return self.undo_for is not None

    @property
    def undo_for(self) -> int | None:
        """The seat of this device whose act is the last one that can be taken back."""
        return self._undoes[self.undo_entry] if self.undo_entry else None

    @cached_property
    def undo_entry(self) -> int | None:
        """The number of that act."""
        return max(self._undoes, default=None)

    @cached_property
    def _undoes(self) -> dict[int, int]:
        """The last acts of the seats of this device that can be taken back, with whose each is."""
        return {
            taken[-1]: seat
            for seat in self.access.seats
            if (taken := play.acts_taken_back(self.access, DICE2, self.loaded, seat))
        }

    @property
    def own_seat(self) -> int | None:
        """A seat that this device holds; None for none."""
        return min(self.access.seats, default=None)

    @cached_property
    def forward_from(self) -> int | None:
        """The entry that led back and from which a player here may propose to go forward again."""
        if not self.access.seats or self.state.proposal:
            return None
        return play.may_go_forward(self.access, DICE2, self.loaded)

    @property
    def proposes_from(self) -> int | None:
        """The last act of this device where only a proposal leads back before it."""
        if self.can_undo or self.state.proposal:
            return None
        table, state = self.access.table, self.loaded
        lasts = [play.last_own_act(table, DICE2, state, seat) for seat in self.access.seats]
        last = max((number for number in lasts if number), default=None)
        is_kept = last and play.knows_dice_after(self.access, DICE2, state, last)
        return None if is_kept else last

    @cached_property
    def going_on(self) -> GoingOn:
        """For whom the host may go on; what was thrown by hand they place as their own."""
        seen = see_going_on(self.access, DICE2, self.state, "place")
        return seen if self.sitting.thrown else seen._replace(absent=[])

    @property
    def proposal(self) -> OpenProposal | None:
        """The proposal to go back that waits for answers."""
        return see_proposal(self.access, self.loaded, None)

    @property
    def answered(self) -> Outcome | None:
        """What became of the last one."""
        return see_answer(self.access, self.loaded, None)

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
    acts_for = access.seats | away(access, loaded.state)
    seat = player if player in acts_for else min(access.seats, default=None)
    return BoardView(access, loaded, seat, asked)

"""View model of a table with Dice² for one device: board, task, effect of taps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from sheets.art.board import DrawnBoard, board_view, die_id
from sheets.rules.dice2 import KINDS, Dice2Game, new_game
from sheets.rules.dice2.board import CENTRE, INDEX, NAMES, SIDE
from sheets.rules.dice2.outlook import FieldOutlook, outlook_of
from sheets.rules.dice2.relay import kinds_for
from sheets.rules.dice2.sitting import Sitting
from sheets.tables import acts, event_loader, seating
from sheets.tables.access import TableAccess
from sheets.tables.bots import bots_at
from sheets.tables.countdowns import PresenceView, away, view_presence
from sheets.tables.dice2 import sentences as dice2_words
from sheets.tables.dice2.board_taps import BoardTaps, board_taps
from sheets.tables.dice2.moves import Move, move_sentence, moves_of
from sheets.tables.dice2.relay_view import RelayView
from sheets.tables.dice2.replay import last_dice
from sheets.tables.dice2.score_view import BoardScore, score_of
from sheets.tables.event_log import Loaded, LogState
from sheets.tables.family import thinker_at
from sheets.tables.proposals import (
    OpenProposal,
    Outcome,
    call_sentence,
    view_outcome,
    view_proposal,
)
from sheets.tables.sentences import thinking
from sheets.tables.table_settings import ROLLED
from sheets.text.rulebook.games import game_name


class Person(NamedTuple):
    """A player of the game on the board.

    ``points`` are the points or markers in this game, ``total`` the points in the relay, 0 without
    one. ``bot`` is the strength of the player's bot, empty for a person.
    """

    number: int
    name: str
    is_mine: bool
    is_awaited: bool
    is_winner: bool
    dice_left: int
    points: int
    total: int
    bot: str


class PodiumStep(NamedTuple):
    """A step of the podium: its place from 1, and the names and points of players who share it."""

    place: int
    players: tuple[tuple[str, int], ...]


class RecentMove(NamedTuple):
    """A recent move: number of its log entry, its field (empty for a skip), and a sentence."""

    number: int
    at: str
    sentence: str


class Cell(NamedTuple):
    """A field's button: its accessible label, and the numbers it takes now, as ``"3 4"``."""

    at: str
    label: str
    takes: str


@dataclass(frozen=True)
class BoardView:
    """A table as one device sees it.

    ``seat`` is the seat for which this device acts: the seat to move, if the device holds it or is
    the host's and acts for an absent player; else the first seat that it holds. None for
    spectators. ``asked`` is the field that the user asked about, empty for none.
    """

    access: TableAccess
    loaded: Loaded[Sitting]
    seat: int | None
    asked: str = ""

    @property
    def state(self) -> LogState[Sitting]:
        """State of the table's log."""
        return self.loaded.state

    @property
    def sitting(self) -> Sitting:
        """Current state of the game, and of the relay if there is one."""
        return self.loaded.state.game

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return self.sitting.players

    @cached_property
    def relay(self) -> RelayView | None:
        """View model of the relay; None for a single game."""
        relay = self.sitting.relay
        return RelayView(relay, self.access, self.state) if relay else None

    @cached_property
    def played(self) -> Dice2Game:
        """Game on the board; before the first game of a relay, a new one with an empty board."""
        if self.sitting.game:
            return self.sitting.game
        players = len(self.names)
        return new_game(KINDS[kinds_for(players)[0]], players)

    @property
    def kind_name(self) -> str:
        """Name of the game on the board; empty before the first game of a relay."""
        return game_name(self.played.kind.name) if self.sitting.game else ""

    @cached_property
    def board(self) -> DrawnBoard:
        """Drawing of the board, with the field that a user asked about and the dice in the way."""
        view = board_view(self.played, *last_dice(self.moves))
        if not self._outlook:
            return view
        return view._replace(asked=self.asked, in_the_way=self._outlook.in_the_way)

    @cached_property
    def moves(self) -> list[Move]:
        """All moves so far, including those of earlier games of a relay."""
        return moves_of(self.loaded)

    @property
    def last(self) -> str:
        """Field of the last die; empty before the first."""
        return self.board.last

    @cached_property
    def recent_moves(self) -> list[RecentMove]:
        """Moves of other players and of the app since the last move of this device's seat.

        For spectators, the latest moves: as many as there are players.
        """
        found: list[RecentMove] = []
        for move in reversed(self.moves):
            is_own = move.action.player == self.seat and move.is_chosen
            if is_own or move.action.do == "begin":
                break
            if self.seat is None and len(found) == len(self.names):
                break
            found.append(RecentMove(move.number, move.action.at, move_sentence(move, self.names)))
        return found[::-1]

    @property
    def own_move(self) -> int:
        """Number of the log entry of the last move of this device's seat; 0 for none."""
        own = (move for move in reversed(self.moves) if move.is_chosen)
        return next((move.number for move in own if move.action.player == self.seat), 0)

    @property
    def enter(self) -> str:
        """Field that gets the keyboard focus first: the field of the last die, else the centre."""
        return self.last or NAMES[CENTRE]

    @property
    def has_real_dice(self) -> bool:
        """Whether the players throw real dice."""
        return self.access.table.dice != ROLLED

    @cached_property
    def is_mine(self) -> bool:
        """Whether this device is to move, for its own seat or for an absent player."""
        return self.sitting.phase == "turn" and self.seat == self.sitting.player

    @property
    def moves_for(self) -> str:
        """Name of the player for whom the host on this device moves; empty for none.

        The player has left or does not react.
        """
        return (
            self.names[self.seat or 0]
            if self.is_mine and self.seat not in self.access.seats
            else ""
        )

    @property
    def task(self) -> str:
        """Task of this device in words; empty if it is not to move."""
        if not self.is_mine:
            return ""
        has_left = self.seat not in self.access.people
        return dice2_words.task(self.sitting, for_name=self.moves_for, has_left=has_left)

    @property
    def waiting(self) -> str:
        """Sentence about the player or bot that the game waits for; empty if it waits for none."""
        if self.thinker is not None:
            return thinking(self.names[self.thinker])
        return dice2_words.waiting(self.sitting)

    @cached_property
    def thinker(self) -> int | None:
        """Player whose hard bot has to decide next; None if there is none."""
        return thinker_at(self.access, self.state)

    @property
    def rounds_sentence(self) -> str:
        """Progress of the table, for lists of tables."""
        if self.relay and self.sitting.phase == "begin":
            return _("The next game is about to begin")
        return self.waiting

    @property
    def verdict(self) -> str:
        """Result of the game on the board in words; empty while it runs."""
        game = self.sitting.game
        if not game or not game.is_finished:
            return ""
        return dice2_words.verdict(game, self._winner_names(len(game.winners)))

    @property
    def relay_verdict(self) -> str:
        """Winners of the relay in words; empty while it goes on, and without one."""
        relay = self.sitting.relay
        if not relay or not relay.winners:
            return ""
        return dice2_words.relay_verdict(relay, self._winner_names(len(relay.winners)))

    @property
    def lead(self) -> str:
        """Lead of the winner in words; empty until the end, and if nothing was counted."""
        if not self.sitting.is_finished:
            return ""
        if self.sitting.relay:
            return dice2_words.relay_lead(self.sitting.relay, self.names)
        return dice2_words.markers_lead(self.played, self.names)

    def _winner_names(self, winners: int) -> Sequence[str]:
        """Return the players' names; one bot needs no name to be recognised, unless it shares."""
        bots = list(bots_at(self.access))
        if len(bots) != 1 or winners > 1:
            return self.names
        return [
            _("The bot") if [number] == bots else name for number, name in enumerate(self.names)
        ]

    @property
    def is_celebrated(self) -> bool:
        """Whether a person is among the winners of the game on the board, or of the relay."""
        return any(person.is_winner and not person.bot for person in self.people)

    @property
    def podium(self) -> list[PodiumStep]:
        """Steps of the podium after the end, first place first; empty if nothing was counted."""
        relay, game = self.sitting.relay, self.played
        if not self.sitting.is_finished or not (relay or game.kind.collects == "markers"):
            return []
        winners, counts = (relay.winners, relay.points) if relay else (game.winners, game.markers)
        # The winner of Major Dice may have as many markers as another player.
        ranks = [(player in winners, count) for player, count in enumerate(counts)]
        return [
            PodiumStep(
                1 + sum(other > rank for other in ranks),
                tuple(
                    (name, rank[1])
                    for name, own in zip(self.names, ranks, strict=True)
                    if own == rank
                ),
            )
            for rank in sorted(set(ranks), reverse=True)
        ]

    @property
    def result(self) -> str:
        """Result of the table's game or relay in words."""
        return self.relay_verdict if self.relay else self.verdict

    @property
    def decided(self) -> str:
        """Certain winner of the running game in words; empty while the winner is open."""
        game = self.sitting.game
        return dice2_words.decided(game, self.names) if game else ""

    @property
    def counts_as_best(self) -> bool:
        """Whether the result of a game of Square Dice may be the best on this device.

        Not after the game has gone back to before a throw of the app.
        """
        is_over = self.sitting.is_finished and self.played.kind.name == "square"
        return is_over and bool(self.access.seats) and not self.times_back

    @property
    def times_back(self) -> int:
        """Number of times that a game with dice of the app went back; 0 with real dice."""
        if self.has_real_dice:
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
                self.access.all_seats[number].bot,
            )
            for number, name in enumerate(self.names)
        ]

    # Taps ---------------------------------------------------------------------------------------

    @cached_property
    def taps(self) -> BoardTaps:
        """Effects of taps; none if this device is not to move."""
        return board_taps(self.played, self.sitting.thrown) if self.is_mine else BoardTaps()

    @property
    def numbers(self) -> list[tuple[int, bool]]:
        """Numbers to choose from, each with whether it has a legal field.

        Empty if the app throws, or if this device is not to move.
        """
        return self.taps.numbers if self.has_real_dice else []

    @property
    def die_owner(self) -> int:
        """Player in whose colour the page draws dice to choose: the one to move, else the first."""
        return self.sitting.player or 0

    @property
    def die_prefix(self) -> str:
        """Prefix of the ids of the drawings of `die_owner`'s dice; ``-`` and the number follow."""
        return die_id(self.die_owner, 0).removesuffix("-0")

    @property
    def thrown_drawing(self) -> str:
        """Id of the drawing of the die that the app has thrown."""
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
        """Numbers and limits of the field that the user asked about.

        None without a question, or while no player is to move.
        """
        if self.asked not in INDEX or self.sitting.phase not in ("turn", "throw"):
            return None
        return outlook_of(self.played, self.asked)

    @property
    def answer(self) -> str:
        """Answer about the field that the user asked about; empty without a question."""
        return (
            dice2_words.field_sentence(self.asked, self._outlook, self.names)
            if self._outlook
            else ""
        )

    # Around the board ----------------------------------------------------------------------------

    @cached_property
    def scored(self) -> BoardScore:
        """Score of the board, with the open lines."""
        return score_of(self.played, self.names)

    @property
    def again_starter(self) -> int:
        """Seat proposed as start player of the next game of the same players."""
        return seating.next_starter(self.access)

    # Properties for templates of all games --------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether this device has an act that can be undone."""
        return self.undo_for is not None

    @property
    def undo_for(self) -> int | None:
        """Seat of this device that can undo its act, the one with the latest act; None for none."""
        return self._undoes[self.undo_entry] if self.undo_entry else None

    @cached_property
    def undo_entry(self) -> int | None:
        """Number of the log entry of the latest act that this device can undo; None for none."""
        return max(self._undoes, default=None)

    @cached_property
    def _undoes(self) -> dict[int, int]:
        """Seats of this device that can undo, by the log entry of the act that each would undo."""
        return {
            taken[-1]: seat
            for seat in self.access.seats
            if (taken := acts.acts_taken_back(self.access, self.loaded, seat))
        }

    @property
    def own_seat(self) -> int | None:
        """First seat of this device; None for none."""
        return min(self.access.seats, default=None)

    @cached_property
    def forward_from(self) -> int | None:
        """Number of the log entry that went back, if a proposal to go forward again is possible.

        None if this device may not propose that.
        """
        if not self.access.seats or self.state.proposal:
            return None
        return acts.may_go_forward(self.access, self.loaded)

    @property
    def proposes_from(self) -> int | None:
        """Number of the log entry of this device's last act, if only a proposal can take it back.

        None if there is no such act, or if this device may not propose that.
        """
        if self.can_undo or self.state.proposal:
            return None
        table, state = self.access.table, self.loaded
        lasts = [acts.last_own_act(table, state, seat) for seat in self.access.seats]
        last = max((number for number in lasts if number), default=None)
        is_kept = last and acts.knows_dice_after(self.access, state, last)
        return None if is_kept else last

    @cached_property
    def presence(self) -> PresenceView:
        """Countdowns, and the absent players for whom the host may let a bot decide.

        It lists no absent player without a die of the app: with real dice, the host moves for them.
        """
        seen = view_presence(self.access, self.state, "place")
        return seen if self.sitting.thrown else seen._replace(absent=[])

    @cached_property
    def proposal(self) -> OpenProposal | None:
        """Open proposal to go back or forward; None for none."""
        return view_proposal(self.access, self.loaded, None)

    @property
    def answered(self) -> Outcome | None:
        """Outcome of the last proposal; None for none."""
        return view_outcome(self.access, self.loaded, None)

    @property
    def call(self) -> str:
        """Key of the current call to answer a proposal or to move; else empty."""
        if self.proposal and self.proposal.call:
            return self.proposal.call
        return self.state.moment if self.is_mine else ""

    @property
    def call_sentence(self) -> str:
        """What the call asks for, in a few words."""
        return call_sentence(self.proposal)

    @property
    def is_shared(self) -> bool:
        """Whether several players share the device, so that the page names the player to move."""
        return len(self.access.seats) > 1

    @property
    def called(self) -> str:
        """Name of the player to move; empty for none."""
        player = self.sitting.player
        return "" if player is None else self.names[player]

    @property
    def page_title(self) -> str:
        """Title of the page; a dot at its start marks that this device is to move."""
        if not self.call:
            return self.waiting or dice2_words.title_of(self.access.table)
        is_shared_move = self.is_shared and self.call == self.state.moment
        return "● " + (self.waiting if is_shared_move else self.call_sentence)

    @property
    def script_state(self) -> dict[str, Any]:
        """State for the page's script, as JSON values."""
        return {
            "seat": self.seat,
            "moment": self.state.moment,
            "mine": self.is_mine,
            "box": [self.board.box.across, self.board.has_markers],
            "thrown": self.sitting.thrown,
            "enter": self.enter,
            "cells": {cell.at: [cell.label, cell.takes] for row in self.rows for cell in row},
            "title": self.page_title,
            "call": self.call,
            "phase": self.sitting.phase,
            "waiting": self.waiting,
            "die": self.die_prefix,
        }


def view_board(access: TableAccess, *, asked: str = "") -> BoardView:
    """Return the view model of a table for a device; ``asked`` as in `BoardView`."""
    loaded = event_loader.load_game(access, Sitting)
    player = loaded.state.game.player
    acts_for = access.seats | away(access, loaded.state)
    seat = player if player in acts_for else min(access.seats, default=None)
    return BoardView(access, loaded, seat, asked)

"""Replay of a game of Dice², or of a relay, move by move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sheets.art.board import DrawnBoard, board_view
from sheets.models import Table
from sheets.rules.dice2 import KINDS, Dice2Game, new_game
from sheets.rules.dice2.sitting import Sitting
from sheets.tables import event_loader
from sheets.tables.access import TableAccess
from sheets.tables.dice2 import sentences as dice2_words
from sheets.tables.dice2.moves import Move, effect_sentences, move_sentence, moves_of
from sheets.text.rulebook.games import game_name


class GameStop(NamedTuple):
    """A game of a relay, with the numbers of moves after which it begins and ends.

    For a running game, ``end`` is the number of moves so far and ``verdict`` is empty.
    """

    number: int
    name: str
    begin: int
    end: int
    verdict: str


@dataclass(frozen=True)
class Dice2Replay:
    """A table's moves, and its state after the first ``at`` of them.

    ``sittings[n]`` is the state after ``n`` moves, ``sittings[0]`` the start.
    """

    table: Table
    moves: Sequence[Move]
    sittings: Sequence[Sitting]
    at: int

    @property
    def length(self) -> int:
        """Number of moves."""
        return len(self.moves)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return self.sittings[0].players

    @property
    def title(self) -> str:
        """Name of the table's game, or of its relay."""
        return dice2_words.title_of(self.table)

    @cached_property
    def game(self) -> Dice2Game | None:
        """Game on the board.

        Before the first game of a relay, that game with an empty board; None if it never began.
        """
        if self.sittings[self.at].game or not self.moves:
            return self.sittings[self.at].game
        return new_game(KINDS[self.moves[0].action.shape], len(self.names))

    @property
    def kind_name(self) -> str:
        """Name of the game on the board; empty if it equals the title."""
        name = game_name(self.game.kind.name) if self.game else ""
        return "" if name == self.title else name

    @cached_property
    def view(self) -> DrawnBoard | None:
        """Drawing of the board, with a ring around each player's last die; None without a game."""
        if not self.game:
            return None
        return board_view(self.game, *last_dice(self.moves[: self.at]))

    @property
    def sentence(self) -> str:
        """The last move in words; empty at the beginning."""
        return move_sentence(self.moves[self.at - 1], self.names) if self.at else ""

    @property
    def effects(self) -> list[str]:
        """Effects of the last move in words."""
        if not self.at:
            return []
        return effect_sentences(self.sittings[self.at - 1], self.sittings[self.at])

    @property
    def people(self) -> list[tuple[str, int]]:
        """The players with their points or markers on the board."""
        return list(zip(self.names, self.game.points, strict=True)) if self.game else []

    @cached_property
    def games(self) -> list[GameStop]:
        """The games of a relay; empty for a table with one game."""
        begins = [at for at, move in enumerate(self.moves) if move.action.do == "begin"]
        found = []
        for number, begin in enumerate(begins, start=1):
            end = begins[number] if number < len(begins) else self.length
            game = self.sittings[end].game
            assert game  # noqa: S101  # it has begun
            verdict = dice2_words.verdict(game, self.names) if game.is_finished else ""
            found.append(GameStop(number, game_name(game.kind.name), begin + 1, end, verdict))
        return found

    @property
    def game_number(self) -> int:
        """Number of the relay's game on the board, from 1; 1 also before the first has begun."""
        return max(1, sum(game.begin <= self.at for game in self.games))

    @cached_property
    def stops(self) -> list[int]:
        """Numbers of moves to jump to: the start, the beginning of each game, and the end."""
        return sorted({0, *(game.begin for game in self.games), self.length})

    @property
    def before(self) -> int | None:
        """The last of the `stops` before this position; None at the start."""
        return max((stop for stop in self.stops if stop < self.at), default=None)

    @property
    def behind(self) -> int | None:
        """The first of the `stops` after this position; None at the end."""
        return min((stop for stop in self.stops if stop > self.at), default=None)


def replay_to(access: TableAccess, at: int) -> Dice2Replay:
    """Return the replay of a table's game or relay after ``at`` moves, or at its end."""
    loaded = event_loader.load_game(access, Sitting)
    moves = moves_of(loaded)
    # The moves contain their dice, so the app has none to throw.
    sittings = [loaded.start._replace(app_throws=False)]
    for move in moves:
        sittings.append(sittings[-1].apply(move.action))
    return Dice2Replay(access.table, moves, sittings, min(at, len(moves)))


def last_dice(moves: Sequence[Move]) -> tuple[str, ...]:
    """Return the fields of each player's last die in the current game, the newest first."""
    found: dict[int, str] = {}
    for move in reversed(moves):
        if move.action.do == "begin":
            break
        if move.action.do == "place":
            found.setdefault(move.action.player, move.action.at)
    return tuple(found.values())

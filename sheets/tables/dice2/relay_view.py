"""View model of a relay of Dice²: finished games, points, choice of the next game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sheets.rules.dice2 import Relay
from sheets.rules.dice2.relay import kinds_for
from sheets.rules.dice2.sitting import Sitting
from sheets.tables.access import TableAccess
from sheets.tables.dice2.score_view import FinishedGame, games_played
from sheets.tables.event_log import LogState
from sheets.text.rulebook.games import GAME_AIMS, game_name


@dataclass(frozen=True)
class RelayView:
    """A relay as one device sees it."""

    relay: Relay
    access: TableAccess
    state: LogState[Sitting]

    @property
    def target(self) -> int:
        """Number of points that wins the relay."""
        return self.relay.target

    @property
    def has_handicap(self) -> bool:
        """Whether a win is worth more for players other than the start player."""
        return self.relay.has_handicap

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return self.state.game.players

    @cached_property
    def played_games(self) -> list[FinishedGame]:
        """The finished games, in their order."""
        return games_played(self.state, self.names)

    @property
    def choices(self) -> list[tuple[str, str, str]]:
        """Games that may be played next: name, title, aim; empty while a game runs."""
        if self.state.game.phase != "begin":
            return []
        return [
            (name, game_name(name), str(GAME_AIMS[name])) for name in kinds_for(len(self.names))
        ]

    @property
    def next_starter(self) -> int | None:
        """Player who has to start the next game; None if any player may."""
        return self.relay.next_starter

    @property
    def starter_name(self) -> str:
        """Name of the player who has to start the next game; empty if any player may."""
        return "" if self.next_starter is None else self.names[self.next_starter]

    @property
    def may_begin(self) -> bool:
        """Whether this device may begin the next game."""
        return self.access.is_host or self.next_starter in self.access.seats

"""What does a device see of a relay: its games, its points, and what may be played next?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sheets.rules.dice2 import Relay
from sheets.rules.dice2.relay import kinds_for
from sheets.rules.dice2.sitting import Sitting
from sheets.tables.access import TableAccess
from sheets.tables.dice2 import words as dice2_words
from sheets.tables.dice2.score_view import Played, games_played
from sheets.tables.log import LogState
from sheets.texts.rulebook.games import GAME_AIMS, game_name


@dataclass(frozen=True)
class RelayView:
    """A relay through one device."""

    relay: Relay
    access: TableAccess
    state: LogState[Sitting]

    @property
    def target(self) -> int:
        """The points to reach."""
        return self.relay.target

    @property
    def has_handicap(self) -> bool:
        """Whether a win of others than the start player is worth more."""
        return self.relay.has_handicap

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return self.state.game.players

    @property
    def verdict(self) -> str:
        """Who has won, empty while nobody has."""
        sitting = self.state.game
        return dice2_words.relay_verdict(sitting) if sitting.is_finished else ""

    @cached_property
    def played_games(self) -> list[Played]:
        """The games that are over."""
        return games_played(self.state, self.names)

    @property
    def choices(self) -> list[tuple[str, str, str]]:
        """The games it can go on with: name, title, aim; none while one runs."""
        if self.state.game.phase != "begin":
            return []
        return [
            (name, game_name(name), str(GAME_AIMS[name])) for name in kinds_for(len(self.names))
        ]

    @property
    def next_starter(self) -> int | None:
        """Who has to start the next game; None: whoever likes."""
        return self.relay.next_starter

    @property
    def starter_name(self) -> str:
        """The same by name, empty where anybody may start."""
        return "" if self.next_starter is None else self.names[self.next_starter]

    @property
    def may_begin(self) -> bool:
        """Whether this device may begin the next game."""
        return self.access.is_host or self.next_starter in self.access.seats

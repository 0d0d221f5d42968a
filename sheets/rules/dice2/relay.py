"""Who leads a relay of Dice² games, and who starts the next one?"""

from __future__ import annotations

from typing import Final, NamedTuple

from sheets.rules.dice2.game import Dice2Action, Dice2Game, Kind, new_game
from sheets.rules.dice2.kinds import KINDS
from sheets.rules.violations import RuleViolation

TARGETS: Final = (5, 7, 9)

PLAYER_COUNTS: Final = (2, 3)
"""How many may play a relay."""


class Relay(NamedTuple):
    """A running table of games: an immutable value.

    ``points`` are per player; ``next_starter`` is None before the first game, while a game is
    unfinished and once the relay is won; ``winners`` is empty until then. ``current`` is the game
    that was begun last, finished or not, and ``starter`` who started it.
    """

    players: int
    target: int
    has_handicap: bool
    points: tuple[int, ...]
    next_starter: int | None = None
    winners: tuple[int, ...] = ()
    current: Dice2Game | None = None
    starter: int = 0

    def begin(self, kind: Kind, starter: int) -> Relay:
        """The relay with its next game begun.

        Raises:
            RuleViolation: `not-now` after an unfinished game or a won relay, `start-order` for
                another start player than the rule's.
        """
        if self.winners or (self.current and not self.current.is_finished):
            raise RuleViolation("not-now", do="begin")
        if self.next_starter is not None and starter != self.next_starter:
            shared = len(self.current.winners) == self.players if self.current else False
            raise RuleViolation(
                "start-order", player=starter, turn=self.next_starter, shared=shared
            )
        game = new_game(kind, self.players, starter)
        return self._replace(current=game, starter=starter, next_starter=None)

    def apply(self, action: Dice2Action) -> Relay:
        """The relay after an action in its current game. Raises RuleViolation."""
        if self.current is None:
            raise RuleViolation("not-now", do=action.do)
        relay = self._replace(current=self.current.apply(action))
        return relay._settle() if relay.current and relay.current.is_finished else relay

    def _settle(self) -> Relay:
        game = self.current
        if game is None:
            return self
        points = tuple(
            had + (self._worth(player) if player in game.winners else 0)
            for player, had in enumerate(self.points)
        )
        reached = [total for total in points if total >= self.target]
        winners = tuple(p for p in range(self.players) if reached and points[p] == max(reached))
        next_starter = None if winners else worst_player(game, self.starter)
        return self._replace(points=points, winners=winners, next_starter=next_starter)

    def _worth(self, player: int) -> int:
        """What a win is worth: with the handicap 2 for everybody but the start player."""
        return 2 if self.has_handicap and player != self.starter else 1


def new_relay(players: int, target: int, *, has_handicap: bool) -> Relay:
    """A relay before its first game; whoever likes starts that."""
    return Relay(players, target, has_handicap, (0,) * players)


def kinds_for(players: int) -> list[str]:
    """The games that a relay of so many players can go on with."""
    return [name for name, kind in KINDS.items() if players in kind.player_counts]


def worst_player(game: Dice2Game, starter: int) -> int:
    """Who starts after a finished game: the worst of those who did not win it.

    Fewest markers, then whose last die was placed earliest, then the one next after the start
    player; that one also when everybody shares the win.
    """
    others = [player for player in range(game.players) if player not in game.winners]
    if not others:
        return (starter + 1) % game.players
    return min(
        others,
        key=lambda player: (
            game.markers[player],
            game.last_placed[player],
            (player - starter - 1) % game.players,
        ),
    )

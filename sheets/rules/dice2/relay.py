"""Relay of several Dice² games: points, next start player and winners."""

from __future__ import annotations

from typing import Final, NamedTuple

from sheets.rules.dice2.game import Dice2Action, Dice2Game, Kind, new_game
from sheets.rules.dice2.kinds import KINDS
from sheets.rules.violations import RuleViolation

TARGETS: Final = (5, 7, 9)
"""The possible targets: points that win a relay."""

PLAYER_COUNTS: Final = (2, 3)
"""The possible numbers of players of a relay."""


class Relay(NamedTuple):
    """The state of a relay; immutable.

    ``points`` are per player; ``next_starter`` is None before the first game, while a game is
    unfinished and once the relay is won; ``winners`` is empty until then. ``current`` is the game
    begun last, finished or not, and ``starter`` the player who started it. ``has_handicap``: a win
    is worth 2 points instead of 1 to a player who did not start the game.
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
        """Return the relay with its next game begun.

        Raises:
            RuleViolation: `not-now` while a game is unfinished or after a won relay, `start-order`
                if ``starter`` is not the ``next_starter``.
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
        """Return the relay after an action in its current game.

        Raises:
            RuleViolation: `not-now` before the first game, or the game's refusal.
        """
        if self.current is None:
            raise RuleViolation("not-now", do=action.do)
        relay = self._replace(current=self.current.apply(action))
        return relay._settle() if relay.current and relay.current.is_finished else relay

    def _settle(self) -> Relay:
        """Award the points of the finished game and set the next start player or the winners."""
        game = self.current
        if game is None:
            return self
        points = tuple(
            before + (self._win_points(player) if player in game.winners else 0)
            for player, before in enumerate(self.points)
        )
        reached = [total for total in points if total >= self.target]
        winners = tuple(p for p in range(self.players) if reached and points[p] == max(reached))
        next_starter = None if winners else worst_player(game, self.starter)
        return self._replace(points=points, winners=winners, next_starter=next_starter)

    def _win_points(self, player: int) -> int:
        """Return the points of a player's win: 1, or 2 with the handicap unless they started."""
        return 2 if self.has_handicap and player != self.starter else 1


def new_relay(players: int, target: int, *, has_handicap: bool) -> Relay:
    """Return a relay before its first game, which any player may start."""
    return Relay(players, target, has_handicap, (0,) * players)


def kinds_for(players: int) -> list[str]:
    """Return the names of the games that this number of players can play."""
    return [name for name, kind in KINDS.items() if players in kind.player_counts]


def worst_player(game: Dice2Game, starter: int) -> int:
    """Return the next start player: the worst of those who did not win the finished game.

    Criteria in order: fewest markers, earliest last die, nearest after the start player clockwise.
    If all players share the win, the player after the start player is the next one.
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

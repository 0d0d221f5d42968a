"""Sitting: the state of a table that plays one Dice² game or a relay of them.

A sitting has the interface of a Dizzle game (``apply`` with an `Action`, ``phase``,
``pass_number``), so that a table's log is independent of the game family. One pass of a sitting is
one game of the relay.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sheets.rules.dice2.game import DIE_NUMBERS, Dice2Action, Dice2Game, Kind, new_game
from sheets.rules.dice2.kinds import KINDS
from sheets.rules.dice2.record import Dice2Record, RelayRecord
from sheets.rules.dice2.relay import Relay, new_relay
from sheets.rules.state import Action
from sheets.rules.violations import RuleViolation


class Sitting(NamedTuple):
    """The state of a table with Dice²; immutable.

    ``phase`` is ``begin`` (a relay waits for its next game), ``throw`` (the app has to throw the
    die of the player to move), ``turn`` or ``finished``. ``thrown`` is the die the app has thrown,
    0 for none; with real dice it stays 0 and the action has the number. ``kind`` is the game of a
    table without a relay.
    """

    players: tuple[str, ...]
    app_throws: bool
    kind: Kind | None
    relay: Relay | None
    game: Dice2Game | None
    thrown: int = 0
    passes_done: int = 0

    @property
    def phase(self) -> str:
        """The phase, see `Sitting`."""
        if self.relay and self.relay.winners:
            return "finished"
        if self.game is None or self.game.is_finished:
            return "begin" if self.relay else "finished"
        return "throw" if self.app_throws and not self.thrown else "turn"

    @property
    def is_finished(self) -> bool:
        """Whether the game, or the relay, is over."""
        return self.phase == "finished"

    @property
    def player(self) -> int | None:
        """The player to move; None between games and at the end."""
        return self.game.player if self.game and self.phase in ("throw", "turn") else None

    @property
    def pass_number(self) -> int:
        """The number of the current or next game, from 1; after the end, of the last game."""
        return self.passes_done + (not self.is_finished)

    def apply(self, action: Action) -> Sitting:
        """Return the sitting after an action; this one is unchanged.

        ``begin`` has the start player as ``player`` and the game's name as ``shape``. ``throw`` has
        the number as ``die``. ``place`` and ``skip`` have it only if the players use real dice.

        Raises:
            RuleViolation: a refusal by the game or the relay; `not-now` for an action of another
                phase.
        """
        if action.do == "begin":
            return self._begin(action)
        if action.do == "throw":
            return self._throw(action)
        if self.game is None or self.phase == "begin":
            raise RuleViolation("not-now", do=action.do)
        if self.phase == "throw":
            raise RuleViolation("not-now", do=action.do, phase="throw")
        return self._act(
            Dice2Action(action.do, action.player, self.thrown or action.die, action.at)
        )

    def _begin(self, action: Action) -> Sitting:
        if self.relay is None:
            raise RuleViolation("not-now", do="begin")
        relay = self.relay.begin(KINDS[action.shape], action.player)
        return self._replace(relay=relay, game=relay.current, thrown=0)

    def _throw(self, action: Action) -> Sitting:
        if self.phase != "throw":
            raise RuleViolation("not-now", do="throw")
        if action.player != self.player:
            raise RuleViolation("not-your-turn", player=action.player, turn=self.player or 0)
        return self._replace(thrown=action.die)

    def _act(self, action: Dice2Action) -> Sitting:
        if self.relay:
            relay = self.relay.apply(action)
            game = relay.current
        else:
            relay, game = None, self.game.apply(action) if self.game else None
        done = self.passes_done + bool(game and game.is_finished)
        return self._replace(relay=relay, game=game, thrown=0, passes_done=done)


def new_sitting(
    players: Iterable[str],
    *,
    game: str = "",
    target: int = 0,
    has_handicap: bool = False,
    app_throws: bool = False,
    starter: int = 0,
) -> Sitting:
    """Return a new sitting.

    Args:
        players: their names in seating order.
        game: the name of the single game; empty for a relay.
        target: the points that win the relay; 0 for a single game.
        has_handicap: whether a win in the relay is worth 2 points, instead of 1, to a player who
            did not start the game.
        app_throws: whether the app throws the dice.
        starter: the index of the player who moves first in a single game.
    """
    names = tuple(players)
    if target:
        relay = new_relay(len(names), target, has_handicap=has_handicap)
        return Sitting(names, app_throws, None, relay, None)
    kind = KINDS[game]
    return Sitting(names, app_throws, kind, None, new_game(kind, len(names), starter))


def actions_of(record: Dice2Record | RelayRecord) -> list[Action]:
    """Return the actions that repeat a record at a table with real dice."""
    if isinstance(record, RelayRecord):
        games = [
            (Action("begin", game.starter, shape=game.kind.name), game.actions)
            for game in record.games
        ]
        return [action for begin, moves in games for action in (begin, *map(_as_action, moves))]
    return [_as_action(move) for move in record.actions]


def _as_action(move: Dice2Action) -> Action:
    return Action(move.do, move.player, move.at, move.die)


def record_sitting(start: Sitting, actions: Iterable[Action]) -> Dice2Record | RelayRecord:
    """Return the record of a sitting.

    In the record of a single game the first player starts, so the players are rotated. If a player
    skipped without a throw, because no number fitted, the record gives this action the die 1.

    Args:
        start: the sitting before its first action.
        actions: the accepted actions in their order.
    """
    games: list[Dice2Record] = []
    moves: list[Dice2Action] = []
    thrown = 0
    if start.kind:
        games.append(Dice2Record(start.kind, start.players, ()))
    for action in actions:
        if action.do == "begin":
            games.append(Dice2Record(KINDS[action.shape], start.players, (), action.player))
            moves = []
        elif action.do == "throw":
            thrown = action.die
        else:
            die = thrown or action.die or DIE_NUMBERS[0]
            moves.append(Dice2Action(action.do, action.player, die, action.at))
            games[-1] = games[-1]._replace(actions=tuple(moves))
            thrown = 0
    if start.relay is None:
        return _from_starter(games[0], start.game.player if start.game else 0)
    return RelayRecord(start.players, start.relay.target, start.relay.has_handicap, tuple(games))


def _from_starter(record: Dice2Record, starter: int) -> Dice2Record:
    """Rotate the players of a record so that the start player is the first."""
    players, count = record.players, len(record.players)
    return record._replace(
        players=(*players[starter:], *players[:starter]),
        actions=tuple(
            action._replace(player=(action.player - starter) % count) for action in record.actions
        ),
    )

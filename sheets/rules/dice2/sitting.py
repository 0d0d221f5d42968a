"""Where does a table stand that plays Dice²: one game, or a relay of them?

A sitting takes the same `Action` as a game of Dizzle and answers the same questions (``phase``,
``pass_number``), so that a table's log need not know which family it records. A pass of it is one
game of the relay.
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
    """Players at a table with Dice²: an immutable value.

    ``phase`` is ``begin`` (a relay waits for its next game), ``throw`` (the app has to throw the
    die of the player to move), ``turn`` or ``finished``. ``thrown`` is the die the app has thrown,
    0 for none; with real dice it stays 0 and the number comes with the act. ``kind`` is the game a
    table without relay plays.
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
        """What the table waits for."""
        if self.relay and self.relay.winners:
            return "finished"
        if self.game is None or self.game.is_finished:
            return "begin" if self.relay else "finished"
        return "throw" if self.app_throws and not self.thrown else "turn"

    @property
    def is_finished(self) -> bool:
        """Whether nothing more can be played."""
        return self.phase == "finished"

    @property
    def player(self) -> int | None:
        """Whose turn it is, None between games and at the end."""
        return self.game.player if self.game and self.phase in ("throw", "turn") else None

    @property
    def pass_number(self) -> int:
        """The game that runs or comes next, counted from 1."""
        return self.passes_done + (not self.is_finished)

    def apply(self, action: Action) -> Sitting:
        """The sitting after an action; this one stays as it is.

        ``begin`` has the start player as ``player`` and the game's name as ``shape``; ``throw`` a
        ``die``; ``place`` and ``skip`` one unless the app has thrown it.

        Raises:
            RuleViolation: what the game or the relay refuses; `not-now` for an act of another
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
    """A table about to play.

    Args:
        players: their names in seating order.
        game: the one game to play; empty for a relay.
        target: the relay's points to reach; 0 for one game.
        has_handicap: whether a win of others than the start player is worth 2 in the relay.
        app_throws: whether the app throws the dice.
        starter: the index of who moves first in the one game.
    """
    names = tuple(players)
    if target:
        relay = new_relay(len(names), target, has_handicap=has_handicap)
        return Sitting(names, app_throws, None, relay, None)
    kind = KINDS[game]
    return Sitting(names, app_throws, kind, None, new_game(kind, len(names), starter))


def actions_of(record: Dice2Record | RelayRecord) -> list[Action]:
    """The acts at a table with real dice that lead to what a document has."""
    if isinstance(record, RelayRecord):
        begun = [
            (Action("begin", game.starter, shape=game.kind.name), game.actions)
            for game in record.games
        ]
        return [act for begin, moves in begun for act in (begin, *map(_typed, moves))]
    return [_typed(move) for move in record.actions]


def _typed(move: Dice2Action) -> Action:
    return Action(move.do, move.player, move.at, move.die)


def record_sitting(start: Sitting, actions: Iterable[Action]) -> Dice2Record | RelayRecord:
    """What was played, as it is written down.

    A game without relay is begun by the first of its players: they are named from who started on.
    Who skipped because nothing fitted need not have thrown: then a 1 stands for what fits nowhere.

    Args:
        start: the sitting before its first action.
        actions: those that were accepted, in their order.
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
    """A game with its players in their order, but from who started on."""
    players, count = record.players, len(record.players)
    return record._replace(
        players=(*players[starter:], *players[:starter]),
        actions=tuple(
            action._replace(player=(action.player - starter) % count) for action in record.actions
        ),
    )

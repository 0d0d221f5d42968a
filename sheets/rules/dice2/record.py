"""Recorded games and relays of Dice² as documents, and their replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sheets.rules.dice2.board import NAMES
from sheets.rules.dice2.game import Dice2Action, Dice2Game, Kind, new_game
from sheets.rules.dice2.kinds import KINDS
from sheets.rules.dice2.relay import Relay, new_relay
from sheets.rules.documents.dice_proof import DiceProof, format_dice_proof, parse_dice_proof
from sheets.rules.violations import DocumentError, DocumentPath, RuleViolation

Explain = Callable[[RuleViolation], str]
"""Function that formats the message about a violation."""


class Dice2Record(NamedTuple):
    """A recorded game; ``starter`` is the index of the player who moves first.

    ``dice_proof`` is None for a game of a relay, and if nobody can compute the dice again.
    """

    kind: Kind
    players: tuple[str, ...]
    actions: tuple[Dice2Action, ...]
    starter: int = 0
    dice_proof: DiceProof | None = None


class RelayRecord(NamedTuple):
    """A recorded relay; ``dice_proof`` is None if nobody can compute the dice again."""

    players: tuple[str, ...]
    target: int
    has_handicap: bool
    games: tuple[Dice2Record, ...]
    dice_proof: DiceProof | None = None


def parse_dice2(document: Mapping[str, Any]) -> Dice2Record:
    """Return the record of a ``dice2-game/1`` document.

    Raises:
        DocumentError: for a number of players that the game does not allow, or an action of a
            player who does not exist, or a proof of the dice for another number of players.
    """
    players = tuple(document["players"])
    record = _parse_game(document, players)
    return record._replace(dice_proof=_parse_proof(document, players))


def _parse_proof(document: Mapping[str, Any], players: tuple[str, ...]) -> DiceProof | None:
    """Return the proof of the dice; each player has a sequence."""
    return parse_dice_proof(document, len(players), sequences=len(players))


def parse_relay(document: Mapping[str, Any]) -> RelayRecord:
    """Return the record of a ``dice2-relay/1`` document.

    Raises:
        DocumentError: as `parse_dice2`, or for a start player who does not exist.
    """
    players = tuple(document["players"])
    games = tuple(
        _parse_game(game, players, ("games", index), game["starter"])
        for index, game in enumerate(document["games"])
    )
    proof = _parse_proof(document, players)
    return RelayRecord(players, document["target"], document["handicap"], games, proof)


def _parse_game(
    document: Mapping[str, Any],
    players: tuple[str, ...],
    place: DocumentPath = (),
    starter: int = 0,
) -> Dice2Record:
    kind = KINDS[document["game"]]
    if len(players) not in kind.player_counts:
        raise DocumentError("player-count", (*place, "players"), count=len(players))
    if starter >= len(players):
        raise DocumentError("unknown-player", (*place, "starter"), player=starter)
    actions = tuple(
        Dice2Action(entry["do"], entry["player"], entry["die"], entry.get("at", ""))
        for entry in document["actions"]
    )
    for index, action in enumerate(actions):
        if action.player >= len(players):
            at = (*place, "actions", index)
            raise DocumentError("unknown-player", at, player=action.player)
    return Dice2Record(kind, players, actions, starter)


def format_dice2(record: Dice2Record) -> dict[str, Any]:
    """Return the ``dice2-game/1`` document of a record."""
    return {
        "format": "dice2-game/1",
        "game": record.kind.name,
        "players": list(record.players),
        "actions": [format_dice2_action(action) for action in record.actions],
        **format_dice_proof(record.dice_proof),
    }


def format_relay(record: RelayRecord) -> dict[str, Any]:
    """Return the ``dice2-relay/1`` document of a record."""
    return {
        "format": "dice2-relay/1",
        "target": record.target,
        "handicap": record.has_handicap,
        "players": list(record.players),
        "games": [
            {
                "game": game.kind.name,
                "starter": game.starter,
                "actions": [format_dice2_action(action) for action in game.actions],
            }
            for game in record.games
        ],
        **format_dice_proof(record.dice_proof),
    }


def format_dice2_action(action: Dice2Action) -> dict[str, Any]:
    """Return the entry of an action in a document.

    >>> format_dice2_action(Dice2Action("skip", 1, 6))
    {'do': 'skip', 'player': 1, 'die': 6}
    """
    entry: dict[str, Any] = {"do": action.do, "player": action.player, "die": action.die}
    return {**entry, "at": action.at} if action.do == "place" else entry


def replay_dice2(record: Dice2Record, explain: Explain = str) -> dict[str, Any]:
    """Replay a game and return the output of the command ``dice2``."""
    game = new_game(record.kind, len(record.players), record.starter)
    applied, error = 0, None
    for action in record.actions:
        try:
            game = game.apply(action)
        except RuleViolation as violation:
            error = {
                "action": applied,
                "rule": violation.rule,
                "message": explain(violation),
            }
            break
        applied += 1
    return {"ok": error is None, "applied": applied, "error": error, **format_dice2_state(game)}


def format_dice2_state(game: Dice2Game) -> dict[str, Any]:
    """Return the state of a game as in the output of ``dice2``."""
    return {
        "finished": game.is_finished,
        "player": None if game.is_finished else game.player,
        "legal": {str(die): fields for die, fields in game.legal().items()},
        "board": {
            name: [owner, number]
            for name, owner, number in zip(
                NAMES, game.board.owners, game.board.numbers, strict=True
            )
            if number
        },
        "points": list(game.points),
        "winners": list(game.winners),
    }


def replay_relay(record: RelayRecord, explain: Explain = str) -> dict[str, Any]:
    """Replay a relay and return the output of the command ``relay``.

    After an error, the output has the points before the game with the error.
    """
    relay = new_relay(len(record.players), record.target, has_handicap=record.has_handicap)
    for number, game in enumerate(record.games):
        before = relay
        at: int | None = None
        try:
            relay = relay.begin(game.kind, game.starter)
            for at, action in enumerate(game.actions):  # noqa: B007
                relay = relay.apply(action)
        except RuleViolation as violation:
            error = {
                "game": number,
                "action": at,
                "rule": violation.rule,
                "message": explain(violation),
            }
            return {"ok": False, "error": error, **format_relay_state(before)}
    return {"ok": True, "error": None, **format_relay_state(relay)}


def format_relay_state(relay: Relay) -> dict[str, Any]:
    """Return the state of a relay as in the output of ``relay``."""
    return {
        "points": list(relay.points),
        "next_starter": relay.next_starter,
        "winners": list(relay.winners),
    }

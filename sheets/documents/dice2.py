"""Structures and parsers of ``dice2-game/1`` and ``dice2-relay/1``."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, UnsetType

from sheets.documents.structure import (
    OTHER_FORMAT,
    DiceProofEntry,
    Document,
    FieldName,
    PlayerName,
    decode,
)
from sheets.rules.dice2.record import Dice2Record, RelayRecord, parse_dice2, parse_relay

MAX_GAMES: Final = 200
"""Maximum number of games in a relay."""

Die = Annotated[int, Meta(ge=1, le=6)]
Player = Annotated[int, Meta(ge=0, le=2)]
GameName = Literal["square", "four-wins", "last-man", "major"]


class Dice2ActionEntry(Document, tag_field="do"):
    """One entry of a game's ``actions``."""

    player: Player
    die: Die


class Place(Dice2ActionEntry, tag="place"):
    """Die placed on a field."""

    at: FieldName


class Skip(Dice2ActionEntry, tag="skip"):
    """Turn without a placement: the die fits nowhere."""


Dice2Actions = Annotated[list[Place | Skip], Meta(max_length=5000)]


class Dice2GameDocument(Document):
    """Structure of a ``dice2-game/1``."""

    format: Annotated[Literal["dice2-game/1"], OTHER_FORMAT]
    game: GameName
    players: Annotated[list[PlayerName], Meta(min_length=1, max_length=3)]
    actions: Dice2Actions
    dice_proof: DiceProofEntry | UnsetType = UNSET


class RelayGameEntry(Document):
    """One entry of a relay's ``games``."""

    game: GameName
    starter: Player
    actions: Dice2Actions


class RelayDocument(Document):
    """Structure of a ``dice2-relay/1``."""

    format: Annotated[Literal["dice2-relay/1"], OTHER_FORMAT]
    target: Literal[5, 7, 9]
    handicap: bool
    players: Annotated[list[PlayerName], Meta(min_length=2, max_length=3)]
    games: Annotated[list[RelayGameEntry], Meta(max_length=MAX_GAMES)]
    dice_proof: DiceProofEntry | UnsetType = UNSET


def read_dice2(text: bytes) -> Dice2Record:
    """Return the record of a ``dice2-game/1`` file. Raises DocumentError."""
    return parse_dice2(decode(text, Dice2GameDocument))


def read_relay(text: bytes) -> RelayRecord:
    """Return the record of a ``dice2-relay/1`` file. Raises DocumentError."""
    return parse_relay(decode(text, RelayDocument))

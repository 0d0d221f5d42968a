"""Clients of the players at a table, for tests of its pages."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from django.conf import settings
from django.test import Client

from sheets.access.keys import DEVICE_COOKIE
from sheets.rules import Action, new_game
from sheets.rules.documents.game import Record
from tests.score_levels import GARDEN
from tests.table_games import (
    Party,
    level_of,
    random_choice,
    random_move,
    random_moves_of_pass,
    sit_down,
)
from tests.table_games import play_on as play_passes

SHORT: dict[str, Any] = {**GARDEN, "dice": {"1": 8, "2": 7}, "rounds": {"1": 2, "2": 2, "3": 1}}
"""Level for short games, with a bomb, a flag, a key, a rocket and a race."""


def client_of(party: Party, player: int = 0, language: str = "en") -> Client:
    """Return a client with the seat of a player."""
    client = Client()
    client.cookies[DEVICE_COOKIE] = party.tokens[player]
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    return client


def finished_party(*names: str, level: Any = SHORT, seed: int = 1) -> Party:
    """Return a table with a finished mirrored game."""
    party = sit_down(names or ("Ana", "Ben"), level)
    play_passes(party, Random(seed), 999)
    return party


def played_record(
    level: Any = SHORT, names: Sequence[str] = ("Ana", "Ben"), seed: int = 1
) -> Record:
    """Return a finished mirrored game without a table."""
    found, level_id = level_of(level)
    random = Random(seed)
    game = new_game(found, names, tracked=False)
    actions: list[Action] = []
    while game.phase != "finished":
        for action in random_moves_of_pass(game, random, random_choice(random)):
            actions.append(action)
            game = game.apply(action)
    return Record(found, level_id, tuple(names), False, tuple(actions))


def finished_solo() -> Party:
    """Return a table with a finished solo game, with the app's dice."""
    party = sit_down(("Ana",), "level-1", "rolled")
    while party.game.phase != "finished":
        move = random_move(party.game, Random(1), lambda _game, _player, fields: fields[0])
        party.act(move.do, move.player, move.at, by=0, shape=move.shape)
    return party

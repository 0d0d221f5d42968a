"""Chosen dice of the app for tests, and games with the app's dice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from sheets.models import Table
from sheets.tables.dice_seeds import contribute
from tests.table_games import TINY, Party, random_choice, random_move, sit_down

ANA, BEN = "0a" * 16, "b1" * 16
"""Contributions of two devices."""


def let_app_throw(monkeypatch: pytest.MonkeyPatch, throw: Callable[[], int]) -> None:
    """Make the app throw the dice that a function returns, at tables opened from now on."""
    monkeypatch.setattr("sheets.tables.seating.new_seed", lambda: "")
    monkeypatch.setattr("sheets.tables.family._throw", throw)


def rolled(level: str | dict[str, Any] = TINY, names: tuple[str, ...] = ("Ana", "Ben")) -> Party:
    """Return a table in the lobby whose app rolls; each device has contributed."""
    party = sit_down(names, level, dice="rolled", start=False)
    for number, text in zip(range(len(names)), (ANA, BEN), strict=False):
        contribute(party.access(number), text)
    return party


def play_rolled(party: Party, seed: int = 1, passes: int = 99) -> None:
    """Play random legal moves until this number of passes is done, or the game is over."""
    random = Random(seed)
    choose = random_choice(random)
    while party.game.passes_done < passes and not party.game.is_finished:
        action = random_move(party.game, random, choose)
        by = party.game.start_player if action.player < 0 else None
        party.act(action.do, action.player, action.at, by=by, die=action.die, shape=action.shape)


def seed_of(party: Party) -> str:
    """Return the seed of a table."""
    return Table.objects.get(code=party.code).dice_seed

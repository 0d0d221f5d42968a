"""Storage that imported games take in the database, estimated before any of them is stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

GAME_BYTES: Final = 370
"""Bytes of a game with its index entries and without its texts, measured on PostgreSQL."""

RESULT_BYTES: Final = 350
"""The same for a result, and the ratings that it adds."""

EVENING_BYTES: Final = 150
"""Maximum number of bytes of an evening with its index entries and without its texts."""

Charge = Callable[[int], None]
"""Counts bytes that are about to be stored. Raises StorageUsedUp, TooMuchAtOnce."""


class StorageUsedUp(Exception):
    """The address has stored as much as it may for now."""


class TooMuchAtOnce(Exception):
    """More bytes than an address may ever store at once."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


class GameSize(NamedTuple):
    """Input of the size estimate of a game: its number of results, and its texts as JSON."""

    results: int
    texts: object


def estimate_games(games: Iterable[GameSize]) -> int:
    """Estimate how many bytes games take, rather too many."""
    return sum(GAME_BYTES + RESULT_BYTES * game.results + _bytes_of(game.texts) for game in games)


def estimate_evenings(texts: Collection[str]) -> int:
    """Estimate how many bytes evenings take, each by its place and note."""
    return EVENING_BYTES * len(texts) + sum(map(_bytes_of, texts))


def _bytes_of(stored: object) -> int:
    return len(json.dumps(stored))

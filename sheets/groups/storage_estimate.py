"""Estimate of the database storage of imported games, made before they are stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

GAME_BYTES: Final = 370
"""Bytes of a game with its index entries but without its texts, measured on PostgreSQL."""

RESULT_BYTES: Final = 350
"""Bytes of a result with its index entries and ratings but without its texts."""

EVENING_BYTES: Final = 150
"""Maximum number of bytes of an evening with its index entries but without its texts."""

Charge = Callable[[int], None]
"""Function that charges bytes before they are stored. Raises StorageUsedUp, ImportTooLarge."""


class StorageUsedUp(Exception):
    """The network address has reached its storage limit for now."""


class ImportTooLarge(Exception):
    """An import of more bytes than a network address may store at once."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


class GameSize(NamedTuple):
    """Input of the size estimate of a game: its number of results, and its texts for JSON."""

    results: int
    texts: object


def estimate_games(games: Iterable[GameSize]) -> int:
    """Return an upper estimate of the bytes of games."""
    return sum(GAME_BYTES + RESULT_BYTES * game.results + _bytes_of(game.texts) for game in games)


def estimate_evenings(texts: Collection[str]) -> int:
    """Return an upper estimate of the bytes of evenings; ``texts``: place plus note of each."""
    return EVENING_BYTES * len(texts) + sum(map(_bytes_of, texts))


def _bytes_of(stored: object) -> int:
    return len(json.dumps(stored))

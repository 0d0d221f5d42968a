"""Games of bots, added to a group as scored sheets of people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from random import Random

from sheets.access.keys import Access
from sheets.groups import keeping
from sheets.levels import find_level
from sheets.models import Group, GroupGame, GroupResult
from sheets.rules import Game
from sheets.rules.paper import Paper
from sheets.scoring import store
from sheets.simulation.games import play_game


@lru_cache(maxsize=256)
def played(level_id: str, count: int, seed: int) -> Game:
    """One whole game of so many, always the same."""
    return play_game(find_level(level_id), count, "random", Random(seed))


def keep_game(
    access: Access[Group], names: Sequence[str], seed: int, level_id: str = "level-1"
) -> tuple[str, GroupGame, Game]:
    """Let bots play for these people, score their sheets, and keep them.

    Gives the key of the scoring, the game as it is kept, and as it was played.
    """
    game = played(level_id, len(names), seed)
    paper = Paper(game.level, "", tuple(names), game.sheets, game.is_solo, ())
    key = store.create_from_paper(paper)
    return key, keeping.keep(access, store.find(key).thing), game


def move_to(kept: GroupGame, game: Game, when: datetime) -> None:
    """Have a game that was kept just now played on another evening."""
    kept.played, kept.evening = when, when.date()
    kept.save()
    GroupResult.objects.filter(game=kept).update(played=when)


def on(year: int, month: int, day: int) -> datetime:
    """The evening of that day."""
    return datetime(year, month, day, 19, tzinfo=UTC)

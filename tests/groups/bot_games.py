"""Games of bots, added to a group as scored sheets of people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from random import Random

from sheets.access.keys import Access
from sheets.groups import game_store
from sheets.levels import find_level
from sheets.models import Group, GroupGame, GroupResult
from sheets.rules import Game
from sheets.rules.paper_scoring import Paper
from sheets.scoring import store
from sheets.simulation.games import play_game


@lru_cache(maxsize=256)
def play_bots(level_id: str, count: int, seed: int) -> Game:
    """Return a whole game of this number of bots, the same for each seed."""
    return play_game(find_level(level_id), count, "random", Random(seed))


def add_bot_game(
    access: Access[Group], names: Sequence[str], seed: int, level_id: str = "level-1"
) -> tuple[str, GroupGame, Game]:
    """Let bots play for these people, score their sheets, and add the game to a group.

    Returns the key of the scoring, the stored game, and the game of the rules.
    """
    game = play_bots(level_id, len(names), seed)
    paper = Paper(game.level, "", tuple(names), game.sheets, game.is_solo, ())
    key = store.create_from_paper(paper)
    return key, game_store.add_game(access, store.find(key).resource), game


def move_to_evening(kept: GroupGame, game: Game, when: datetime) -> None:
    """Move a game that was just added to another evening."""
    kept.played, kept.evening = when, when.date()
    kept.save()
    GroupResult.objects.filter(game=kept).update(played=when)


def evening_on(year: int, month: int, day: int) -> datetime:
    """Return a time on the evening of a day."""
    return datetime(year, month, day, 19, tzinfo=UTC)

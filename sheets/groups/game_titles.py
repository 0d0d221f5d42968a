"""Titles of games: the level, the game of Dice², or the kind of game."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.groups.game_results import FinishedGame
from sheets.models import Group, GroupGame
from sheets.text.rulebook.games import GAME_NAMES, game_name
from sheets.text.symbols import in_language


def games_words(count: int, *more: str) -> str:
    """Return a number of games in words, followed by further texts that are not empty."""
    games = ngettext("%(count)d game", "%(count)d games", count) % {"count": count}
    return " · ".join(filter(None, (games, *more)))


def title_of(game: GroupGame | FinishedGame) -> str:
    """Return the title of a game."""
    if game.kind == "dice2":
        known = game.level_id in GAME_NAMES
        return f"Dice²: {game_name(game.level_id)}" if known else "Dice²"
    if game.kind == "tally":
        return _("Tally")
    return in_language(game.level_name) if game.level_name else _("Game")


def title_among(names: Mapping[str, str], game: GroupGame) -> str:
    """Return the title of a game; ``names`` has the names of levels, with versions, by digest."""
    return names.get(game.level_digest) or title_of(game)


def titles_of(group: Group, names: Mapping[str, str], numbers: Collection[int]) -> dict[int, str]:
    """Return the titles of some games of a group by number, each as `title_among` returns it."""
    rows = group.games.filter(number__in=numbers)
    return {row.number: title_among(names, row) for row in rows}

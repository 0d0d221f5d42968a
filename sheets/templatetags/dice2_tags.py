"""Template tags for boards of Dice²."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.artwork.board import View, die_id
from sheets.artwork.board_svg import board_sprite, draw_board
from sheets.tables.dice2.examples import example_view
from sheets.tables.dice2.score_view import Played
from sheets.templatetags.art_tags import drawing
from sheets.texts.rulebook.games import game_name

register = template.Library()
register.filter("game_name", game_name)


GAMES_ON_SCREEN: Final = 20
"""Maximum number of a relay's games on the big screen, more than fit on it."""


@register.filter
def newest(games: Sequence[Played]) -> list[tuple[int, Played]]:
    """Return the last games of a relay, newest first, each with its number from 1."""
    return list(enumerate(games, start=1))[: -GAMES_ON_SCREEN - 1 : -1]


@register.simple_tag
def board_drawings() -> SafeString:
    """Return the sprite for `board`, once per page."""
    return mark_safe(board_sprite())  # noqa: S308  made of our own drawings only


@register.simple_tag
def board(view: View) -> SafeString:
    """Return a board with its dice."""
    return mark_safe(draw_board(view))  # noqa: S308  made of our own drawings and numbers only


@register.simple_tag
def board_classes(view: View) -> str:
    """Return the CSS classes that size a board's frame (dice2/board.css)."""
    return f"fields-{view.box.across}" + (" with-markers" if view.has_markers else "")


@register.simple_tag
def example_board(name: str) -> SafeString:
    """Return a small board in mid-game that illustrates a game."""
    return mark_safe(draw_board(example_view(name), is_small=True))  # noqa: S308


@register.simple_tag
def drawing_of(player: int, die: str) -> SafeString:
    """Return a player's die with a number."""
    return drawing(die_id(player, int(die)))

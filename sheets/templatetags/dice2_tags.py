"""Template tags for boards of Dice²."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django import template
from django.utils.safestring import SafeString, mark_safe

from sheets.art.board import DrawnBoard, die_id
from sheets.art.board_svg import board_sprite, draw_board
from sheets.tables.dice2.examples import example_view
from sheets.tables.dice2.score_view import FinishedGame
from sheets.templatetags.art_tags import drawing
from sheets.text.rulebook.games import game_name

register = template.Library()
register.filter("game_name", game_name)


GAMES_ON_SCREEN: Final = 20
"""Maximum number of a relay's games that the big screen lists; not all of them are visible."""


@register.filter
def newest(games: Sequence[FinishedGame]) -> list[tuple[int, FinishedGame]]:
    """Return a relay's last `GAMES_ON_SCREEN` games, newest first, with their numbers from 1."""
    return list(enumerate(games, start=1))[: -GAMES_ON_SCREEN - 1 : -1]


@register.simple_tag
def board_drawings() -> SafeString:
    """Return the SVG sprite that `board` needs; use it once per page."""
    return mark_safe(board_sprite())  # noqa: S308  made of our own drawings only


@register.simple_tag
def board(view: DrawnBoard) -> SafeString:
    """Return an SVG of a board with its dice."""
    return mark_safe(draw_board(view))  # noqa: S308  made of our own drawings and numbers only


@register.simple_tag
def board_classes(view: DrawnBoard) -> str:
    """Return the CSS classes that size a board's frame (dice2/board.css)."""
    return f"fields-{view.box.across}" + (" with-markers" if view.has_markers else "")


@register.simple_tag
def example_board(name: str) -> SafeString:
    """Return an SVG of a small board after some moves, as an example of the game ``name``."""
    return mark_safe(draw_board(example_view(name), is_small=True))  # noqa: S308


@register.simple_tag
def drawing_of(player: int, die: str) -> SafeString:
    """Return the drawing of a player's die; ``die`` is the number on it."""
    return drawing(die_id(player, int(die)))

"""Boards of Dice² in templates."""

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
"""So many games of a relay are on the big screen, where as many are seen as there is room for."""


@register.filter
def newest(games: Sequence[Played]) -> list[tuple[int, Played]]:
    """The last games of a relay, the newest first, each with its number from 1."""
    return list(enumerate(games, start=1))[: -GAMES_ON_SCREEN - 1 : -1]


@register.simple_tag
def board_drawings() -> SafeString:
    """The drawings that `board` refers to, once per page."""
    return mark_safe(board_sprite())  # noqa: S308  made of our own drawings only


@register.simple_tag
def board(view: View) -> SafeString:
    """A board with what lies on it."""
    return mark_safe(draw_board(view))  # noqa: S308  made of our own drawings and numbers only


@register.simple_tag
def board_classes(view: View) -> str:
    """The classes that give a board's frame its measures (dice2/board.css)."""
    return f"fields-{view.box.across}" + (" with-markers" if view.has_markers else "")


@register.simple_tag
def example_board(name: str) -> SafeString:
    """A small board in the middle of a game, to show what it is about."""
    return mark_safe(draw_board(example_view(name), is_small=True))  # noqa: S308


@register.simple_tag
def drawing_of(player: int, die: str) -> SafeString:
    """A player's die with a number."""
    return drawing(die_id(player, int(die)))

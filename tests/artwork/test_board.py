"""The board of Dice²: dice that differ without their colours, lines, markers and bounds."""

from __future__ import annotations

import re

import pytest

from sheets.artwork.board import GROUPS, die, marker, view_of
from sheets.artwork.board_svg import LINE_DASHES, board_sprite, draw_board
from sheets.artwork.drawings import board_drawings
from sheets.artwork.paint import flatten
from sheets.artwork.palette import DARK, LIGHT, PRINT, PRINT_BW, Palette, contrast
from sheets.artwork.shapes import bounds
from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game, new_game


def played(kind: str, players: int, *moves: str) -> Dice2Game:
    """A game after moves such as ``3e5``."""
    game = new_game(KINDS[kind], players)
    for move in moves:
        game = game.apply(Dice2Action("place", game.player, int(move[0]), move[1:]))
    return game


def test_dice_of_three_players_differ_in_shape_and_in_pips() -> None:
    for number in range(1, 7):
        dice = [die(player, number).shapes for player in range(3)]
        assert len({shapes[1].path for shapes in dice}) == 3
        assert len({shapes[2].path for shapes in dice}) == 3
        assert [len(flatten(shapes[2].path)) for shapes in dice] == [number] * 3
    assert len({marker(player).shapes[0].path for player in range(3)}) == 3


@pytest.mark.parametrize("id", sorted(board_drawings()))
def test_no_piece_pokes_over_its_field(id: str) -> None:
    left, top, right, bottom = bounds(board_drawings()[id].shapes)
    assert min(left, top) >= -0.05
    assert max(right, bottom) <= 100.05


@pytest.mark.parametrize(
    "palette", [LIGHT, DARK, PRINT, PRINT_BW], ids=["light", "dark", "print", "bw"]
)
def test_pips_and_the_parts_of_the_board_can_be_told_apart(palette: Palette) -> None:
    for group in GROUPS:
        assert contrast(palette.colour("on", group), palette.colour("solid", group)) >= 3
    inner, rim = palette.colour("board-inner"), palette.colour("board-rim")
    assert contrast(palette.colour("board-centre"), inner) >= 1.8
    assert contrast(inner, rim) >= 1.15
    assert contrast(palette.colour("board-line"), inner) >= 1.8


def test_drawing_refers_to_its_sprite_only() -> None:
    game = played("major", 3, "3e5", "3f5", "3d5", "3g5", "3c5")
    drawn = draw_board(view_of(game, "c5"))
    wanted = set(re.findall(r'href="#([^"]+)"', drawn))
    assert wanted <= set(re.findall(r'id="([^"]+)"', board_sprite()))
    assert "style=" not in drawn


def test_run_of_five_has_its_line_and_its_markers_at_both_ends() -> None:
    view = view_of(played("major", 2, "3e5", "3f5", "3d5", "3g5", "3c5"), "c5")
    assert view.lines == ((("c5", "d5", "e5", "f5", "g5"), (0,)),)
    assert view.markers == {(True, 4): (0, 0)}
    assert draw_board(view).count('href="#art-marker-0"') == 2


def test_tied_run_has_a_marker_of_each() -> None:
    # Ana e5 g5, Ben f5 c5, Cem d5: two of Ana's, two of Ben's, one of Cem's.
    game = played("major", 3, "3e5", "3f5", "3d5", "3g5", "3c5")
    assert view_of(game).markers == {(True, 4): (0, 1)}


def test_lines_lie_over_the_dice_and_tell_whose_they_are() -> None:
    # Ana e5 g5, Ben f5 c5, Cem d5: the row is Ana's and Ben's.
    drawn = draw_board(view_of(played("major", 3, "3e5", "3f5", "3d5", "3g5", "3c5")))
    frame = drawn[drawn.index('<g class="scored-line"') :]
    assert frame.startswith('<g class="scored-line" data-owners="0 1"')
    assert 'class="die"' not in frame  # all dice are drawn before it
    looks = re.findall(r'<g class="g-(\w+)"><path [^>]*?(?:stroke-dasharray="([^"]+)")? d=', frame)
    assert looks == [("blue", ""), ("yellow", LINE_DASHES[1])]
    assert len(set(LINE_DASHES)) == 3


def test_winning_line_is_the_winners() -> None:
    game = played("four-wins", 2, "3e5", "4e6", "3f5", "4f6", "3d5", "4d6", "3g5")
    assert view_of(game).lines == ((("d5", "e5", "f5", "g5"), (0,)),)


def test_bounds_emerge_as_dice_are_placed() -> None:
    game = played("square", 1, "3e5")
    limits = view_of(game).limits
    assert limits == (range(1, 8), range(1, 8))
    game = game.apply(Dice2Action("place", 0, 3, "f5"))
    assert view_of(game).limits == (range(1, 8), range(2, 8))


@pytest.mark.parametrize(
    ("kind", "players", "shown"),
    [("square", 1, 49), ("four-wins", 2, 81), ("last-man", 2, 49), ("major", 2, 49),
     ("major", 3, 81)],
)  # fmt: skip
def test_fields_that_can_be_used_are_shown(kind: str, players: int, shown: int) -> None:
    drawn = draw_board(view_of(new_game(KINDS[kind], players)))
    assert drawn.count("data-field=") == shown

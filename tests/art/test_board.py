"""Board of Dice²: dice, lines, markers, rings and names."""

from __future__ import annotations

import re
from itertools import product
from math import dist

import pytest

from sheets.art.board import (
    GROUPS,
    DrawnBoard,
    DrawnLine,
    board_view,
    die,
    die_body,
    field_place,
    marker,
    visible_box,
)
from sheets.art.board_svg import LINK_WIDTHS, board_sprite, draw_board
from sheets.art.drawings import board_drawings
from sheets.art.palette import DARK, LIGHT, PRINT, PRINT_BW, Palette, contrast
from sheets.art.shapes import bounds, flatten, number_text
from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game, new_game
from sheets.rules.dice2.board import INDEX


def played(kind: str, players: int, *moves: str) -> Dice2Game:
    """Return a game after moves such as ``3e5``."""
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
def test_no_piece_reaches_beyond_its_field(id: str) -> None:
    left, top, right, bottom = bounds(board_drawings()[id].shapes)
    assert min(left, top) >= -0.05
    assert max(right, bottom) <= 100.05


@pytest.mark.parametrize(
    "palette", [LIGHT, DARK, PRINT, PRINT_BW], ids=["light", "dark", "print", "bw"]
)
def test_pips_and_the_parts_of_the_board_differ_in_brightness(palette: Palette) -> None:
    for group in GROUPS:
        assert contrast(palette.colour("on", group), palette.colour("solid", group)) >= 3
    inner, rim = palette.colour("board-inner"), palette.colour("board-rim")
    assert contrast(palette.colour("board-centre"), inner) >= 1.8
    assert contrast(inner, rim) >= 1.15
    assert contrast(palette.colour("board-line"), inner) >= 1.8


def test_drawing_refers_to_its_sprite_only() -> None:
    game = played("major", 3, "3e5", "3f5", "3d5", "3g5", "3c5")
    drawn = draw_board(board_view(game, "c5"))
    wanted = set(re.findall(r'href="#([^"]+)"', drawn))
    assert wanted <= set(re.findall(r'id="([^"]+)"', board_sprite()))
    assert "style=" not in drawn


def test_run_of_five_has_its_line_and_its_markers_at_both_ends() -> None:
    view = board_view(played("major", 2, "3e5", "3f5", "3d5", "3g5", "3c5"), "c5")
    assert view.lines == ((("c5", "d5", "e5", "f5", "g5"), (0,)),)
    assert view.markers == {(True, 4): (0, 0)}
    assert draw_board(view).count('href="#art-marker-0"') == 2


def test_tied_run_has_a_marker_of_each() -> None:
    # Ana e5 g5, Ben f5 c5, Cem d5: two of Ana's, two of Ben's, one of Cem's.
    game = played("major", 3, "3e5", "3f5", "3d5", "3g5", "3c5")
    assert board_view(game).markers == {(True, 4): (0, 1)}


def test_line_is_linked_in_the_colours_of_its_players() -> None:
    # Ana e5 g5, Ben f5 c5, Cem d5: the row is Ana's and Ben's.
    drawn = draw_board(board_view(played("major", 3, "3e5", "3f5", "3d5", "3g5", "3c5")))
    links = drawn[drawn.index('<g class="g-') :]
    assert 'class="die"' not in links  # all dice are drawn before it
    assert re.findall(r'<g class="g-(\w+)">', links) == ["blue", "yellow"] * 2


@pytest.mark.parametrize("other", ["f5", "e6", "f6", "d6"])
def test_links_of_a_line_hide_no_pip(other: str) -> None:
    box, dice = visible_box(is_inner=False, has_markers=False), {"e5": (0, 3), other: (0, 3)}
    lines = (DrawnLine(("e5", other), (0,)),)
    drawn = draw_board(DrawnBoard(box, False, dice, lines=lines))
    (points,) = set(re.findall(r' d="M(\S+) (\S+)L([^\s"]+) ([^\s"]+)"', drawn))
    x1, y1, x2, y2 = map(float, points)
    steps = [(x1 + (x2 - x1) * part / 50, y1 + (y2 - y1) * part / 50) for part in range(51)]
    for name, player, number in product(("e5", other), range(3), range(1, 7)):
        left, top = field_place(INDEX[name])
        for contour, _is_closed in flatten(die(player, number).shapes[2].path):
            nearest = min(
                dist((x + left, y + top), step) for (x, y), step in product(contour, steps)
            )
            assert nearest >= LINK_WIDTHS[0] / 2, (player, number)


def test_frames_of_dice_have_their_shape_and_lie_under_them() -> None:
    # The row is Ana's, Ben's and Cem's dice; e4 is the last one, and in no line.
    game = played("major", 3, "3e5", "3f5", "3d5", "3g5", "3c5", "2e4")
    drawn = draw_board(board_view(game, "e4"))
    for name, player in (("d5", 2), ("e5", 0), ("f5", 1), ("e4", 2)):
        x, y = map(number_text, field_place(INDEX[name]))
        place = f'transform="translate({x} {y})"><path class="s-die-edge"'
        (frame,) = re.findall(f'<g class="(?:scored-line|last-ring)"[^>]*{re.escape(place)}.*?</g>',
                              drawn)  # fmt: skip
        assert frame.count(f'd="{die_body(player)}"') == 2
        assert drawn.index(frame) < drawn.index(f'data-die="{name}"')


def test_frames_lie_over_dice_of_no_line() -> None:
    game = played("four-wins", 2, "5e5", "6f5", "3f4", "5e6", "3d6", "1f3", "1g3")
    drawn = draw_board(board_view(game, "g3"))
    order = re.findall(r'class="scored-line"|class="last-ring"|data-die="(\w+)"', drawn)
    assert sorted(order[:3]) == ["e6", "f3", "f5"]
    assert order[-3:] == ["", "g3", ""]  # the ring of the last die, the die, and the links


def test_winning_line_is_the_winners() -> None:
    game = played("four-wins", 2, "3e5", "4e6", "3f5", "4f6", "3d5", "4d6", "3g5")
    assert board_view(game).lines == ((("d5", "e5", "f5", "g5"), (0,)),)


def test_limits_shrink_as_dice_are_placed() -> None:
    game = played("square", 1, "3e5")
    limits = board_view(game).limits
    assert limits == (range(1, 8), range(1, 8))
    game = game.apply(Dice2Action("place", 0, 3, "f5"))
    assert board_view(game).limits == (range(1, 8), range(2, 8))


@pytest.mark.parametrize(
    ("kind", "players", "shown"),
    [("square", 1, 49), ("four-wins", 2, 81), ("last-man", 2, 49), ("major", 2, 49),
     ("major", 3, 81)],
)  # fmt: skip
def test_fields_that_can_be_used_are_shown(kind: str, players: int, shown: int) -> None:
    drawn = draw_board(board_view(new_game(KINDS[kind], players)))
    assert drawn.count("data-field=") == shown


def test_no_marker_hides_the_name_of_its_row_or_column() -> None:
    view = board_view(played("major", 2, "3e5", "3f5", "3d5", "3g5", "3c5"), "c5")
    assert (True, 4) in view.markers
    drawn = draw_board(view)
    names = re.findall(r'<text class="board-name"[^>]*>(\w)</text>', drawn)
    assert sorted(names) == sorted("bcdefgh2345678")
    # Names are drawn last, over everything else.
    assert drawn.rindex("marker-") < drawn.index('class="board-name"')


def test_nothing_is_drawn_over_the_names() -> None:
    # At first the limits of Square Dice are those of the board, next to the names.
    drawn = draw_board(board_view(played("square", 1, "3e5"), "e5"))
    last = max(drawn.rindex(part) for part in ("board-limits", "data-die", "last-ring"))
    assert last < drawn.index('class="board-name"')


def test_each_players_last_die_has_a_ring_and_the_newest_the_widest() -> None:
    game = played("four-wins", 2, "3e5", "3f5", "3d5")
    drawn = draw_board(board_view(game, "d5", "f5"))
    rings = re.findall(r'data-ring="(\w+)".*?stroke-width="(\d+)"', drawn)
    assert [name for name, _width in rings] == ["f5", "d5"]
    assert int(rings[0][1]) < int(rings[1][1])

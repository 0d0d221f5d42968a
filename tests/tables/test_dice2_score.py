"""Page that scores a finished board of Dice², stored in its address only."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

FIVE = "board=" + "." * 36 + "..3333" + "3.." + "." * 36


def page(client: Client, query: str = "") -> str:
    answer = client.get(f"/dice2/score/?{query}")
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def code(text: str) -> str:
    (found,) = re.findall(r'id="board-code" value="([^"]*)"', text)
    return str(found)


def test_taps_place_and_remove_dice(client: Client) -> None:
    text = page(client, "game=square&players=1&die=3&at=e5")
    assert code(text)[40] == "3"
    assert "e5, 3" in text
    again = page(client, f"game=square&players=1&board={code(text)}&die=3&at=e5")
    assert code(again) == "." * 81
    other = page(client, f"game=square&players=1&board={code(text)}&die=5&at=e5")
    assert code(other)[40] == "5"
    gone = page(client, f"game=square&players=1&board={code(text)}&die=0&at=e5")
    assert code(gone) == "." * 81


def test_points_come_with_their_lines(client: Client) -> None:
    board = "." * 36 + "...3333.." + "." * 36
    text = page(client, f"game=square&players=1&board={board}")
    assert "d5–g5: four alike" in text
    assert 'data-lit="d5 e5 f5 g5"' in text
    assert "This cannot be right" not in text


def test_markers_come_with_their_owners(client: Client) -> None:
    board = "." * 36 + "..33cc3.." + "." * 36
    text = page(client, f"game=major&players=2&board={board}")
    assert "c5–g5: two markers for Blue" in text
    assert "Blue has the most markers so far." in text
    assert "wins" not in text.split("<main")[1].split("<footer")[0]


def test_two_leaders_are_both_named(client: Client) -> None:
    board = "." * 27 + "..33cc3.." + "..c3......"[:9] + "..cc3c3.." + "." * 27
    text = page(client, f"game=major&players=2&board={board}")
    assert "Blue and Yellow have the most markers so far." in text


def test_winner_is_named_when_no_player_can_move(client: Client) -> None:
    won = "." * 27 + "..33333.." * 3 + "." * 27
    text = page(client, f"game=major&players=2&board={won}")
    assert "Blue wins with 6 markers." in text


def test_separate_dice_cause_a_warning(client: Client) -> None:
    board = "." * 36 + "..33.33.." + ".....3..." + "." * 27
    text = page(client, f"game=square&players=1&board={board}")
    assert "The dice on c5 and d5 share no edge with the other dice." in text
    assert 'data-lit="c5 d5"' in text


def test_too_many_markers_cause_a_warning(client: Client) -> None:
    board = "." * 18 + "..33333.." * 5 + "." * 18
    text = page(client, f"game=major&players=2&board={board}")
    assert "Blue has 20 markers, but the game ends once somebody has six." in text


def test_broken_order_causes_a_warning_and_is_scored(client: Client) -> None:
    board = "." * 36 + "....52..." + "." * 36
    text = page(client, f"game=square&players=1&board={board}")
    assert "f5: the 2 is less than the 5 on e5" in text


def test_nonsense_in_the_address_is_ignored(client: Client) -> None:
    for query in ("players=9", "die=99&at=e5", "at=z99", "owner=5", "game=square&players=3"):
        page(client, query)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("game=chess", "Only boards of Square Dice and Major Dice"),
        ("board=xyz", "cannot be read"),
        ("board=" + "?" * 81, "cannot be read"),
    ],
)
def test_an_address_without_a_board_is_reported(client: Client, query: str, sentence: str) -> None:
    answer = client.get(f"/dice2/score/?{query}")
    assert answer.status_code == 400
    assert sentence in answer.content.decode()


def test_conflicting_dice_are_highlighted_together(client: Client) -> None:
    board = "." * 36 + "....52..." + "." * 36
    assert 'data-lit="f5 e5"' in page(client, f"game=square&players=1&board={board}")


def test_board_without_markers_has_no_winner(client: Client) -> None:
    board = "." * 36 + "....3...." + "." * 36
    assert (
        "win"
        not in page(client, f"game=major&players=2&board={board}")
        .split("<main")[1]
        .split("<footer")[0]
    )


def test_links_to_other_games_keep_the_board(client: Client) -> None:
    board = "c3x" + "." * 33 + "..33cx3.." + "." * 36
    text = page(client, f"game=major&players=3&board={board}")
    assert f"?game=major&players=2&board={board}" in text
    assert "left out" not in text
    text = page(client, f"game=major&players=2&board={board}")
    assert code(text) == "." * 36 + "..33c.3.." + "." * 36
    assert "4 dice are left out: this game has no such colour or field." in text
    text = page(client, f"game=square&players=1&board={code(text)}")
    assert "One die is left out" in text


def test_warning_about_separate_dice_spares_the_group_on_the_dark_field(client: Client) -> None:
    board = "." * 27 + "..33....." + "....33..." + "." * 36
    text = page(client, f"game=square&players=1&board={board}")
    assert "The dice on c4 and d4 share no edge with the other dice." in text


def test_dice_at_the_edges_of_too_many_rows_are_highlighted(client: Client) -> None:
    board = "." * 27 + "....3...." * 5 + "." * 9
    text = page(client, f"game=square&players=1&board={board}")
    assert 'data-lit="e4 e8"' in text


def test_two_cannot_both_have_six_markers(client: Client) -> None:
    rows = ["..33333.."] * 3 + ["..ccccc.."] * 3
    text = page(client, f"game=major&players=2&board={'.' * 9 + ''.join(rows) + '.' * 18}")
    assert "Blue and Yellow have six markers or more, but the game ends once" in text
    assert "Blue has" not in text


def test_page_is_translated_to_german(client: Client) -> None:
    client.cookies["django_language"] = "de"
    page(client, "game=major&players=3")

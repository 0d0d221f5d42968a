"""Counting page of tallies: scores of a pad with an unknown layout."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from sheets.scoring.tally import Pad, add_up, count_rows
from tests.form_errors import parse_form_errors
from tests.page_text import unmarked

PAD = {
    "players": "2",
    "gem_red": "3",
    "gem_white": "1",
    "puzzle_green": "10",
    "arrows": "8, 12",
    "areas": "6",
    "flags": "10-6-3-1",
    "bomb": "-2",
    "heap": "-3",
}
"""Input of a tally for two players without counts."""


def send(client: Client, **more: str) -> HttpResponse:
    return client.post("/tally/", PAD | {name.replace("_", "-", 1): v for name, v in more.items()})


def amounts(response: HttpResponse) -> dict[str, list[str]]:
    return {
        row.name: [str(amount).replace("-", "−") for amount in row.amounts]
        for row in response.context["rows"]
    }


def totals(response: HttpResponse) -> list[str]:
    return [player["total"] for player in response.context["players"]]


def test_page_begins_with_an_empty_tally(client: Client) -> None:
    response = client.get("/tally/")
    assert response.status_code == 200
    assert totals(response) == ["0", "0"]


def open_players(response: HttpResponse) -> list[int]:
    """Return the numbers of the players whose parts are unfolded."""
    page = response.content.decode()
    return [int(n) for n in re.findall(r'id="player-(\d)" open>', page)]


def test_only_the_first_player_without_counts_is_unfolded(client: Client) -> None:
    assert open_players(client.get("/tally/")) == [1]
    assert open_players(send(client, players="4")) == [1]
    assert open_players(send(client, players="4", p0_gem_red="2", p1_heaps="1")) == [3]
    assert open_players(send(client, p0_gem_red="2", p1_heaps="1")) == []
    assert open_players(send(client, players="4", p0_gem_red="2", p3_heaps="x")) == [2, 4]


def test_every_category_is_added_up(client: Client) -> None:
    response = send(
        client,
        p0_name="Ana",
        p0_gem_red="4",
        p0_gem_white="2",
        p0_puzzle_green="on",
        p0_lines_1="on",
        p0_areas_0="on",
        p0_flags_0="on",
        p0_heaps="2",
        p0_bombs="1",
    )
    assert amounts(response) == {
        "Gems": ["14", "0"],
        "Puzzles": ["10", "0"],
        "Arrows": ["12", "0"],
        "Areas": ["6", "0"],
        "Flags": ["10", "0"],
        "Heaps": ["−6", "0"],
        "Bombs": ["−2", "0"],
    }
    assert totals(response) == ["44", "0"]
    assert '<bdi translate="no">Player 2</bdi> is still to come' in response.content.decode()


def test_there_is_no_winner_before_each_player_is_counted(client: Client) -> None:
    page = send(client).content.decode()
    assert "Nothing counted yet." in page
    page = send(client, p0_name="Ana", p0_gem_red="1").content.decode()
    assert "is still to come" in page
    assert "wins" not in page
    assert 'class="winner"' not in page
    page = unmarked(send(client, p0_name="Ana", p0_gem_red="1", p1_nothing="on"))
    assert "Ana wins." in page
    page = unmarked(send(client, p0_name="Ana", p0_gem_red="1", p1_gem_red="2"))
    assert "Player 2 wins." in page
    alone = send(client, players="1").content.decode()
    assert "of 7" not in alone


def test_rail_sheet_counts_tracks_and_stops(client: Client) -> None:
    response = send(
        client,
        rails="on",
        stop="4",
        p1_open_tracks="5",
        p1_loop_tracks="4",
        p1_longest_tracks="6",
        p1_stops="2",
    )
    assert amounts(response)["Tracks"] == ["0", "31"]
    assert amounts(response)["Stops"] == ["0", "8"]


def test_tie_is_settled_by_fewer_crosses(client: Client) -> None:
    same = {"p0_gem_red": "1", "p1_gem_red": "1", "p0_name": "Ana", "p1_name": "Ben"}
    response = send(client, **same, p0_crosses="40", p1_crosses="38")
    sentence = '<bdi translate="no">Ben</bdi> wins the tie with fewer crosses.'
    assert sentence in response.content.decode()
    response = send(client, **same, p0_crosses="40", p1_crosses="40")
    assert "Ana and Ben share the win" in unmarked(response)


def test_alone_a_crossed_bomb_pays_and_the_total_has_a_grade(client: Client) -> None:
    alone = {"players": "1", "p0_gem_red": "15", "p0_bombs": "3"}
    response = send(client, **alone, alone="yes")
    assert totals(response) == ["51"]
    assert "grade 3 of 7" in response.content.decode()
    response = send(client, **alone, alone="no")
    assert totals(response) == ["39"]
    assert "of 7" not in response.content.decode()


def test_input_stays_on_the_page(client: Client) -> None:
    response = send(client, p1_name="Ben", p1_gem_red="7", p1_lines_0="on")
    page = response.content.decode()
    assert 'name="p1-gem_red" value="7"' in page
    assert response.context["players"][1]["form"]["lines_0"].value()


def test_names_are_shown_as_text(client: Client) -> None:
    page = send(client, p0_name="<b>Ana</b>").content.decode()
    assert "<b>Ana" not in page
    assert "&lt;b&gt;Ana" in page


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("players", "7"),
        ("players", "many"),
        ("gem_red", "100"),
        ("gem_red", "-1"),
        ("bomb", "2"),
        ("heap", "-100"),
        ("arrows", "8 eight"),
        ("arrows", " ".join("1" * 17)),
        ("flags", "100"),
        ("areas", "1" * 121),
        ("p0-gem_red", "100"),
        ("p0-gem_red", "-1"),
        ("p0-gem_red", "x"),
        ("p1-crosses", "677"),
        ("p0-name", "n" * 41),
    ],
)
def test_invalid_input_is_refused_with_a_sentence(client: Client, name: str, value: str) -> None:
    response = client.post("/tally/", PAD | {name: value})
    assert response.status_code == 422
    assert parse_form_errors(response.content.decode()).keys() == {name}
    part = client.post("/tally/", PAD | {name: value}, headers={"hx-request": "true"})
    assert "The places are marked." in part.content.decode()


def test_fragment_is_the_form_alone(client: Client) -> None:
    response = client.post("/tally/", PAD, headers={"hx-request": "true"})
    page = response.content.decode()
    assert "<form" in page
    assert "<html" not in page


def test_tally_needs_a_csrf_token_and_refuses_put() -> None:
    assert Client(enforce_csrf_checks=True).post("/tally/", PAD).status_code == 403
    assert Client().put("/tally/").status_code == 405


def test_an_empty_pad_has_no_rows() -> None:
    pad = Pad({}, (), (), (), {"stop": 4}, False)
    assert count_rows(pad, solo=False) == []
    assert add_up(pad, [{}, {}]).outcome.winners == (0, 1)

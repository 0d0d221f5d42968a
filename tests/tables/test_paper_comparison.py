"""Tests of a paper sheet compared with the one at the table, and of the acts taken over from it."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from sheets.models import Entry
from sheets.rules import Game
from sheets.scoring.marks import field_values
from sheets.tables import acts
from sheets.tables.paper_comparison import (
    BOMB,
    EXTRA,
    MISSING,
    NUMBER,
    OTHER,
    acts_of_paper,
    compare,
)
from tests.dice2_tables import sit_down_for
from tests.photos.photo_forms import fields, send
from tests.table_games import (
    RAILS,
    SPACE,
    TINY,
    VOLCANO,
    Party,
    random_choice,
    random_move,
    shortest_way,
    sit_down,
)
from tests.tables.table_clients import client_of
from tests.vision.shots import take
from tests.web.html_checker import faults

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("photos_read_once")]


def crossed(*at: str) -> dict[str, str]:
    """Return the marks of a sheet with these crosses."""
    return dict.fromkeys(at, "cross")


def difference(game: Game, marks: dict[str, str], player: int = 0) -> list[tuple[str, str]]:
    return [(one.kind, one.at) for one in compare(game, player, marks).differences]


def played(party: Party, marks: dict[str, str], player: int = 0) -> list[str]:
    """Return the fields that could be taken over now."""
    return [act.at for act in acts_of_paper(party.loaded.state, player, marks)[0]]


def dice(party: Party, player: int = 0) -> list[str]:
    sheet = party.game.sheets[player]
    return sheet.level.names(sheet.dice)


def form_of(party: Party, marks: dict[str, str], level: str = "tiny") -> dict[str, str]:
    """Return what a page sends to compare a sheet."""
    return {"sheet": "1", "level-1": level, "marks-1": json.dumps(marks)}


def photos(party: Party) -> str:
    return f"/table/{party.code}/photos/"


def compared(party: Party, marks: dict[str, str], **more: str) -> HttpResponse:
    """Return the page that compares a sheet of the first player."""
    return client_of(party).post(f"{photos(party)}compare/", form_of(party, marks) | more)


# What differs ------------------------------------------------------------------------------------


def test_a_die_at_the_table_and_a_cross_on_paper_are_no_difference() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    for marks in (crossed("b1"), {}):
        assert not compare(party.game, 0, marks).differences
    assert compare(party.game, 0, {}).dice == ("b1",)
    party.end_pass()
    assert not compare(party.game, 0, crossed("b1")).differences
    assert difference(party.game, {}) == [(EXTRA, "b1")]
    assert difference(party.game, crossed("b1", "c1")) == [(MISSING, "c1")]


def test_numbers_are_compared_only_after_the_pass_that_decides_on_them() -> None:
    party = sit_down(level=TINY)
    for at in ("b1", "c1", "d1"):
        party.act("place", 0, at)
    marks = crossed("b1", "c1", "d1")
    assert not compare(party.game, 0, marks).differences
    assert not compare(party.game, 0, marks | {"flag red": "10"}).differences
    party.end_pass()
    assert not compare(party.game, 0, marks | {"flag red": "10"}).differences
    assert difference(party.game, marks) == [(NUMBER, "flag red")]
    assert difference(party.game, marks | {"flag red": "6"}) == [(NUMBER, "flag red")]
    # The bomb on c1 has exploded for Ben, who has not drawn it yet.
    assert difference(party.game, {}, player=1) == [(BOMB, "c1")]


def test_a_used_up_track_circles_nothing() -> None:
    party = sit_down(("Ana", "Ben"), TINY | {"points": {"flag": {"red": [10]}, "bomb": -2}})
    for at in ("b1", "c1", "d1"):
        party.act("place", 0, at)
    party.end_pass()
    way = shortest_way(party.game, 1, party.game.level.mask(["e2"]))
    for at in way:
        party.act("place", 1, at)
    party.end_pass()
    assert party.game.sheets[1].flags == {"red": 0}
    here = crossed(*way) | {"c1": "exploded"}
    assert not compare(party.game, 1, here).differences


def test_tracks_are_compared_once_they_are_chosen() -> None:
    party = sit_down(("Ana",), RAILS)
    party.act("place", 0, "b1")
    assert not compare(party.game, 0, {"b1": "EW"}).differences
    party.done(0)
    assert difference(party.game, {"b1": "EW"}) == [(MISSING, "b1")]
    assert played(party, {"b1": "EW"}) == ["b1"]
    party.act("track", 0, "b1", shape="SW")
    assert difference(party.game, {"b1": "EW"}) == [(OTHER, "b1")]
    assert not compare(party.game, 0, {"b1": "SW"}).differences


# What can be played ------------------------------------------------------------------------------


def test_fields_are_taken_over_in_an_order_that_works() -> None:
    party = sit_down(level=TINY)
    assert played(party, crossed("d1", "c1", "b1")) == ["b1", "c1", "d1"]
    # b2 touches b1; e3 touches no cross.
    assert set(played(party, crossed("e3", "b2", "b1"))) == {"b1", "b2"}


def test_groups_that_box_in_come_first() -> None:
    # From b1 alone one may jump: all around it is crossed or a hole.
    grid = ["1x 2  .  3  4x 5 ", ".  .  .  .  6  1 "]
    party = sit_down(level={**TINY, "grid": grid, "points": {}})
    marks = crossed("d1", "f1", "b1")
    order = played(party, marks)
    assert set(order) == {"b1", "d1", "f1"}
    assert order[-1] == "f1"  # next to which other fields are free


def test_owed_choices_are_taken_over() -> None:
    party = sit_down(("Ana", "Ben"), SPACE)
    party.act("place", 0, "b1")
    party.end_pass()
    assert party.game.phase == "marking"
    assert played(party, crossed("b1", "e2")) == ["e2"]

    party = sit_down(("Ana", "Ben"), VOLCANO)
    while party.game.phase == "erupt":
        party.act("erupt", by=0, die=2)
    owed = next(iter(party.game.pending()))
    at = owed.at[0]
    assert played(party, {at: "lava"}, owed.player) == [at]
    # A cross there is none of it.
    assert not played(party, crossed(at), owed.player)


def test_with_turns_one_die_is_placed_in_the_players_turn() -> None:
    party = sit_down(level=TINY, dice="typed")
    count = party.game.dice_to_roll
    party.act("roll", by=0, dice=(2,) * count)
    assert played(party, crossed("a2", "b1", "c1")) == ["b1"]
    assert played(party, crossed("a2", "b1", "c1"), 1) == []
    refused = acts_of_paper(party.loaded.state, 1, crossed("b1"))[1]
    assert refused["b1"] is not None
    assert refused["b1"].rule == "not-your-turn"


# At the table ------------------------------------------------------------------------------------


def hidden(page: HttpResponse) -> dict[str, str]:
    """Return the hidden fields of the form that takes differences over."""
    found = fields(page)
    return {name: value[0] if isinstance(value, list) else value for name, value in found.items()}


def test_differences_are_taken_over_as_moves_of_the_player() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    page = compared(party, crossed("b1", "c1", "b2", "e3"))
    text = page.content.decode()
    assert "touches none of your dice" in text  # e3
    before = Entry.objects.count()
    answer = client_of(party).post(f"{photos(party)}take/", hidden(page))
    assert answer.status_code == 200, answer.content.decode()
    assert "Entered: c1, 3, bomb · b2, 6, red key." in answer.content.decode()
    assert set(dice(party)) == {"b1", "c1", "b2"}
    new = Entry.objects.order_by("number")[before:]
    assert [(entry.seat, entry.action["do"]) for entry in new] == [(0, "place"), (0, "place")]
    acts.undo(party.access(), 0)
    assert len(dice(party)) == 2


def test_a_double_tap_counts_once() -> None:
    party = sit_down(level=TINY)
    form = hidden(compared(party, crossed("b1", "c1")))
    for _ in range(2):
        client_of(party).post(f"{photos(party)}take/", form)
    assert dice(party) == ["b1", "c1"]
    acts.undo(party.access(), 0)
    client_of(party).post(f"{photos(party)}take/", form)
    assert dice(party) == ["b1"]


def test_a_comparison_from_an_earlier_pass_is_repeated() -> None:
    party = sit_down(level=TINY)
    form = hidden(compared(party, crossed("b1")))
    party.end_pass()
    answer = client_of(party).post(f"{photos(party)}take/", form)
    assert answer.status_code == 409
    assert "The game has moved on" in answer.content.decode()
    assert dice(party) == []
    client_of(party).post(f"{photos(party)}take/", hidden(answer))
    assert dice(party) == ["b1"]


def test_only_the_own_sheet_can_be_compared() -> None:
    party = sit_down(level=TINY)
    marks = form_of(party, crossed("b1"))
    refused = Client().get(photos(party))
    assert refused.status_code == 403
    text = refused.content.decode()
    assert "use the device that has the seat" in text
    assert f'<a class="button primary" href="/table/{party.code}/">Back</a>' in text
    for act in ("", "compare/", "take/", "read/", "sum/"):
        address = f"{photos(party)}{act}?seat=1"
        client = client_of(party, 0)
        answer = client.post(address, marks) if act else client.get(address)
        assert answer.status_code == 403
    assert dice(party, 1) == []


@pytest.mark.parametrize("dice_are", ["table", "typed"])
def test_the_page_of_play_links_to_the_comparison(dice_are: str) -> None:
    party = sit_down(level=TINY, dice=dice_are)
    page = client_of(party, 1).get(f"/table/{party.code}/").content.decode()
    (address,) = re.findall(r'href="(/table/[^"]+/photos/[^"]*)"', page)
    assert address == f"{photos(party)}?seat=1"
    assert client_of(party, 1).get(address).status_code == 200


def test_tables_without_paper_offer_no_photo() -> None:
    for party in (sit_down(level=TINY, dice="rolled"), sit_down_for("square")):
        expect_no_photos(party)


def expect_no_photos(party: Party) -> None:
    page = client_of(party).get(f"/table/{party.code}/").content.decode()
    assert photos(party) not in page
    answer = client_of(party).get(photos(party))
    assert answer.headers["Location"] == f"/table/{party.code}/"


def test_a_photo_is_compared_and_taken_over_without_script() -> None:
    party = sit_down(level="level-3")
    way = shortest_way(party.game, 0, party.game.level.by_symbol["flag"])
    for at in way[:2]:
        party.act("place", 0, at)
    photo = take("level-3", seed=11, crosses=tuple(way))
    client = client_of(party)
    review = send(client, photo.jpeg, to=photos(party))
    assert review.status_code == 200
    page = client.post(f"{photos(party)}compare/", fields(review))
    assert "On your paper, but not here" in page.content.decode()
    client.post(f"{photos(party)}take/", hidden(page))
    assert set(dice(party)) == set(way)


def test_comparison_pages_are_well_formed() -> None:
    party = sit_down(level=TINY)
    party.act("place", 0, "b1")
    party.act("place", 0, "b2")
    party.end_pass()
    party.act("place", 0, "c1")
    page = compared(party, crossed("b1", "c2", "e3") | {"flag red": "10"})
    text = page.content.decode()
    assert "Here, but not on your paper" in text
    assert "Red flag: on your paper 10, here none circled." in text
    assert "Dice lie here on c1" in text
    assert not list(faults(text))
    taken = client_of(party).post(f"{photos(party)}take/", hidden(page))
    assert not list(faults(taken.content.decode()))


@pytest.mark.parametrize("level", [TINY, SPACE, VOLCANO, RAILS], ids=lambda level: level["id"])
def test_each_heading_is_followed_by_its_content(level: dict[str, Any]) -> None:
    chance, party = Random(7), sit_down(level=level)
    fields_of = {
        field.name: ("", *field_values(party.game.level, field.name))
        for field in party.game.level.fields
    }
    for _ in range(12):
        move = random_move(party.game, chance, random_choice(chance))
        party.act(
            move.do,
            move.player,
            move.at,
            by=0 if move.die else None,
            die=move.die,
            shape=move.shape,
        )
        if party.game.is_finished:
            break
        some = {at: chance.choice(of) for at, of in fields_of.items() if chance.random() < 0.4}
        marks = {at: mark for at, mark in some.items() if mark}
        page = compared(party, marks, **{"level-1": level["id"]})
        expect_no_bare_heading(page)
        taken = hidden(page)
        if "moment" in taken:
            expect_no_bare_heading(client_of(party).post(f"{photos(party)}take/", taken))


def expect_no_bare_heading(page: HttpResponse) -> None:
    assert page.status_code == 200
    section = page.content.decode().partition('<section class="card compared"')[2]
    head, *parts = section.partition("</section>")[0].split("<h3")
    assert ("This is different" in head) == bool(parts)
    assert all("<li>" in part for part in parts), parts


@pytest.mark.parametrize("act", ["read", "sum", "compare", "take"])
def test_a_get_on_a_form_address_redirects_to_the_page(act: str) -> None:
    party = sit_down(level=TINY)
    answer = client_of(party).get(f"{photos(party)}{act}/")
    assert answer.headers["Location"] == photos(party)


@pytest.mark.parametrize(
    "change",
    [
        {"sheet": "one"},
        {"marks-1": "["},
        {"marks-1": '{"z9": "cross"}'},
        {"level-1": "level-99"},
        {"moment": ""},
        {"moment": "x" * 41},
        {"request": "\0"},
    ],
)
def test_malformed_comparisons_change_nothing(change: dict[str, str]) -> None:
    party = sit_down(level=TINY)
    form = form_of(party, crossed("b1")) | {"moment": party.loaded.state.moment, "request": "r-1"}
    answer = client_of(party).post(f"{photos(party)}take/", form | change)
    assert answer.status_code == 400
    assert dice(party) == []


def test_two_sheets_are_not_compared_at_once() -> None:
    party = sit_down(level=TINY)
    form = {"sheet": ["1", "2"]}
    form |= {f"level-{i}": "tiny" for i in (1, 2)} | {f"marks-{i}": "{}" for i in (1, 2)}
    answer = client_of(party).post(f"{photos(party)}compare/", form)
    assert answer.status_code == 409
    assert "Leave the others out" in answer.content.decode()

"""Tests of the order of the seats: who starts, and seats that move up or down in the lobby."""

from __future__ import annotations

import pytest
from django.test import Client

from sheets.tables import acts, seating
from sheets.tables.access import NotYours, Refused, find_access
from sheets.tables.event_loader import load
from sheets.tables.log_page import log_lines
from tests.dice2_tables import sit_down_for
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db


def in_lobby() -> Party:
    return sit_down(("Ana", "Ben", "Cem"), TINY, "typed", start=False)


def names(party: Party) -> list[str]:
    return [seat.name for seat in party.access().all_seats]


def seats_of(party: Party, player: int) -> set[int]:
    """Return the current seats of the device that first had seat ``player``."""
    return set(find_access(party.code, party.tokens[player]).seats)


def begin(client: Client, party: Party, **sent: object) -> None:
    assert client.post(f"/table/{party.code}/start/", sent).status_code == 302


def test_the_chosen_player_starts_and_the_others_follow_clockwise() -> None:
    party = in_lobby()
    page = client_of(party, 0).get(f"/table/{party.code}/").content.decode()
    assert "Who starts? The youngest?" in page
    begin(client_of(party, 0), party, starter=1)
    assert names(party) == ["Ben", "Cem", "Ana"]
    assert [seats_of(party, player) for player in range(3)] == [{2}, {0}, {1}]
    # Ana is still the host, and Ben starts.
    assert party.access().host_name == "Ana"
    assert client_of(party, 0).get(f"/table/{party.code}/").context["access"].is_host
    assert (
        "You start this pass" in client_of(party, 1).get(f"/table/{party.code}/").content.decode()
    )


def test_beginning_twice_turns_the_seats_once() -> None:
    party = in_lobby()
    for _ in range(2):
        begin(client_of(party, 0), party, starter=1)
    assert names(party) == ["Ben", "Cem", "Ana"]


def test_the_host_moves_a_seat_up_and_down() -> None:
    party = in_lobby()
    ana = client_of(party, 0)
    answer = ana.post(f"/table/{party.code}/order/2/", {"step": -1})
    assert answer.headers["Location"] == f"/table/{party.code}/#seat-1"
    assert names(party) == ["Ana", "Cem", "Ben"]
    ana.post(f"/table/{party.code}/order/0/", {"step": 1})
    assert names(party) == ["Cem", "Ana", "Ben"]
    assert [seats_of(party, player) for player in range(3)] == [{1}, {2}, {0}]
    assert party.access().host_name == "Ana"


def test_a_name_and_a_link_belong_to_the_seat_that_was_moved_meanwhile() -> None:
    party = in_lobby()
    ben = party.access(1)
    seating.move_in_order(party.access(0), 1, 1)
    seating.rename(ben, 1, "Benni")
    assert names(party) == ["Ana", "Cem", "Benni"]
    link = seating.new_rescue_key(ben, 1)
    assert seating.seat_of_link(party.access(), link).name == "Benni"
    seating.free_seat(party.access(0), 2)
    with pytest.raises(NotYours):
        seating.rename(ben, 1, "Ben")


def test_a_seat_that_got_free_meanwhile_and_a_former_host_begin_no_game() -> None:
    party = in_lobby()
    host = party.access(0)
    seating.free_seat(party.access(1), 1)
    with pytest.raises(Refused, match="seat-free"):
        acts.start(host)
    acts.hand_over_host(party.access(0), 2)
    with pytest.raises(NotYours):
        acts.start(host)
    assert not party.access().table.has_started


@pytest.mark.parametrize(("number", "step"), [(0, -1), (2, 1), (7, 1), (0, 2)])
def test_a_move_to_a_missing_seat_is_malformed(number: int, step: int) -> None:
    party = in_lobby()
    url = f"/table/{party.code}/order/{number}/"
    assert client_of(party, 0).post(url, {"step": step}).status_code == 400
    assert names(party) == ["Ana", "Ben", "Cem"]


def test_only_the_host_moves_seats_and_only_before_the_game() -> None:
    party = in_lobby()
    sent, url = {"step": 1}, f"/table/{party.code}/order/0/"
    ben = client_of(party, 1)
    assert ben.post(url, sent).status_code == 403
    assert "Move seat 1 down" not in ben.get(f"/table/{party.code}/").content.decode()
    begin(client_of(party, 0), party)
    answer = client_of(party, 0).post(url, sent)
    assert answer.status_code == 409
    assert "The game has begun: the seats keep their order." in answer.content.decode()
    assert names(party) == ["Ana", "Ben", "Cem"]


def test_the_log_of_the_lobby_follows_the_seats() -> None:
    party = in_lobby()
    acts.hand_over_host(party.access(), 1)
    seating.move_in_order(party.access(1), 1, -1)
    assert names(party) == ["Ben", "Ana", "Cem"]
    access = find_access(party.code, party.tokens[0])
    assert [line.sentence for line in log_lines(access)] == ["Ana makes Ben the host"]
    # Ana has been the host before, so she may take the role back.
    assert load(access).state.former_hosts == access.seats == {1}
    acts.become_host(access, 1, request="")
    assert party.access().host_name == "Ana"


def test_the_proposed_starter_of_a_rematch_moves_with_the_seats() -> None:
    party = finished_party()
    seating.free_seat(party.access(1), 1)
    code = seating.open_rematch(party.access())
    lobby = find_access(code, party.tokens[0])
    assert not lobby.table.has_started
    assert lobby.all_seats[lobby.table.starter].name == "Ben"
    seating.move_in_order(lobby, 0, 1)
    lobby = find_access(code, party.tokens[0])
    assert lobby.all_seats[lobby.table.starter].name == "Ben"


def test_the_choice_who_starts_moves_with_the_seats() -> None:
    party = in_lobby()
    ana = client_of(party, 0)
    ana.post(f"/table/{party.code}/order/2/", {"step": -1, "starter": 2})
    table = party.access().table
    assert party.access().all_seats[table.starter].name == "Cem"
    assert client_of(party, 0).get(f"/table/{party.code}/").content.decode().count(" checked") == 1
    assert ana.post(f"/table/{party.code}/order/0/", {"step": 1, "starter": 5}).status_code == 400


def test_in_dice2_the_seats_stay_and_the_chosen_one_starts() -> None:
    party = sit_down_for("four-wins", ("Ana", "Ben"), start=False)
    begin(client_of(party, 0), party, starter=1)
    assert names(party) == ["Ana", "Ben"]
    assert party.access().table.starter == 1


def test_a_rematch_asks_who_starts_and_proposes_the_next_player() -> None:
    party = finished_party()
    ana = client_of(party, 0)
    page = ana.get(f"/table/{party.code}/").content.decode()
    assert "Who starts?" in page
    assert "youngest" not in page
    code = ana.post(f"/table/{party.code}/again/", {"starter": 0}).headers["Location"].split("/")[2]
    assert [seat.name for seat in find_access(code).all_seats] == ["Ana", "Ben"]


def test_a_game_that_has_begun_refuses_an_order_sent_at_the_same_time() -> None:
    party = in_lobby()
    before = party.access()
    acts.start(before)
    with pytest.raises(Refused, match="order-fixed"):
        seating.move_in_order(before, 0, 1)

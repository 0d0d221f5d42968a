"""Tests of a lost seat: a visitor says who they are, and a player confirms it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from sheets.access import devices
from sheets.access.keys import new_token
from sheets.http import rate_limits
from sheets.models import Seat
from sheets.tables import claims, seating
from sheets.tables.access import NotYours, Refused, TableAccess, find_access
from sheets.tables.log_page import log_lines
from tests.dice2_tables import sit_down_for
from tests.page_text import unmarked
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db

LOST = new_token()
"""The secret of a new browser of Ben's, who sits on seat 1."""


def in_turn() -> Party:
    return sit_down(("Ana", "Ben", "Cem"), TINY, "typed")


def in_lobby() -> Party:
    return sit_down(("Ana", "Ben"), TINY, start=False)


def in_dice2() -> Party:
    return sit_down_for("four-wins")


EVERYWHERE = pytest.mark.parametrize(
    "sat_down", [in_turn, in_lobby, in_dice2, finished_party], ids=lambda one: one.__name__
)


def visitor(party: Party) -> TableAccess:
    return find_access(party.code, LOST)


def stamp(party: Party, number: int = 1) -> str:
    seat = Seat.objects.get(table__code=party.code, number=number)
    assert seat.claimed
    return str(round(seat.claimed.timestamp() * 1e6))


def wait(span: timedelta) -> None:
    for seat in Seat.objects.exclude(claimed=None):
        assert seat.claimed
        Seat.objects.filter(pk=seat.pk).update(claimed=seat.claimed - span)


def test_a_device_inherits_the_claim_of_the_device_it_replaces() -> None:
    party, phone = in_turn(), new_token()
    claims.claim(visitor(party), 1, LOST)
    assert devices.take_over(devices.new_hand_over(phone), LOST) == phone
    claims.confirm(party.access(0), 1, stamp(party))
    assert find_access(party.code, phone).seats == {1}


def words(client: Client, path: str) -> str:
    return " ".join(unmarked(client.get(path)).split())


@EVERYWHERE
def test_any_player_confirms_with_one_tap(sat_down: Callable[[], Party]) -> None:
    party = sat_down()
    path = f"/table/{party.code}/"
    new, ana = Client(), client_of(party, 0)
    assert "I am Ben" in words(new, path)
    assert "I am Ben" not in words(ana, path)
    assert new.post(f"{path}claim/", {"number": 1}).status_code == 302
    asked = words(new, path)
    assert "The other players are asked." in asked
    assert ">I am Ben<" not in asked.replace("> ", ">").replace(" <", "<")
    assert party.access(1).seats == {1}
    question = words(ana, path)
    assert "Another phone asks: “I am Ben" in question
    sent = {"number": 1, "stamp": stamp(party), "answer": "yes"}
    assert ana.post(f"{path}claim/answer/", sent).status_code == 302
    assert party.access(1).seats == frozenset()
    assert "You are watching." not in words(new, path)
    assert "I am Ben" not in words(new, path)
    assert "Another phone asks" not in words(ana, path)
    # The other phone can ask in its turn.
    assert "I am Ben" in words(client_of(party, 1), path)


def test_the_log_says_who_confirmed_it() -> None:
    party = in_turn()
    claims.claim(visitor(party), 1, LOST)
    claims.confirm(party.access(2), 1, stamp(party))
    assert log_lines(party.access())[0].sentence == (
        "Ben goes on with another phone (decided by Cem)"
    )


def test_a_claim_alone_changes_nothing() -> None:
    party = in_turn()
    claims.claim(visitor(party), 1, LOST)
    wait(timedelta(days=1))
    for confirming in (visitor(party), find_access(party.code, new_token())):
        with pytest.raises((Refused, NotYours)):
            claims.confirm(confirming, 1, stamp(party))
    assert visitor(party).seats == frozenset()
    assert party.access(1).seats == {1}


def test_a_refused_or_withdrawn_claim_is_over() -> None:
    party = in_turn()
    for answering in (lambda: party.access(1), lambda: visitor(party)):
        claims.claim(visitor(party), 1, LOST)
        asked = stamp(party)
        claims.refuse(answering(), 1, asked)
        with pytest.raises(Refused, match="nothing-claimed"):
            claims.confirm(party.access(0), 1, asked)
    assert party.access(1).seats == {1}


def test_a_tap_counts_for_the_claim_that_was_seen() -> None:
    """While Ana reads the question, another visitor claims the same seat."""
    party = in_turn()
    claims.claim(visitor(party), 1, LOST)
    seen = stamp(party)
    other = new_token()
    claims.claim(find_access(party.code, other), 1, other)
    with pytest.raises(Refused, match="nothing-claimed"):
        claims.confirm(party.access(0), 1, seen)
    claims.confirm(party.access(0), 1, stamp(party))
    assert find_access(party.code, other).seats == {1}


def test_one_device_claims_one_seat_at_a_time() -> None:
    party = in_turn()
    claims.claim(visitor(party), 1, LOST)
    claims.claim(visitor(party), 2, LOST)
    assert visitor(party).claims == {2}


def test_players_and_free_seats_need_no_claim() -> None:
    party = in_turn()
    claims.claim(party.access(1), 0, party.tokens[1])
    assert not Seat.objects.exclude(claimed=None).exists()
    Seat.objects.filter(table__code=party.code, number=2).update(token_digest="")
    with pytest.raises(Refused, match="seat-is-free"):
        claims.claim(visitor(party), 2, LOST)
    with pytest.raises(Refused, match="seat-is-free"):
        claims.claim(visitor(party), 5, LOST)


def test_a_player_who_comes_back_gets_another_name_if_it_is_taken() -> None:
    party = sit_down(("Ana", "Ben", "Cem"), "level-1", "rolled")
    seating.let_bot_play_on(party.access(1), 1, "greedy")
    seating.rename(party.access(2), 2, "Ben")
    claims.claim(visitor(party), 1, LOST)
    claims.confirm(party.access(0), 1, stamp(party))
    assert len({seat.name for seat in party.access().all_seats}) == 3


def test_a_claim_ends_when_the_seat_changes_hands() -> None:
    party = in_turn()
    claims.claim(visitor(party), 1, LOST)
    asked = stamp(party)
    seating.free_seat(party.access(1), 1)
    seating.take_seat(find_access(party.code), 1, "Dora", new_token())
    with pytest.raises(Refused, match="nothing-claimed"):
        claims.confirm(party.access(0), 1, asked)
    assert "Another phone asks" not in words(client_of(party, 0), f"/table/{party.code}/")


def test_a_lone_player_gets_the_seat_back_after_a_minute() -> None:
    party = sit_down(("Ana",), "level-1", "rolled")
    path = f"/table/{party.code}/"
    claims.claim(visitor(party), 0, LOST)
    with pytest.raises(Refused, match="claim-waits"):
        claims.confirm(visitor(party), 0, stamp(party, 0))
    new = Client()
    new.cookies = client_of(party._replace(tokens=(LOST,))).cookies
    assert "If the other phone of Ana does not object" in words(new, path)
    wait(claims.CLAIM_TIMEOUT)
    assert "You can go on as Ana now." in words(new, path)
    claims.confirm(visitor(party), 0, stamp(party, 0))
    assert visitor(party).seats == {0}
    assert party.access(0).seats == frozenset()


def test_the_host_stays_host_with_another_phone() -> None:
    party = in_turn()
    claims.claim(visitor(party), 0, LOST)
    claims.confirm(party.access(1), 0, stamp(party, 0))
    assert visitor(party).is_host


def test_claims_from_one_address_are_limited() -> None:
    party = in_turn()
    new = Client()
    rate_limits.reset()
    answers = [new.post(f"/table/{party.code}/claim/", {"number": 1}) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [302] * 10 + [429]


# Another address of the site ----------------------------------------------------------------------


def test_a_visitor_learns_of_the_address_under_which_the_seat_was_taken() -> None:
    party = in_turn()
    path = f"/table/{party.code}/"
    client_of(party, 1).get(path, headers={"host": "laptop.local:8000"})
    page = Client().get(path, headers={"host": "192.168.7.7:8000"}).content.decode()
    assert "This site has another address, http://laptop.local:8000." in " ".join(page.split())
    assert f'href="http://laptop.local:8000{path}"' in page
    for client, host in (
        (Client(), "laptop.local:8000"),
        (client_of(party, 0), "192.168.7.7:8000"),
    ):
        page = client.get(path, headers={"host": host}).content.decode()
        assert "another address" not in page


def test_no_device_is_sent_to_itself() -> None:
    party = in_turn()
    path = f"/table/{party.code}/"
    client_of(party, 0).get(path, headers={"host": "localhost:8000"})
    page = Client().get(path, headers={"host": "192.168.7.7:8000"}).content.decode()
    assert "another address" not in page


def test_the_lobby_knows_other_addresses_as_well() -> None:
    party = in_lobby()
    path = f"/table/{party.code}/"
    client_of(party, 1).get(path, headers={"host": "laptop.local:8000"})
    page = Client().get(path, headers={"host": "192.168.7.7:8000"}).content.decode()
    assert f'href="http://laptop.local:8000{path}"' in page

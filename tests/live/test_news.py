"""Events of streams with fragments: pages of running games get only their own new state."""

from __future__ import annotations

from collections.abc import Callable
from http.client import HTTPConnection
from typing import Any

import pytest
from django.test import Client

from sheets.live import sse
from sheets.models import Table
from sheets.rules import Action
from sheets.tables import acts, seating
from sheets.tables.access import TableAccess, find_access
from sheets.tables.event_loader import load
from sheets.tables.family import PageQuery
from sheets.tables.page_state import PageState
from tests.live.conftest import ANA, BEN
from tests.live.phones import Phone
from tests.table_fragments import FROM_SCRIPT, state_in

Call = Callable[..., Phone]
SOON_S = 30.0


@pytest.fixture
def begun(code: str) -> str:
    """Start the game of the table; return its code."""
    acts.start(find_access(code, ANA))
    return code


def state_for(code: str, token: str, query: str, language: str = "en") -> dict[str, Any]:
    """Return the state that a page would fetch now."""
    client = Client(headers={**FROM_SCRIPT, "Accept-Language": language})
    client.cookies["dizzle_seat"] = token
    return state_in(client.get(f"/table/{code}/{query}").content.decode())


def tap(code: str, token: str, player: int) -> None:
    """Place a player's die on the first legal field."""
    access = find_access(code, token)
    state = load(access).state
    at = state.game.legal()[player][0]
    acts.act(access, Action("place", player, at), moment=state.moment, request=f"r{state.length}")


def next_state(phone: Phone) -> dict[str, Any]:
    """Return the next state that a stream gets."""
    name, state = phone.next_event(SOON_S)
    while name == "revision":  # a heartbeat
        name, state = phone.next_event(SOON_S)
    assert name == "fragments"
    return dict(state)


@pytest.mark.postgresql
def test_each_stream_gets_the_state_that_a_request_would_return(call: Call, begun: str) -> None:
    lookers = {
        ("en", "?seat=0"): (ANA, call(begun, ANA, shows="?seat=0", Accept_Language="en")),
        ("de", "?seat=1"): (BEN, call(begun, BEN, shows="?seat=1", Accept_Language="de")),
        ("de", "?show=1"): ("", call(begun, "", shows="?show=1", Accept_Language="de")),
        # The device decides about the seat, not the query.
        ("en", "?seat=0&show=0"): (BEN, call(begun, BEN, shows="?seat=0&show=0")),
    }
    has: dict[Any, dict[str, str]] = {key: {} for key in lookers}
    for key, (_who, phone) in lookers.items():
        name, first = phone.next_event(SOON_S)
        if name == "fragments":  # rendered because of another stream, before this one was caught up
            has[key] |= first["parts"]
    for number in range(3):
        tap(begun, (ANA, BEN)[number % 2], number % 2)
        for (language, query), (token, phone) in lookers.items():
            state = next_state(phone)
            assert state.pop("shows") == query
            parts = has[language, query]
            assert number == 0 or state["parts"].keys() < parts.keys()
            parts |= state["parts"]
            assert {**state, "parts": parts} == state_for(begun, token, query, language)


def test_device_that_lost_its_seat_gets_only_the_state_of_spectators(
    call: Call, begun: str
) -> None:
    watching = call(begun, "", shows="")
    watching.next_event(SOON_S)
    seating.free_seat(find_access(begun, BEN), 1)
    state = next_state(watching)
    assert state["seat"] is None
    assert state["tap"] == ""


def test_a_page_in_the_lobby_gets_only_revisions(call: Call, code: str) -> None:
    phone = call(code, ANA, shows="")
    assert phone.next_event(SOON_S)[0] == "revision"
    seating.rename(find_access(code, ANA), 0, "Anna")
    assert phone.next_event(SOON_S) == ("revision", Table.objects.get(code=code).revision)


@pytest.mark.postgresql
def test_a_page_that_cannot_be_rendered_gets_only_the_revision(
    call: Call, begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other pages of the table get their state."""
    real = sse.page_state

    def fail_for_ana(access: TableAccess, query: PageQuery) -> PageState:
        if 0 in access.seats:
            raise RuntimeError("something is wrong with what is shown")
        return real(access, query)

    monkeypatch.setattr(sse, "page_state", fail_for_ana)
    ana, ben = call(begun, ANA, shows="?seat=0"), call(begun, BEN, shows="?seat=1")
    assert ana.next_event(SOON_S)[0] == "revision"
    ben.next_event(SOON_S)  # a state if the start of the game arrives only now
    tap(begun, ANA, 0)
    revision = Table.objects.get(code=begun).revision
    while next_state(ben)["revision"] != revision:
        pass
    name, said = ana.next_event(SOON_S)
    while said != revision:
        name, said = ana.next_event(SOON_S)
    assert name == "revision"


def test_a_table_that_cannot_be_rendered_does_not_affect_others(
    call: Call, begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = call(begun, ANA, shows="?seat=0")
    ana.next_event(SOON_S)

    def fail(_access: TableAccess) -> bool:
        raise RuntimeError("an entry of the log does not hold")

    with monkeypatch.context() as broken:
        broken.setattr(sse, "is_running", fail)
        tap(begun, ANA, 0)
        revision = Table.objects.get(code=begun).revision
        while ana.next_event(SOON_S) != ("revision", revision):
            pass
    tap(begun, BEN, 1)
    assert next_state(ana)["revision"] == revision + 1


@pytest.mark.parametrize("length", [1, sse.MAX_QUERY, 999, 1000, 1001])
def test_a_query_of_many_fields_breaks_no_stream(port: int, begun: str, length: int) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=SOON_S)
    connection.request("GET", f"/live/{begun}/?{'&' * length}")
    assert connection.getresponse().status == 200
    connection.close()


def test_a_page_with_too_long_a_query_gets_only_revisions(call: Call, begun: str) -> None:
    phone = call(begun, "", shows="?at=" + "a" * sse.MAX_QUERY)
    assert phone.next_event(SOON_S)[0] == "revision"
    tap(begun, ANA, 0)
    assert phone.next_event(SOON_S)[0] == "revision"

"""Does a phone get what is new with the word that something is, and nothing that is not its own?"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from http.client import HTTPConnection
from threading import Thread
from typing import Any

import pytest
from django.test import Client

from sheets.access.keys import digest
from sheets.live import hub, news
from sheets.models import Table
from sheets.rules import Action
from sheets.tables import play, seating
from sheets.tables.access import find_access
from sheets.tables.reading import load
from sheets.tables.views.news import news_for

from .conftest import ANA, BEN
from .phones import Phone

Call = Callable[..., Phone]
SOON_S = 30.0


@pytest.fixture
def begun(code: str) -> str:
    """The table with its game begun."""
    play.start(find_access(code, ANA))
    return code


def asked(code: str, token: str, query: str, language: str = "en") -> dict[str, Any]:
    """What a phone gets that asks now."""
    client = Client(headers={"Accept-Language": language})
    client.cookies["dizzle_seat"] = token
    return dict(client.get(f"/table/{code}/now/{query}").json())


def tap(code: str, token: str, player: int) -> None:
    """Somebody places a die on the first field that takes one."""
    access = find_access(code, token)
    state = load(access).state
    at = state.game.legal()[player][0]
    play.act(access, Action("place", player, at), moment=state.moment, request=f"r{state.length}")


def told(phone: Phone) -> dict[str, Any]:
    """The next news that a phone gets."""
    name, state = phone.next_event(SOON_S)
    while name == "revision":  # a sign of life
        name, state = phone.next_event(SOON_S)
    assert name == "state"
    return dict(state)


@pytest.mark.postgresql
def test_each_phone_is_told_what_it_would_get_if_it_asked(call: Call, begun: str) -> None:
    lookers = {
        ("en", "?seat=0"): (ANA, call(begun, ANA, shows="?seat=0", Accept_Language="en")),
        ("de", "?seat=1"): (BEN, call(begun, BEN, shows="?seat=1", Accept_Language="de")),
        ("de", "?show=1"): ("", call(begun, "", shows="?show=1", Accept_Language="de")),
        # Whose seat it is decides, not what is wished for.
        ("en", "?seat=0&show=0"): (BEN, call(begun, BEN, shows="?seat=0&show=0")),
    }
    has: dict[Any, dict[str, str]] = {key: {} for key in lookers}
    for key, (_who, phone) in lookers.items():
        name, first = phone.next_event(SOON_S)
        if name == "state":  # another's watch has noticed the table before it was read for this one
            has[key] |= first["parts"]
    for number in range(3):
        tap(begun, (ANA, BEN)[number % 2], number % 2)
        for (language, query), (token, phone) in lookers.items():
            state = told(phone)
            assert state.pop("shows") == query
            parts = has[language, query]
            assert number == 0 or state["parts"].keys() < state["sums"].keys()
            parts |= state["parts"]
            assert {**state, "parts": parts} == asked(begun, token, query, language)


def test_what_was_not_sent_is_in_the_next_news(begun: str) -> None:
    """Only what a stream has sent is left out: whoever is slow gets it later."""
    looker = news.Looker("", "", "en", {})
    (first,) = news_for(begun, [looker])
    tap(begun, ANA, 0)
    (second,) = news_for(begun, [looker])
    assert first
    assert second
    assert first.has.keys() == second.has.keys()
    assert b'"_bar":"' in second.line.split(b'"parts":')[1]


def test_who_has_lost_the_seat_is_told_no_more_than_who_watches(call: Call, begun: str) -> None:
    watching = call(begun, "", shows="")
    assert watching.next_event(SOON_S)[0] == "revision"
    seating.free_seat(find_access(begun, BEN), 1)
    state = told(watching)
    assert state["seat"] is None
    assert state["tap"] == ""


def test_a_device_whose_seat_is_freed_is_told_what_anybody_is(begun: str) -> None:
    """Its stream ends, but news may be on their way by then."""
    freed, other = (news.Looker(digest(token), "", "en", {}) for token in (BEN, ANA))
    seats = [json.loads(one.line)["seat"] for one in news_for(begun, [freed, other]) if one]
    assert seats == [1, 0]
    seating.free_seat(find_access(begun, BEN), 1)
    seats = [json.loads(one.line)["seat"] for one in news_for(begun, [freed, other]) if one]
    assert seats == [None, 0]


def test_a_page_of_a_table_that_has_not_begun_asks(call: Call, code: str) -> None:
    phone = call(code, ANA, shows="")
    assert phone.next_event(SOON_S)[0] == "revision"
    seating.rename(find_access(code, ANA), 0, "Anna")
    assert phone.next_event(SOON_S) == ("revision", Table.objects.get(code=code).revision)


@pytest.mark.postgresql
def test_who_cannot_be_told_what_is_new_hears_of_it(call: Call, begun: str, settings: Any) -> None:
    settings.LIVE_NEWS = "tests.live.test_news.no_news"
    phone = call(begun, ANA, shows="")
    assert phone.next_event(SOON_S)[0] == "revision"
    tap(begun, ANA, 0)
    revision = Table.objects.get(code=begun).revision
    name, said = phone.next_event(SOON_S)
    while said != revision:
        name, said = phone.next_event(SOON_S)
    assert name == "revision"


def test_one_page_that_cannot_be_told_takes_nobody_their_news(begun: str) -> None:
    good = news.Looker(digest(ANA), "?seat=0", "en", {})
    bad = good._replace(shows=f"?{'&' * 2000}")  # more fields than Django reads
    assert [bool(one) for one in news_for(begun, [bad, good, bad])] == [False, True, False]


def test_who_is_being_told_is_not_told_again(begun: str) -> None:
    """A process hears of what it has written once more, from its look into the database."""
    asked = []

    def tell(_code: str, lookers: Sequence[news.Looker]) -> list[None]:
        asked.append(len(lookers))
        return [None] * len(lookers)

    async def hear_twice() -> None:
        stream = hub.Stream(begun, "", news.Looker("", "", "en", {}))
        hub.add(stream)
        hub._deliver(begun, 7, tell)
        hub._deliver(begun, 7, tell)
        hub.remove(stream)

    # In a thread of its own: browser tests before it have a loop in this one.
    thread = Thread(target=asyncio.run, args=(hear_twice(),))
    thread.start()
    thread.join()
    assert asked == [1]


def no_news(_code: str, _lookers: object) -> list[None]:
    raise RuntimeError("something is wrong with what is shown")


def test_a_page_that_shows_too_much_asks(call: Call, begun: str) -> None:
    phone = call(begun, "", shows="?at=" + "a" * news.MOST_SHOWN)
    assert phone.next_event(SOON_S)[0] == "revision"
    tap(begun, ANA, 0)
    assert phone.next_event(SOON_S)[0] == "revision"


@pytest.mark.parametrize("length", [1, news.MOST_BYTES, 999, 1000, 1001])
def test_a_query_of_many_fields_breaks_no_stream(port: int, begun: str, length: int) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=SOON_S)
    connection.request("GET", f"/live/{begun}/?{'&' * length}")
    assert connection.getresponse().status == 200
    connection.close()

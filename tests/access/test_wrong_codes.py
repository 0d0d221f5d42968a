"""Typed codes and their rate limit, from which links, QR codes and seats are exempt."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from sheets.access import codes
from sheets.http import rate_limits
from sheets.models import Table
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db

ELSEWHERE: dict[str, Any] = {"REMOTE_ADDR": "192.168.1.99"}
FREE = 30
"""Number of wrong codes of one address before the rate limit refuses."""


@pytest.fixture
def party() -> Party:
    """Return a table in its lobby."""
    return sit_down(start=False)


def make_old(party: Party) -> str:
    """Make it a table from before there were two codes; return its single code."""
    code = party.typed_code
    Table.objects.filter(code=party.code).update(code=code)
    return code


def leave_alone(code: str, hours: float) -> None:
    """Set the last act at a table to a number of hours ago."""
    since = timezone.now() - timedelta(hours=hours)
    Table.objects.filter(code=code).update(touched=since)


def guess(client: Client, count: int = FREE, **more: Any) -> list[int]:
    return [
        client.get(f"/table/WRNG{codes.ALPHABET[n]}/", **more).status_code for n in range(count)
    ]


# Two codes ---------------------------------------------------------------------------------------


def test_links_contain_the_long_code_and_pages_show_the_short_one(party: Party) -> None:
    code = party.typed_code
    assert (len(party.code), len(code)) == (14, 5)
    for page in (
        client_of(party).get(f"/table/{party.code}/").text,
        Client().get(f"/table/{party.code}/screen/").text,
    ):
        assert f'class="code">{code}<' in page
        assert f"table/<wbr>{code}/" in page  # for typing, not a link
        links = re.findall(
            r'(?:href|action|data-live|data-now)="([^"]*/(?:table|live)/[^"]+)"', page
        )
        assert links
        assert not [link for link in links if code in link]
    ana = client_of(party)
    link = ana.post(f"/table/{party.code}/link/", {"number": 0}, follow=True).text
    assert f"/table/{party.code}/seat/" in link


def test_the_qr_code_is_no_larger_than_with_five_letters(party: Party) -> None:
    page = client_of(party).get(f"/table/{party.code}/", HTTP_HOST="192.168.178.20:8000").text
    size = re.search(r'<svg[^>]*viewBox="0 0 (\d+) \d+"[^>]*class="qr"', page)
    assert size
    assert int(size[1]) == 29 + 2 * 4  # version 3, with its quiet zone


def test_a_typed_code_leads_to_the_same_page_at_the_address(party: Party) -> None:
    code = party.typed_code.lower()
    for below in ("", "screen/", "?seat=1", "?known=1&seat=1"):
        answer = Client().get(f"/table/{code}/{below}")
        assert answer.status_code == 307
        assert answer["Location"] == f"/table/{party.code}/{below}"
        assert "no-store" in answer["Cache-Control"]
    for typed in (code, party.code, f"http://testserver/table/{party.code}/screen/"):
        for answer in (
            Client().post("/table/", {"code": typed}),
            Client().get("/table/", {"code": typed}),
        ):
            assert answer["Location"] == f"/table/{party.code}/"


def test_the_code_is_free_again_a_day_after_the_last_act(party: Party) -> None:
    code = party.typed_code
    leave_alone(party.code, 23)
    assert Client().get(f"/table/{code}/").status_code == 307
    leave_alone(party.code, 25)
    assert Client().get(f"/table/{code}/").status_code == 404
    assert Client().post("/table/", {"code": code}).status_code == 404


def test_the_page_of_a_table_always_shows_a_valid_code(party: Party) -> None:
    code = party.typed_code
    for below in ("", "screen/"):
        leave_alone(party.code, 1000)
        assert code in Client().get(f"/table/{party.code}/{below}").text
        assert Client().get(f"/table/{code}/").status_code == 307
    leave_alone(party.code, 1000)
    Table.objects.filter(code=party.code).update(typed_code=None)  # another table has it
    page = Client().get(f"/table/{party.code}/").text
    fresh = party.typed_code
    assert fresh != code
    assert f'class="code">{fresh}<' in page


@pytest.mark.postgresql
def test_a_code_is_reused_unless_a_table_uses_it(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    used, old, fresh = party.typed_code, make_old(sit_down(start=False)), "FRESH"
    forgotten = sit_down(start=False)
    free = forgotten.typed_code
    leave_alone(forgotten.code, 25)
    leave_alone(old, 1000)
    for drawn, given in ([used, old, fresh], fresh), ([free], free):
        draw = partial(next, iter(drawn))
        monkeypatch.setattr(codes, "_new", lambda _length, draw=draw: draw())
        assert codes.new_typed_code() == given
    assert forgotten.access().table.typed_code is None
    assert Table.objects.get(code=old).typed_code == old


@pytest.mark.postgresql
def test_with_many_tables_in_use_a_new_code_is_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "MANY_TABLES", 2)
    parties = [sit_down(start=False) for _ in range(3)]
    assert [len(party.typed_code) for party in parties] == [5, 5, 6]
    leave_alone(parties[0].code, 25)
    leave_alone(parties[1].code, 25)
    assert len(sit_down(start=False).typed_code) == 5
    longer = parties[2].typed_code
    assert Client().post("/table/", {"code": longer})["Location"] == f"/table/{parties[2].code}/"


def test_the_next_table_of_the_same_players_has_both_codes(party: Party) -> None:
    party = finished_party()
    url = client_of(party).post(f"/table/{party.code}/again/")["Location"]
    table = Table.objects.get(code=url.split("/")[2])
    assert (len(table.code), len(table.typed_code or "")) == (14, 5)


# Never limited ------------------------------------------------------------------------------------


def test_links_and_seats_are_never_limited(party: Party) -> None:
    stranger, ana = Client(), client_of(party)
    guess(stranger)
    assert stranger.get(f"/table/{party.typed_code}/").status_code == 429
    assert stranger.get(f"/table/{party.code}/").status_code == 200
    assert stranger.get(f"/table/{party.code}/").status_code == 200
    assert stranger.post("/table/", {"code": party.code}).status_code == 302
    assert ana.get(f"/table/{party.code}/").status_code == 200
    assert ana.get(f"/table/{party.typed_code}/").status_code == 307
    assert ana.post("/table/", {"code": party.typed_code}).status_code == 302


def test_wrong_long_codes_do_not_count(party: Party) -> None:
    stranger = Client()
    for _ in range(FREE + 2):
        assert stranger.get(f"/table/{codes.new_address()}/").status_code == 404
    assert stranger.post("/table/", {"code": codes.new_address()}).status_code == 404
    assert stranger.post("/table/", {"code": party.typed_code}).status_code == 302


def test_right_codes_do_not_count(party: Party) -> None:
    for _ in range(FREE + 2):
        assert Client().post("/table/", {"code": party.typed_code}).status_code == 302
    assert guess(Client()) == [404] * FREE


def test_another_network_is_not_limited(party: Party) -> None:
    guess(Client(), FREE + 1)
    assert Client().get(f"/table/{party.typed_code}/", **ELSEWHERE).status_code == 307


def test_short_addresses_from_before_there_were_two_codes_stay_valid(party: Party) -> None:
    code = make_old(party)
    leave_alone(code, 1000)
    assert Client().get(f"/table/{code}/").status_code == 200
    guess(Client())
    assert Client().get(f"/table/{code}/").status_code == 429
    assert client_of(party).get(f"/table/{code}/").status_code == 200


# Limited ------------------------------------------------------------------------------------------


def test_after_too_many_wrong_codes_the_page_says_why_and_until_when(party: Party) -> None:
    client = Client()
    assert guess(client, FREE - 1) == [404] * (FREE - 1)
    assert client.post("/table/", {"code": "WRNGX"}).status_code == 404
    for answer in (
        client.get(f"/table/{party.typed_code}/"),
        client.get(f"/table/{party.typed_code}/", headers={"HX-Request": "true"}),
        client.post("/table/", {"code": party.typed_code}),
        client.get("/table/", {"code": "WRNGX"}),
    ):
        assert answer.status_code == 429
        assert 590 < int(answer["Retry-After"]) <= 600
        assert "no-store" in answer["Cache-Control"]
        assert 'role="alert"' in answer.text
        assert "Typed codes work again in 10 minutes." in answer.text
        assert "The link and the QR code of the table work at once." in answer.text
    german = client.get(f"/table/{party.typed_code}/", HTTP_ACCEPT_LANGUAGE="de").text
    assert "Getippte Codes gehen in 10 Minuten wieder." in german


def test_the_limit_ends_after_its_time(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    guess(Client())
    wait_s = int(Client().get(f"/table/{party.typed_code}/")["Retry-After"])
    later = time.time() + wait_s
    monkeypatch.setattr(time, "time", lambda: later)
    assert Client().get(f"/table/{party.typed_code}/").status_code == 307


def test_all_addresses_together_have_a_limit_too(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = rate_limits.Limit("of-this-test", "3/hour")
    monkeypatch.setattr(codes, "WRONG_CODES_OF_SITE", few)
    for number in range(3):
        assert guess(Client(), 1, REMOTE_ADDR=f"10.0.0.{number}") == [404]
    answer = Client().get(f"/table/{party.typed_code}/", **ELSEWHERE)
    assert answer.status_code == 429
    assert "Typed codes work again in 60 minutes." in answer.text


# Other addresses ---------------------------------------------------------------------------------


def addresses() -> Iterator[Callable[[str], str]]:
    """Return a function for every address with the code of a table."""
    arguments = {"number": 0, "key": "x" * 43}
    for pattern in get_resolver("sheets.tables.urls").url_patterns:
        assert isinstance(pattern, URLPattern)
        if "<code:code>" not in str(pattern.pattern):
            continue
        names = set(pattern.pattern.converters) - {"code"}
        more = {name: arguments[name] for name in names}
        name = pattern.name or ""
        yield lambda code, name=name, more=more: reverse(name, kwargs={"code": code, **more})


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["typed", "old"])
def test_no_address_reveals_more_than_the_form(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A lower limit, so that fewer wrong codes are needed at each address.
    free = 2
    few = rate_limits.Limit("few-codes", f"{free}/10 minutes")
    monkeypatch.setattr(codes, "WRONG_CODES", few)
    many = rate_limits.Limit("many-codes", "10000/hour")
    monkeypatch.setattr(codes, "WRONG_CODES_OF_SITE", many)
    party = finished_party(level=TINY)
    code = make_old(party) if kind == "old" else party.typed_code
    found = list(addresses())
    assert len(found) > 25
    for number, address in enumerate(found):
        for last, method in enumerate(("get", "head", "post")):
            stranger = Client(REMOTE_ADDR=f"10.0.{number}.{last}")
            ask = getattr(stranger, method)
            answers = [ask(address(f"WRNG{n}")).status_code for n in range(2, 2 + free)]
            if answers == [405] * free:
                assert ask(address(code)).status_code == 405
                continue
            assert answers == [404] * free, (address(code), method)
            for asked in (code, "WRNGX"):
                answer = ask(address(asked))
                assert answer.status_code == 429, (address(code), method)
                assert "sessionid" not in answer.cookies
            assert stranger.post("/table/", {"code": code}).status_code == 429

"""Typed codes: who guesses is slowed down, who has a link, a QR code or a seat never notices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone
from django.utils.html import escape

from sheets.access import codes, guessing
from sheets.http import rate_limits
from sheets.models import Table
from tests.table_games import TINY, Party, sit_down
from tests.tables.table_clients import client_of, finished_party

pytestmark = pytest.mark.django_db

ELSEWHERE: dict[str, Any] = {"REMOTE_ADDR": "192.168.1.99"}
FREE = 10
"""So many wrong codes are answered at once."""


@pytest.fixture
def party() -> Party:
    """A table in its lobby."""
    return sit_down(start=False)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tickets be good as soon as they are given."""
    monkeypatch.setattr(guessing, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(guessing, "NEXT_TRY_SECONDS", 0)


def make_old(party: Party) -> str:
    """Make it a table from before there were two codes; gives the code."""
    code = party.typed_code
    Table.objects.filter(code=party.code).update(code=code)
    return code


def leave_alone(code: str, hours: float) -> None:
    """Let it be so long since anybody did anything at a table."""
    since = timezone.now() - timedelta(hours=hours)
    Table.objects.filter(code=code).update(touched=since)


def guess(client: Client, count: int = FREE, **more: Any) -> list[int]:
    return [client.get(f"/table/WRNG{n}/", **more).status_code for n in range(2, 2 + count)]


def next_url(answer: Any) -> str:
    """Where the page of somebody who has to wait goes on by itself."""
    assert answer.status_code == 202, answer
    found = re.fullmatch(r"\d+; url=(/.+)", answer["Refresh"])
    assert found
    return found[1]


# Two codes ---------------------------------------------------------------------------------------


def test_links_carry_the_address_and_people_read_the_code_to_type(party: Party) -> None:
    code = party.typed_code
    assert (len(party.code), len(code)) == (14, 5)
    for page in (
        client_of(party).get(f"/table/{party.code}/").text,
        Client().get(f"/table/{party.code}/screen/").text,
    ):
        assert f'class="code">{code}<' in page
        assert f"table/<wbr>{code}/" in page  # to be typed, not to be followed
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
    for below in ("", "screen/", "?seat=1", "now/?known=1&seat=1"):
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


def test_who_opens_the_page_finds_a_code_that_leads_there(party: Party) -> None:
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
def test_a_code_is_given_again_but_never_one_that_leads_somewhere(
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


def test_the_same_people_again_have_both_codes(party: Party) -> None:
    party = finished_party()
    url = client_of(party).post(f"/table/{party.code}/again/")["Location"]
    table = Table.objects.get(code=url.split("/")[2])
    assert (len(table.code), len(table.typed_code or "")) == (14, 5)


# Never slowed ------------------------------------------------------------------------------------


def test_who_comes_by_link_or_has_a_seat_is_never_locked_out(party: Party) -> None:
    stranger = Client()
    guess(stranger, 60)
    assert stranger.get(f"/table/{party.code}/").status_code == 200
    assert stranger.get(f"/table/{party.code}/now/").status_code == 200
    assert stranger.post("/table/", {"code": party.code}).status_code == 302
    assert client_of(party).get(f"/table/{party.code}/").status_code == 200
    assert client_of(party).post("/table/", {"code": party.typed_code}).status_code == 302


def test_wrong_long_codes_count_for_nobody(party: Party) -> None:
    stranger = Client()
    for _ in range(40):
        assert stranger.get(f"/table/{codes.new_address()}/").status_code == 404
        assert stranger.post("/table/", {"code": codes.new_address()}).status_code == 404
    assert stranger.post("/table/", {"code": party.typed_code}).status_code == 302


def test_right_codes_are_no_guesses(party: Party) -> None:
    for _ in range(3 * FREE):
        assert Client().post("/table/", {"code": party.typed_code}).status_code == 302


def test_other_addresses_are_not_slowed(party: Party) -> None:
    guess(Client())
    assert Client().get(f"/table/{party.typed_code}/", **ELSEWHERE).status_code == 307


def test_old_short_addresses_stay_valid_and_count_as_typed(party: Party) -> None:
    code = make_old(party)
    leave_alone(code, 1000)
    watcher, ana = Client(), client_of(party)
    assert watcher.get(f"/table/{code}/").status_code == 200
    guess(Client())
    assert Client().get(f"/table/{code}/").status_code == 202
    assert ana.get(f"/table/{code}/").status_code == 200
    # Who was let in before stays, or their page would go dead.
    assert watcher.get(f"/table/{code}/now/").status_code == 200
    forger = Client()
    forger.cookies["sessionid"] = watcher.cookies["sessionid"].value + "x"
    assert forger.get(f"/table/{code}/now/").status_code == 202


# Slowed ------------------------------------------------------------------------------------------


def test_who_guesses_is_asked_to_come_back_and_told_how_to_get_in_at_once(party: Party) -> None:
    client = Client()
    assert guess(client, FREE + 2) == [404] * FREE + [202] * 2
    for answer in (
        client.get(f"/table/{party.typed_code}/"),
        client.post("/table/", {"code": party.typed_code}),
        client.get("/table/", {"code": "WRNGX"}),
    ):
        assert answer.status_code == 202
        assert answer["Refresh"].startswith("3; url=/table/")
        assert answer["Retry-After"] == "3"
        assert "no-store" in answer["Cache-Control"]
        assert 'role="status"' in answer.text
        assert "Your network sent many wrong codes." in answer.text
        assert 'href="/table/">Enter another code</a>' in answer.text
        assert "The QR code" in answer.text
    asked = client.get(f"/table/{party.typed_code}/now/", HTTP_ACCEPT="application/json")
    assert asked.status_code == 429  # a script would not come back


def test_the_page_tells_it_in_german(party: Party) -> None:
    guess(Client())
    page = Client().get(f"/table/{party.typed_code}/", HTTP_ACCEPT_LANGUAGE="de").text
    assert f"Dein Code {party.typed_code} wird in 3 Sekunden geprüft." in page
    assert ">Anderen Code eingeben</a>" in page


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("by_form", [True, False], ids=["form", "address"])
def test_whose_code_waits_may_change_language_and_theme(party: Party, by_form: bool) -> None:
    client, code = Client(), party.typed_code
    guess(client)
    form, address = ("/table/", {"code": code}), f"/table/{code}/?seat=1"
    answer = client.post(*form) if by_form else client.get(address)
    assert f"tries your code {code} in" in answer.text
    next_page = escape(next_url(answer))
    assert answer.text.count(f'name="next" value="{next_page}"') == 2
    shown = client.post("/i18n/setlang/", {"language": "de", "next": next_url(answer)}, follow=True)
    assert shown.redirect_chain[-1][0].startswith(f"/table/{party.code}/")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("by_form", [True, False], ids=["form", "address"])
def test_a_right_code_gets_in_with_its_ticket(party: Party, by_form: bool) -> None:
    client, code = Client(), party.typed_code
    guess(client)
    if by_form:
        url = next_url(client.post("/table/", {"code": code}))
    else:
        url = next_url(client.get(f"/table/{code}/?seat=1"))
    answer = client.get(url, follow=True)
    assert answer.status_code == 200
    assert answer.redirect_chain[-1][0].startswith(f"/table/{party.code}/")
    assert "ticket" not in answer.redirect_chain[-1][0]
    assert ("?seat=1" in answer.redirect_chain[-1][0]) is not by_form


@pytest.mark.usefixtures("at_once")
def test_a_wrong_code_is_told_with_its_ticket_in_the_form_it_came_from() -> None:
    client = Client()
    guess(client)
    answer = client.get(next_url(client.post("/table/", {"code": "WRNGX"})))
    assert answer.status_code == 404
    assert "There is no table with this code." in answer.text
    assert 'value="WRNGX"' in answer.text


def test_a_ticket_shown_too_early_is_kept(party: Party) -> None:
    client = Client()
    guess(client)
    url = next_url(client.get(f"/table/{party.typed_code}/"))
    assert next_url(client.get(url)) == url


@pytest.mark.postgresql
@pytest.mark.usefixtures("at_once")
def test_a_ticket_is_good_once_for_one_code_from_one_address(party: Party) -> None:
    client, code = Client(), party.typed_code
    guess(client)
    guess(client, REMOTE_ADDR="192.168.1.99")
    wrong = next_url(client.get("/table/WRNGX/"))
    assert client.get(wrong.replace("WRNGX", code)).status_code == 202
    assert client.get(wrong, **ELSEWHERE).status_code == 202
    assert client.get(wrong + "x").status_code == 202
    assert client.get(wrong).status_code == 404
    assert client.get(wrong).status_code == 202


@pytest.mark.usefixtures("at_once")
def test_a_ticket_is_not_good_for_ever(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    guess(client)
    url = next_url(client.get(f"/table/{party.typed_code}/"))
    monkeypatch.setattr(guessing, "TICKET_SECONDS", -1)
    assert client.get(url).status_code == 202


@pytest.mark.postgresql
@pytest.mark.usefixtures("at_once")
def test_only_one_code_is_looked_up_in_a_second() -> None:
    client = Client()
    guess(client)
    began = guessing.time.time()
    tickets = [next_url(client.get(f"/table/WRNG{letter}/")) for letter in "ABCDEFGH"]
    answers = [client.get(url) for url in tickets]
    took_s = guessing.time.time() - began
    assert 1 <= [answer.status_code for answer in answers].count(404) <= 1 + took_s
    again = next(answer for answer in answers if answer.status_code == 202)
    assert next_url(again) not in tickets  # it waits on with a new one


# No address tells more ---------------------------------------------------------------------------


def addresses() -> Iterator[Callable[[str], str]]:
    """Every address with a table's code in it."""
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
def test_no_address_tells_more_than_the_form_does(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that fewer are wrong at each of so many addresses.
    free = 2
    monkeypatch.setattr(
        rate_limits, "WRONG_CODES", rate_limits.Limit("few-codes", f"{free}/10 minutes")
    )
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
                assert answer.status_code == 202, (address(code), method)
                assert "sessionid" not in answer.cookies
            assert stranger.post("/table/", {"code": code}).status_code == 202

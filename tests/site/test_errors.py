"""Does the page for what went wrong offer the way on: once more, or back to where one came from?"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import Client, RequestFactory

from dizzle_site.errors import RETRY_AFTER_SECONDS, cannot_store, forbidden
from sheets.http import limits, rendering

OURS = "http://testserver/levels/level-1/?light=a1"
NOT_OURS = (
    "https://example.org/levels/",
    "https://testserver.example.org/",
    "http://testserver@example.org/",
    "javascript:alert(1)",
    "//example.org/",
    "nonsense",
)


def way_on(answer: HttpResponse) -> tuple[str, str]:
    """Words and address of the first button, which alone is the main one."""
    assert answer.text.count("button primary") == 1
    found = re.search(r'<a class="button[^"]*" href="([^"]*)">([^<]*)</a>', answer.text)
    assert found
    assert "primary" in found[0]
    assert 'href="/">To the start page</a>' in answer.text
    return found[2], found[1]


def asked(method: str = "get", url: str = "/levels/?a=1&b=2", **headers: Any) -> Any:
    return getattr(RequestFactory(), method)(url, **headers)


@pytest.fixture(params=["stored", "drawn", "too often"])
def refuse(request: pytest.FixtureRequest) -> Any:
    return {
        "stored": cannot_store,
        "drawn": rendering._ask_to_come_back,
        "too often": limits.refuse,
    }[request.param]


@pytest.mark.parametrize("referer", ["", OURS])
def test_what_was_looked_at_is_tried_again_where_it_is(refuse: Any, referer: str) -> None:
    answer = refuse(asked(HTTP_REFERER=referer))
    assert way_on(answer) == ("Try again", "/levels/?a=1&amp;b=2")


def test_what_was_sent_is_tried_again_where_it_was_written(refuse: Any) -> None:
    assert way_on(refuse(asked("post", HTTP_REFERER=OURS))) == ("Try again", OURS)
    for referer in ("", *NOT_OURS):
        answer = refuse(asked("post", "/table/ABCDEFGHJKLMNP/act/", HTTP_REFERER=referer))
        # There a browser that only looks is led to the table.
        assert way_on(answer) == ("Try again", "/table/ABCDEFGHJKLMNP/act/")


def test_what_a_part_of_a_page_asked_for_is_tried_again_on_the_page(refuse: Any) -> None:
    answer = refuse(asked(HTTP_REFERER=OURS, HTTP_HX_REQUEST="true"))
    assert way_on(answer) == ("Try again", OURS)
    assert "Refresh" not in answer


@pytest.mark.parametrize("refuse", ["stored", "drawn"], indirect=True)
def test_a_page_that_comes_soon_asks_again_by_itself(refuse: Any) -> None:
    for method in ("get", "head"):
        answer = refuse(asked(method))
        assert answer["Refresh"] == answer["Retry-After"] == str(RETRY_AFTER_SECONDS)
    assert "This page asks again by itself." in refuse(asked()).text
    answer = refuse(asked("post", HTTP_REFERER=OURS))
    assert "Refresh" not in answer
    assert "by itself" not in answer.text


def test_who_asked_too_often_is_not_made_to_ask_more() -> None:
    answer = limits.refuse(asked())
    assert "Refresh" not in answer
    assert "by itself" not in answer.text
    assert answer["Retry-After"] == "60"


def test_a_form_that_was_open_too_long_is_loaded_anew() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/tally/", {"x": 1}, HTTP_REFERER="http://testserver/tally/?level=2")
    assert answer.status_code == 403
    assert way_on(answer) == ("Try again", "http://testserver/tally/?level=2")
    answer = client.post("/theme/", {"theme": "dark"})
    assert way_on(answer) == ("Try again", "/theme/")
    assert client.get("/theme/", follow=True).status_code == 200


def test_a_script_is_told_what_to_say_when_it_is_refused() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/score/" + "k" * 32 + "/acts/", "{}", content_type="application/json")
    assert answer.status_code == 403
    assert "Nothing is lost" in answer.json()["sentence"]
    sent = asked("post", data="{}", content_type="application/json")
    answer = forbidden(sent, PermissionDenied("Not this one."))
    assert answer.status_code == 403
    assert json.loads(answer.content) == {"sentence": "Not this one."}


def test_what_may_not_be_had_leads_back() -> None:
    why = PermissionDenied("Not this one.")
    here = "/levels/"
    assert way_on(forbidden(asked(url=here, HTTP_REFERER=OURS), why)) == ("Back", OURS)
    for referer in ("", "http://testserver/levels/", *NOT_OURS):
        answer = forbidden(asked(url=here, HTTP_REFERER=referer), why)
        assert way_on(answer) == ("To the start page", "/"), referer


def test_what_is_not_there_leads_to_the_start() -> None:
    answer = Client().get("/nothing/", HTTP_REFERER=OURS)
    assert way_on(answer) == ("To the start page", "/")

"""Error pages: the button to try again, or the link to the page before."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import Client, RequestFactory

from dizzle_site.errors import RETRY_AFTER_SECONDS, cannot_store, forbidden, wants_json
from sheets.http import rate_limits, rendering

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
    """Return label and address of the first button, the only primary one."""
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
        "too often": rate_limits.refuse,
    }[request.param]


@pytest.mark.parametrize("referer", ["", OURS])
def test_a_failed_get_offers_the_same_address_again(refuse: Any, referer: str) -> None:
    answer = refuse(asked(HTTP_REFERER=referer))
    assert way_on(answer) == ("Try again", "/levels/?a=1&amp;b=2")


def test_a_failed_post_offers_the_page_of_the_form(refuse: Any) -> None:
    assert way_on(refuse(asked("post", HTTP_REFERER=OURS))) == ("Try again", OURS)
    for referer in ("", *NOT_OURS):
        answer = refuse(asked("post", "/table/ABCDEFGHJKLMNP/act/", HTTP_REFERER=referer))
        # A GET on that address redirects to the table.
        assert way_on(answer) == ("Try again", "/table/ABCDEFGHJKLMNP/act/")


def test_a_failed_htmx_request_offers_its_page(refuse: Any) -> None:
    answer = refuse(asked(HTTP_REFERER=OURS, HTTP_HX_REQUEST="true"))
    assert way_on(answer) == ("Try again", OURS)
    assert "Refresh" not in answer


@pytest.mark.parametrize("refuse", ["stored", "drawn"], indirect=True)
def test_a_page_that_is_available_soon_reloads_itself(refuse: Any) -> None:
    for method in ("get", "head"):
        answer = refuse(asked(method))
        assert answer["Refresh"] == answer["Retry-After"] == str(RETRY_AFTER_SECONDS)
    assert "This page asks again by itself." in refuse(asked()).text
    answer = refuse(asked("post", HTTP_REFERER=OURS))
    assert "Refresh" not in answer
    assert "by itself" not in answer.text


def test_a_rate_limited_page_does_not_reload_itself() -> None:
    answer = rate_limits.refuse(asked())
    assert "Refresh" not in answer
    assert "by itself" not in answer.text
    assert answer["Retry-After"] == "60"


def test_a_form_with_an_old_token_is_loaded_again() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/tally/", {"x": 1}, HTTP_REFERER="http://testserver/tally/?level=2")
    assert answer.status_code == 403
    assert way_on(answer) == ("Try again", "http://testserver/tally/?level=2")
    answer = client.post("/theme/", {"theme": "dark"})
    assert way_on(answer) == ("Try again", "/theme/")
    assert client.get("/theme/", follow=True).status_code == 200


@pytest.mark.parametrize(
    ("accept", "is_json"),
    [
        ("application/json", True),
        ("application/json, text/html", True),
        ("application/json, */*;q=0.1", True),
        ("text/html;q=0.5, application/json", True),
        ("text/html, application/json", False),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", False),
        ("*/*", False),
        ("", False),
        (None, False),
    ],
)
def test_errors_and_views_return_json_for_the_same_requests(
    accept: str | None, is_json: bool
) -> None:
    request = asked(**({} if accept is None else {"HTTP_ACCEPT": accept}))
    assert wants_json(request) is is_json
    assert (cannot_store(request)["Content-Type"] == "application/json") is is_json
    assert wants_json(asked("post", data="{}", content_type="application/json"))


def test_a_script_that_sends_a_form_gets_the_reason_why_it_cannot_be_stored() -> None:
    answer = cannot_store(asked("post", HTTP_HX_REQUEST="true"))
    assert "it waits on this device" in json.loads(answer.content)["sentence"]


def test_a_refused_script_gets_a_sentence() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/score/" + "k" * 32 + "/acts/", "{}", content_type="application/json")
    assert answer.status_code == 403
    assert "Nothing is lost" in answer.json()["sentence"]
    sent = asked("post", data="{}", content_type="application/json")
    answer = forbidden(sent, PermissionDenied("Not this one."))
    assert answer.status_code == 403
    assert json.loads(answer.content) == {"sentence": "Not this one."}


def test_a_forbidden_page_offers_the_page_before() -> None:
    why = PermissionDenied("Not this one.")
    here = "/levels/"
    assert way_on(forbidden(asked(url=here, HTTP_REFERER=OURS), why)) == ("Back", OURS)
    for referer in ("", "http://testserver/levels/", *NOT_OURS):
        answer = forbidden(asked(url=here, HTTP_REFERER=referer), why)
        assert way_on(answer) == ("To the start page", "/"), referer


def test_a_missing_page_offers_the_start_page() -> None:
    answer = Client().get("/nothing/", HTTP_REFERER=OURS)
    assert way_on(answer) == ("To the start page", "/")

"""Responses to htmx: a fragment instead of the whole page, and the Vary header."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.dice2_tables import sit_down_for
from tests.tables.table_clients import finished_party

BY_HTMX = {"hx-request": "true"}
ASKING = re.compile('"_htmx.html"')
"""What pages that request a fragment include."""
PARTS = {
    "/tally/": "tally-form",
    "/print/": "_print",
    "/workshop/suggest/": "wish-page",
    "/dice2/score/?game=major&players=2&die=3&at=e5": "score",
}


def id_of(page: str) -> str:
    """Return the id of the root element of a fragment."""
    found = re.match(r'\s*<[a-z]+(?: [a-z-]+="[^"]*")*? id="([^"]*)"', page)
    assert found, page[:200]
    return found[1]


def texts(client: Client, path: str) -> tuple[str, str]:
    """Return the responses of a path to a browser and to htmx, both with the Vary header."""
    answers = [client.get(path), client.get(path, headers=BY_HTMX)]
    for answer in answers:
        assert "HX-Request" in answer.headers["Vary"]
    return answers[0].content.decode(), answers[1].content.decode()


def expect_part(whole: str, part: str, name: str) -> None:
    assert id_of(part) == name
    assert "<html" in whole
    assert "<html" not in part
    assert f'id="{name}"' in whole


@pytest.mark.usefixtures("few_trials")
@pytest.mark.django_db
@pytest.mark.parametrize(("path", "name"), PARTS.items())
def test_page_returns_its_part_to_htmx(client: Client, path: str, name: str) -> None:
    expect_part(*texts(client, path), name)


@pytest.mark.django_db
def test_replay_returns_only_the_moment_to_htmx(client: Client) -> None:
    party = finished_party()
    whole, part = texts(client, f"/table/{party.code}/history/?at=3")
    expect_part(whole, part, "_history")
    assert part.strip() in whole
    party2 = sit_down_for("square")
    expect_part(*texts(client, f"/table/{party2.code}/history/?at=0"), "_history")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/print/?level=level-1&copies=x", "_print"),
        ("/workshop/suggest/?columns=999", "wish-page"),
        ("/dice2/score/?game=relay", "score"),
    ],
)
@pytest.mark.django_db
def test_part_contains_the_refusal(client: Client, path: str, name: str) -> None:
    answer = client.get(path, headers=BY_HTMX)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert id_of(page) == name
    assert 'role="alert"' in page


@pytest.mark.django_db
def test_tapped_board_has_an_address_without_the_tap(client: Client) -> None:
    query = "game=major&players=2&owner=1&die=3&board="
    answer = client.get(f"/dice2/score/?{query}&at=e5", headers=BY_HTMX)
    address = answer.headers["HX-Replace-Url"]
    assert "at=" not in address
    again = client.get(address)
    assert again.context["choice"] == answer.context["choice"]


def test_page_that_requests_its_part_reports_a_missing_answer() -> None:
    folder = Path(settings.BASE_DIR) / "templates"
    pages = {path for path in folder.rglob("*.html") if ASKING.search(path.read_text("utf-8"))}
    assert len(pages) >= 5
    for path in pages:
        text = path.read_text("utf-8")
        parts = re.findall(r'{% include "(workshop/\w+\.html)" %}', text)
        whole = text + "".join((folder / part).read_text("utf-8") for part in parts)
        own = path.match("tally/tally.html") and 'id="tally-offline"' in whole
        assert own or '{% include "_no_answer.html" %}' in whole, path

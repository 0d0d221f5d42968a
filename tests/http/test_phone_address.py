"""Addresses for other phones, which must lead to this machine also from localhost."""

import re
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory

from sheets.http import phone_address
from sheets.http.phone_address import phone_url
from sheets.http.share_link import share_link
from sheets.workshop import store
from tests.score_levels import GARDEN
from tests.scoring.scoring_pages import begin


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the address of this machine in a network."""
    monkeypatch.setattr(phone_address, "own_address", lambda: "192.168.7.9")


def asked_as(host: str) -> HttpRequest:
    return RequestFactory().get("/", headers={"Host": host})


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("localhost:8000", "http://192.168.7.9:8000/x/"),
        ("localhost", "http://192.168.7.9/x/"),
        ("127.0.0.1:8000", "http://192.168.7.9:8000/x/"),
        ("127.9.9.9:8000", "http://192.168.7.9:8000/x/"),
        ("[::1]:8000", "http://192.168.7.9:8000/x/"),
        ("laptop.local:8000", "http://laptop.local:8000/x/"),
        ("10.0.0.3", "http://10.0.0.3/x/"),
    ],
)
def test_own_name_is_replaced_by_the_address_in_the_network(host: str, url: str) -> None:
    assert phone_url(asked_as(host), "/x/") == url


def test_machine_without_an_address_has_none_for_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_address, "own_address", lambda: "")
    assert phone_url(asked_as("localhost:8000"), "/x/") == ""


@pytest.mark.usefixtures("own")
def test_site_that_listens_only_to_this_machine_has_no_address_for_phones(settings: Any) -> None:
    settings.HOST = "127.0.0.1"
    assert phone_url(asked_as("localhost:8000"), "/x/") == ""


@pytest.mark.usefixtures("own")
@pytest.mark.django_db
@pytest.mark.parametrize("path", ["links/", "code/"])
def test_own_levels_show_a_code_for_phones(client: Client, path: str) -> None:
    url = f"/workshop/{store.create(GARDEN)}/{path}"
    page = client.get(url, headers={"Host": "localhost:8000"}).content.decode()
    links = re.findall(r"data-share-url>([^<]*)<", page)
    assert len(links) == (2 if path == "links/" else 1)
    for link in links:
        assert link.startswith("http://192.168.7.9:8000/")
        assert client.get(link.removeprefix("http://192.168.7.9:8000")).status_code == 200
    assert page.count('class="qr"') == len(links)


@pytest.mark.django_db
def test_own_levels_explain_why_there_is_no_code(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_address, "own_address", lambda: "")
    url = f"/workshop/{store.create(GARDEN)}/links/"
    page = client.get(url, headers={"Host": "localhost:8000"}).content.decode()
    assert ">http://localhost:8000/workshop/" in page
    assert 'class="qr"' not in page
    assert page.count("This address only works on this computer") == 1


@pytest.mark.usefixtures("own")
def test_link_that_is_too_long_has_no_code() -> None:
    short, long = (share_link(asked_as("a.local"), f"/?{'x' * size}") for size in (900, 1500))
    assert short.code
    assert short.is_dense
    assert (long.code, long.is_reachable) == (None, True)
    assert share_link(asked_as("a.local"), f"/?{'x' * 5000}").code is None


@pytest.mark.usefixtures("own")
@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "players/"])
def test_scoring_shows_a_code_for_phones(client: Client, path: str) -> None:
    url = begin(client, GARDEN)
    page = client.get(url + path, headers={"Host": "localhost:8000"}).content.decode()
    assert re.search(r"data-share-url>http://192\.168\.7\.9:8000/score/", page)
    assert 'class="qr"' in page


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["", "players/"])
def test_no_code_is_shown_that_leads_nowhere(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(phone_address, "own_address", lambda: "")
    url = begin(client, GARDEN)
    page = client.get(url + path, headers={"Host": "localhost:8000"}).content.decode()
    assert 'class="qr"' not in page
    assert "phone address" in page

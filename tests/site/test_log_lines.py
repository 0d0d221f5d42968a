"""Does an error leave no key in the log?"""

from __future__ import annotations

import io
import logging

import pytest
from django.test import Client

from sheets.access.codes import new_address
from sheets.access.keys import new_key, new_token

LINKS = (
    "/groups/{}/",
    "/groups/{}/players/1/delete/",
    "/score/{}/sheet/1/",
    "/workshop/{}/",
    "/table/ABC23/seat/{}/",
    "/table/{}/act/",
    "/my/device/{}",
)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    handlers = logging.getLogger("django").handlers
    (terminal,) = (one for one in handlers if one.name == "terminal")
    assert isinstance(terminal, logging.StreamHandler)
    monkeypatch.setattr(terminal, "stream", stream := io.StringIO())
    return stream


@pytest.mark.urls("tests.site.broken_urls")
def test_an_error_is_logged_without_the_key_in_its_address(log: io.StringIO) -> None:
    client = Client(raise_request_exception=False)
    key = new_key()
    assert client.get(f"/broken/{key}/more/").status_code == 500
    line = log.getvalue()
    assert "Internal Server Error: /broken/…/more/\n" in line
    assert "on purpose" in line
    assert key not in line


@pytest.mark.parametrize("link", LINKS)
def test_no_address_tells_its_secret(log: io.StringIO, link: str) -> None:
    secrets = [new_address()] if link.startswith("/table/{}") else [new_key(), new_token()]
    for secret in secrets:
        logging.getLogger("django.request").error("%s: %s", "Oops", link.format(secret))
    assert log.getvalue().count(f"django.request: Oops: {link.format('…')}\n") == len(secrets)


def test_what_is_no_secret_stays(log: io.StringIO) -> None:
    told = "/table/ABC23/ /levels/level-1/ /evening/2026-11-22/ /static/main.0123456789abcdef.css"
    logging.getLogger("django.request").error(told)
    assert told in log.getvalue()

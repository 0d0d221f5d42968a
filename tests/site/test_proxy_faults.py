"""Forms, redirects and host names behind a proxy with wrong settings."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, override_settings

from dizzle_site import proxy_faults

PUBLIC = "dizzle.example.org"
OURS = f"https://{PUBLIC}"
PROXIED = override_settings(
    SITE_URL=OURS,
    ALLOWED_HOSTS=[PUBLIC],
    CSRF_TRUSTED_ORIGINS=[OURS],
    SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"),
    SECURE_SSL_REDIRECT=True,
)
"""Settings derived from SITE_URL that affect these tests."""

HTTPS = {"host": PUBLIC, "x-forwarded-proto": "https"}


@pytest.fixture(autouse=True)
def nothing_logged() -> Iterator[None]:
    proxy_faults._logged.clear()
    yield
    proxy_faults._logged.clear()


@pytest.fixture
def proxied() -> Iterator[None]:
    with PROXIED:
        yield


def send(base: dict[str, str], with_token: bool = True, **headers: str) -> HttpResponse:
    """Switch the language from a new device, with these headers; names have underscores."""
    client = Client(enforce_csrf_checks=True)
    page = client.get("/", headers=base).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    form = {"language": "de", "csrfmiddlewaretoken": token[1] if with_token else "x" * 64}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post("/i18n/setlang/", form, headers=base | named)


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


OWN = {"sec_fetch_site": "same-origin"}


@pytest.mark.usefixtures("proxied")
@pytest.mark.parametrize(
    "headers",
    [OWN, OWN | {"origin": "null"}, OWN | {"origin": f"{OURS}:8443"}, {"origin": OURS}],
)
def test_own_form_is_accepted_without_the_headers_a_proxy_removes(headers: dict[str, str]) -> None:
    assert send(HTTPS, **headers).status_code == 302
    refused = send(HTTPS, with_token=False, **headers)
    assert refused.status_code == 403, "the token counts all the same"
    assert "The page was open for too long" in refused.text


def test_own_form_without_a_source_is_accepted_over_plain_http() -> None:
    home = {"host": "192.168.1.20:8000"}
    assert send(home, origin="null").status_code == 302
    assert send(home, with_token=False, origin="null").status_code == 403
    assert send(home, origin="null", sec_fetch_site="cross-site").status_code == 403
    assert send(home, origin="http://192.168.1.20:9000").status_code == 403


@pytest.mark.usefixtures("proxied")
@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
@pytest.mark.parametrize("origin", ["null", "https://example.org"])
def test_form_of_another_site_is_refused_without_advice_to_the_operator(
    site: str, origin: str, caplog: pytest.LogCaptureFixture
) -> None:
    refused = send(HTTPS, sec_fetch_site=site, origin=origin)
    assert refused.status_code == 403
    assert "one of its own pages" in refused.text
    assert "If you run this site" not in refused.text
    assert logged(caplog) == []


@pytest.mark.usefixtures("proxied")
@pytest.mark.parametrize("headers", [{}, {"origin": "null"}])
def test_missing_source_names_the_headers_and_is_logged_once(
    headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        refused = send(HTTPS, **headers)
        assert refused.status_code == 403
        assert "must not set Referrer-Policy to no-referrer" in refused.text
        assert "Try again" not in refused.text
    (line,) = logged(caplog)
    assert "Referrer-Policy: no-referrer" in line
    assert "docs/reference.md#proxy-headers" in line


@pytest.mark.usefixtures("proxied")
def test_other_source_names_both_addresses_and_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for origin in (f"{OURS}:8443", "https://other.example.org"):
        refused = send(HTTPS, origin=origin)
        assert refused.status_code == 403
        assert f"{origin}, but according to the proxy the site is {OURS}." in refused.text
    (line,) = logged(caplog)
    assert f"{OURS}:8443" in line


@pytest.mark.usefixtures("proxied")
def test_script_gets_the_advice_as_a_sentence() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/tally/", "{}", "application/json", headers=HTTPS | {"origin": "null"})
    assert answer.status_code == 403
    assert "Referrer-Policy" in answer.json()["sentence"]


@pytest.mark.usefixtures("proxied")
@pytest.mark.parametrize("proto", [{}, {"x-forwarded-proto": "http"}])
def test_redirect_loop_names_the_header_and_is_logged_once(
    client: Client, proto: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"host": PUBLIC} | proto
    assert client.get("/", headers=headers)["Location"] == f"{OURS}/"
    secure = headers | {"sec-fetch-site": "none", "accept-language": "de"}
    for _ in range(2):
        answer = client.get("/", headers=secure)
        assert answer.status_code == 400
        assert '<html lang="de">' in answer.text
        assert "X-Forwarded-Proto" in answer.text
    (line,) = logged(caplog)
    assert "X-Forwarded-Proto" in line
    assert client.get("/", headers=secure | HTTPS).status_code == 200


@pytest.mark.usefixtures("proxied")
def test_unknown_host_names_the_setting_and_is_logged_once(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for host in ("127.0.0.1:8000", "spam.example.org"):
        answer = client.get("/", headers=HTTPS | {"host": host})
        assert answer.status_code == 400
        assert f"at the address {host}." in answer.text
        assert "SITE_URL" in answer.text
        assert PUBLIC not in answer.text, "strangers who try addresses do not learn the name"
    (line,) = logged(caplog)
    assert "'127.0.0.1:8000'" in line


def test_headers_of_attackers_do_no_harm(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.get("/", headers={"host": "<script>" + "x" * 1000 + "\n.example.org"})
    assert answer.status_code == 400
    assert "<script>" not in answer.text
    (line,) = logged(caplog)
    assert "\n" not in line
    assert len(line) < 600


@pytest.mark.parametrize("fault", [*proxy_faults.Fault])
def test_each_fault_is_logged_by_itself(fault: Any, caplog: pytest.LogCaptureFixture) -> None:
    proxy_faults.log_once(fault)
    proxy_faults.log_once(fault)
    assert len(logged(caplog)) == 1

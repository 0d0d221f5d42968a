"""Headers, cookies and refusals that every page shares."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client, override_settings

POLICY = {
    "default-src": "'none'",
    "base-uri": "'none'",
    "connect-src": "'self'",
    "font-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "img-src": "'self'",
    "manifest-src": "'self'",
    "media-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
}
INLINE = re.compile(r"<style\b|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", re.I)


@pytest.fixture
def strict() -> Client:
    return Client(enforce_csrf_checks=True)


def test_policy_allows_nothing_from_elsewhere(client: Client) -> None:
    told = client.get("/")["Content-Security-Policy"]
    assert dict(part.strip().split(" ", 1) for part in told.split(";")) == POLICY


def test_other_headers_of_every_page(client: Client) -> None:
    for address in ("/", "/there-is-no-such-page"):
        headers = client.get(address).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "camera=()" in headers["Permissions-Policy"]
        assert "Content-Security-Policy" in headers


def test_no_template_has_inline_script_or_style() -> None:
    for template in sorted(Path(settings.BASE_DIR).glob("templates/**/*.html")):
        text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "", template.read_text("utf-8"), flags=re.S)
        assert not INLINE.search(text), template


def test_cookies_are_hidden_from_scripts_and_other_sites(client: Client) -> None:
    client.post("/i18n/setlang/", {"language": "de"})
    cookie = client.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert settings.CSRF_COOKIE_HTTPONLY
    assert settings.SESSION_COOKIE_HTTPONLY


def test_language_can_be_switched_and_stays(client: Client) -> None:
    client.post("/i18n/setlang/", {"language": "de"})
    assert 'lang="de"' in client.get("/").content.decode()
    client.post("/i18n/setlang/", {"language": "en"})
    assert 'lang="en"' in client.get("/", headers={"accept-language": "de"}).content.decode()


def test_language_switch_leads_to_no_other_site(client: Client) -> None:
    answer = client.post("/i18n/setlang/", {"language": "de", "next": "https://example.org/"})
    assert answer["Location"] == "/"


def test_form_without_its_token_is_refused(strict: Client) -> None:
    answer = strict.post("/i18n/setlang/", {"language": "de"})
    assert answer.status_code == 403
    assert 'role="alert"' in answer.content.decode()
    assert settings.LANGUAGE_COOKIE_NAME not in answer.cookies


def test_forms_of_the_page_of_a_garbled_request_work(strict: Client) -> None:
    refused = strict.post("/tally/", b"name=\xff", "application/x-www-form-urlencoded")
    assert refused.status_code == 400
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', refused.content.decode())
    assert token
    form = {"language": "de", "next": "/", "csrfmiddlewaretoken": token[1]}
    assert strict.post("/i18n/setlang/", form).status_code == 302


def test_page_with_the_current_etag_is_not_sent_again(strict: Client) -> None:
    for path in ("/rules/", "/score/new/level-1/"):
        first = strict.get(path)
        assert first["Cache-Control"] == "private, no-cache"
        known = {"if-none-match": first["ETag"]}
        again = strict.get(path, headers=known)
        assert (again.status_code, again.content) == (304, b"")
        # The forms of the cached page are still valid.
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', first.content.decode())
        assert token
        form = {"theme": "dark", "csrfmiddlewaretoken": token[1]}
        assert strict.post("/theme/", form).status_code == 302
        assert strict.get(path, headers=known).status_code == 200, "it is another one now"
        strict.cookies.clear()
        other = strict.get(path, headers=known)
        assert other.status_code == 200, "the token belongs to another cookie"
    assert "ETag" not in strict.get("/there-is-no-such-page").headers


def test_unknown_page_is_explained_in_the_language_of_the_user(client: Client) -> None:
    answer = client.get("/there-is-no-such-page", headers={"accept-language": "de"})
    assert answer.status_code == 404
    assert "Hier ist nichts" in answer.content.decode()


def test_large_body_is_answered_with_413(client: Client) -> None:
    answer = client.post("/i18n/setlang/", {"language": "x" * (settings.MAX_BODY_BYTES + 1)})
    assert answer.status_code == 413
    assert 'role="alert"' in answer.content.decode()


def test_too_many_fields_are_refused(client: Client) -> None:
    answer = client.post("/i18n/setlang/", {f"f{i}": "" for i in range(1100)})
    assert answer.status_code == 400


def test_invalid_content_length_is_refused(client: Client) -> None:
    assert client.post("/", CONTENT_LENGTH="-1").status_code in {400, 413}


def test_error_of_an_htmx_request_replaces_the_whole_page(client: Client) -> None:
    answer = client.get("/there-is-no-such-page", headers={"hx-request": "true"})
    assert answer.status_code == 404
    assert answer["HX-Retarget"] == "body"


@override_settings(ROOT_URLCONF="tests.site.broken_urls")
def test_broken_page_reveals_no_internals() -> None:
    answer = Client(raise_request_exception=False).get("/broken/")
    assert answer.status_code == 500
    assert "on purpose" not in answer.content.decode()
    assert 'role="alert"' in answer.content.decode()


def test_htmx_is_configured_to_be_strict_and_to_show_refusals() -> None:
    text = (Path(settings.BASE_DIR) / "templates" / "_htmx_config.html").read_text("utf-8")
    for word in (
        '"includeIndicatorStyles": false',
        '"allowEval": false',
        '"selfRequestsOnly": true',
        '{"code": "4..", "swap": true, "error": true}',
    ):
        assert word in text

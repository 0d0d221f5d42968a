"""Forms of pages with ``Referrer-Policy: no-referrer``, which some proxies add."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings
from playwright.sync_api import Browser, expect

from dizzle_site.asgi import make_application
from tests.browser.chromium import find_chromium
from tests.browser.conftest import CHROMIUM_ARGUMENTS, serve_app
from tests.browser.polling import TIMEOUT_MS
from tests.web.collected import as_collected

HOME_NAME = "games.lan"
"""Host name of the site in the local network."""


@pytest.fixture
def port(transactional_db: None) -> Iterator[str]:
    """Serve a site without the header and return its port."""
    with override_settings(SECURE_REFERRER_POLICY="no-referrer"), as_collected():
        application = make_application()
    with serve_app(application) as site:
        yield site.address.rpartition(":")[2]
        site.wait_until_idle()


@pytest.mark.parametrize(
    ("host", "says_site"), [("127.0.0.1", True), (HOME_NAME, False)], ids=["trusted", "plain-http"]
)
def test_forms_without_referrer_and_origin_work(
    browser: Browser, port: str, host: str, says_site: bool
) -> None:
    resolving = browser.browser_type.launch(
        executable_path=find_chromium(),
        args=[*CHROMIUM_ARGUMENTS, f"--host-resolver-rules=MAP {HOME_NAME} 127.0.0.1"],
    )
    page = resolving.new_page(locale="en-GB")
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"http://{host}:{port}/")
    with page.expect_request("**/setlang/") as form:
        page.locator(".language-button").click()
        page.locator("button[lang=de]").click()
    sent = form.value.all_headers()
    assert sent["origin"] == "null"
    assert ("sec-fetch-site" in sent) == says_site
    expect(page.locator("html")).to_have_attribute("lang", "de")
    resolving.close()

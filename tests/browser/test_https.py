"""Secure context and event streams over HTTPS with the site's own certificate authority."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser, Page

from dizzle_site.certificates import public_certificate
from tests.browser.chromium import find_chromium
from tests.browser.conftest import CHROMIUM_ARGUMENTS
from tests.browser.polling import TIMEOUT_MS
from tests.processes import free_port
from tests.site.served_site import serving, started_before

pytestmark = pytest.mark.own_servers

FIRST_EVENT = """(address) => new Promise((tell) => {
    new EventSource(address).addEventListener("revision", ({ data }) => tell(data));
    setTimeout(() => tell("nothing came"), 60_000);
})"""
"""Script that returns the data of the first event of a stream."""


@pytest.fixture
def secure_page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page in a browser that trusts the site's certificate authority."""
    port = free_port()
    with serving(started_before(tmp_path), HTTPS_PORT=str(port)):
        certificate = public_certificate(tmp_path)
        assert certificate
        der = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        digest = base64.b64encode(hashlib.sha256(der).digest()).decode()
        trusting = browser.browser_type.launch(
            executable_path=find_chromium(),
            args=[*CHROMIUM_ARGUMENTS, f"--ignore-certificate-errors-spki-list={digest}"],
        )
        page = trusting.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(f"https://127.0.0.1:{port}/")
        yield page
        trusting.close()


def test_pages_are_secure_contexts_and_receive_events(secure_page: Page) -> None:
    assert secure_page.evaluate("isSecureContext")
    assert secure_page.evaluate("'serviceWorker' in navigator && 'wakeLock' in navigator")
    secure_page.goto(secure_page.url + "table/new/")
    secure_page.locator("main form button.primary").first.click()
    stream = secure_page.locator("[data-live]").get_attribute("data-live")
    assert secure_page.evaluate(FIRST_EVENT, stream).isdecimal()

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
from tests.processes import free_port
from tests.site.running import serving, started_before

from .chromium import find_chromium
from .conftest import ARGUMENTS, PATIENCE_MS

pytestmark = pytest.mark.own_servers

FIRST_NEWS = """(address) => new Promise((tell) => {
    new EventSource(address).addEventListener("revision", ({ data }) => tell(data));
    setTimeout(() => tell("nothing came"), 60_000);
})"""


@pytest.fixture
def secure_page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page of a browser that takes this site's authority for a good one, on the site."""
    port = free_port()
    with serving(started_before(tmp_path), HTTPS_PORT=str(port)):
        certificate = public_certificate(tmp_path)
        assert certificate
        der = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        digest = base64.b64encode(hashlib.sha256(der).digest()).decode()
        trusting = browser.browser_type.launch(
            executable_path=find_chromium(),
            args=[*ARGUMENTS, f"--ignore-certificate-errors-spki-list={digest}"],
        )
        page = trusting.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"https://127.0.0.1:{port}/")
        yield page
        trusting.close()


def test_pages_are_secure_and_streams_come(secure_page: Page) -> None:
    assert secure_page.evaluate("isSecureContext")
    assert secure_page.evaluate("'serviceWorker' in navigator && 'wakeLock' in navigator")
    secure_page.goto(secure_page.url + "table/new/")
    secure_page.locator("main form button.primary").first.click()
    stream = secure_page.locator("[data-live]").get_attribute("data-live")
    assert secure_page.evaluate(FIRST_NEWS, stream).isdecimal()

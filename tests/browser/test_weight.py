"""Transfer size of first page loads, counting every byte that the server sends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.conftest import DEVICES, collect_errors
from tests.site.served_site import serving, started_before
from tests.web.test_weight import LIMIT_BYTES

HAS_NO_MOUSE = "addEventListener('pointerover', (event) => event.stopImmediatePropagation(), true)"
"""Script that hides the mouse, which Chromium places on a corner of each page of a phone."""


class TransferSizes:
    """Transferred bytes of a page by address, including headers."""

    def __init__(self, page: Page) -> None:
        self.fetched: dict[str, int] = {}
        addresses: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")

        def asked(event: dict[str, Any]) -> None:
            addresses[event["requestId"]] = event["request"]["url"]

        def came(event: dict[str, Any]) -> None:
            self.fetched[addresses[event["requestId"]]] = event["encodedDataLength"]

        session.on("Network.requestWillBeSent", asked)
        session.on("Network.loadingFinished", came)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a site served by `manage.py serve`."""
    with serving(started_before(tmp_path_factory.mktemp("site"))) as site:
        yield f"http://127.0.0.1:{site.port}"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A phone whose pages must log no error."""
    errors: list[str] = []
    context = browser.new_context(**DEVICES["phone"], locale="en-GB")
    collect_errors(context, errors)
    yield context
    context.close()
    assert not errors


@pytest.mark.own_servers
def test_first_loads_stay_small(browser: Browser, context: BrowserContext, base: str) -> None:
    page = context.new_page()
    page.goto(f"{base}/workshop/invent/")
    page.get_by_role("main").get_by_role("button").last.click()
    page.wait_for_url("**/workshop/*/")
    editor = page.url
    page.goto(f"{base}/table/new/")
    page.locator("[name=players][value='1']").check(force=True)
    page.locator("[name=dice][value=rolled]").check(force=True)
    page.get_by_role("button", name="Start a table").click()
    page.wait_for_url("**/table/*/")
    table = page.url
    for device, url in (
        ("phone", editor),
        ("phone", table),
        ("phone", f"{base}/print/"),
        ("desktop", f"{base}/print/"),
    ):
        fresh = browser.new_context(**DEVICES[device], storage_state=context.storage_state())
        page = fresh.new_page()
        page.add_init_script(HAS_NO_MOUSE)
        scales = TransferSizes(page)
        page.goto(url, wait_until="load")
        page.wait_for_timeout(300)  # until the page has fetched later resources
        assert len(scales.fetched) > 5
        assert sum(scales.fetched.values()) < LIMIT_BYTES, scales.fetched
        fresh.close()

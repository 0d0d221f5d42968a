"""What does a real browser fetch before a page is there? Every byte sent counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.conftest import DEVICES
from tests.site.running import serving
from tests.web.test_weight import LARGEST_BYTES, LIMIT_BYTES


class Scales:
    """What a page fetches, by address, headers and all."""

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


def test_first_loads_stay_small(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        base = f"http://127.0.0.1:{site.port}"
        context = browser.new_context(**DEVICES["phone"])
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
            scales = Scales(page)
            page.goto(url, wait_until="load")
            page.wait_for_timeout(300)  # for what the page fetches by itself
            assert len(scales.fetched) > 5
            limit = LARGEST_BYTES if url == table else LIMIT_BYTES
            assert sum(scales.fetched.values()) < limit, scales.fetched
            fresh.close()
        context.close()

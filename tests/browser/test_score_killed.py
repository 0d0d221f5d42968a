"""Acknowledged marks survive a killed server."""

import os
import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewContext
from tests.browser.own_server import start_server
from tests.processes import free_port
from tests.site.served_site import started_before


@pytest.mark.own_servers
def test_marks_outlive_a_killed_server(
    tmp_path: Path, new_context: NewContext, page_errors: list[str]
) -> None:
    port = free_port()
    server = start_server(started_before(tmp_path), port)
    try:
        page = new_context("phone").new_page()
        page.goto(f"http://127.0.0.1:{port}/score/new/level-2/")
        page.get_by_role("button", name="To the sheets").click()
        page.wait_for_url(re.compile("/1/$"))
        buttons = page.locator(".sheet-grid button[data-kind='']")
        names = [buttons.nth(i).get_attribute("data-at") for i in range(5)]
        for name in names:
            with page.expect_response("**/acts/") as answer:
                page.locator(f"[data-at={name}]").click()
            assert answer.value.ok
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        server = start_server(tmp_path, port)
        page.reload()
        for name in names:
            expect(page.locator(f"[data-field={name}] > .over > use")).to_have_count(1)
        page.close()
        page_errors.clear()  # the page may have polled the dead server
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()

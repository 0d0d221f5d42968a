"""What was acknowledged survives a server that is killed."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.processes import free_port
from tests.site.running import started_before

CHECKOUT = Path(__file__).parents[2]


def start_server(folder: Path, port: int, **variables: str) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ,
        "DATA_DIR": str(folder),
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "DJANGO_SETTINGS_MODULE": "dizzle_site.settings",
        **variables,
    }
    environment.pop("SECRET_KEY", None)
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve"],
        cwd=CHECKOUT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    opener = build_opener(ProxyHandler({}))
    end = time.monotonic() + 60
    while True:
        try:
            opener.open(f"http://127.0.0.1:{port}/score/", timeout=5)
            return server
        except OSError:
            assert time.monotonic() < end, "the server did not start"
            assert server.poll() is None, "the server ended"
            time.sleep(0.1)


@pytest.mark.own_servers
def test_marks_outlive_a_killed_server(
    tmp_path: Path, new_context: Callable[..., BrowserContext], page_errors: list[str]
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
        page_errors.clear()  # the page may have asked the dead server for news
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()

"""A real browser on the real server.

`open_page` is what most tests need: it opens a page as some device, and fails the test afterwards
if the page logged an error, threw one or broke the Content-Security-Policy.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    TimeoutError,
    expect,
    sync_playwright,
)

import sheets.levels
from dizzle_site.body_limit import App
from sheets.rules import parse_level
from sheets.workshop import store
from tests.garbage import collect_garbage
from tests.live.threads import join_stream_threads
from tests.score_levels import CASTLE
from tests.thread_server import serve_in_thread
from tests.web.collected import as_collected

from .chromium import MISSING, find_chromium, is_ci

DEVICES: dict[str, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
LOCALES = {"de": "de-DE", "en": "en-GB"}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--renderer-process-limit=1",  # no process in store for each context, which nobody needs
    "--disable-gpu",  # nor one that draws as a graphics card would
    "--disable-software-rasterizer",
    # Pages live for seconds: what is made of their scripts for the long run is never paid back.
    "--js-flags=--no-opt --no-maglev",
]
PATIENCE_MS = 60_000
LOADED_MS = 3_000
"""How long a click waits for a page to be loaded. Some tests hold back files for ever."""

expect.set_options(timeout=PATIENCE_MS)
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let Django leave files open: it does so when a browser goes before it has its answer."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"))


@pytest.fixture(scope="session", autouse=True)
def clicks_wait_for_scripts() -> Iterator[None]:
    """Let a click on a page that a click before it has opened wait until its scripts have run."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("click", "tap"):
            patch.setattr(Locator, name, after_load(getattr(Locator, name)))
        yield


def after_load(act: Callable[..., None]) -> Callable[..., None]:
    def wait_and_act(locator: Locator, **options: Any) -> None:
        with suppress(TimeoutError):
            locator.page.wait_for_load_state(timeout=LOADED_MS)
        act(locator, **options)

    return wait_and_act


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for all tests."""
    path = find_chromium()
    if not path:
        if is_ci():
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    # Playwright leaves an event loop in this thread, and Django would take our own look into the
    # database for one from inside that loop.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Site:
    """The site on a server in a thread of this process. `address` has no slash at its end."""

    def __init__(self, application: App) -> None:
        self.address = ""
        self._application = application
        self._requests = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self._requests += 1
        try:
            await self._application(scope, receive, send)
        finally:
            self._requests -= 1

    def wait_until_idle(self) -> None:
        """Wait for the end of all requests, streams included: they use the test's database."""
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while self._requests:
            assert time.monotonic() < deadline, "a request does not end"
            time.sleep(0.005)
        # These threads notice only after their next pause that there are no streams any more.
        join_stream_threads(PATIENCE_MS / 1000)


@contextmanager
def served(application: App) -> Iterator[Site]:
    """Serve an application."""
    site = Site(application)
    with serve_in_thread(site) as port:
        site.address = f"http://127.0.0.1:{port}"
        yield site


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """One server for all tests of this process, with collected scripts and styles."""
    from dizzle_site.asgi import make_application

    with as_collected():
        application = make_application()
    with served(application) as running:
        yield running


@pytest.fixture
def live_app(site: Site, transactional_db: None) -> Iterator[str]:
    """The address of the site, on the database of the test."""
    with as_collected():
        yield site.address
        site.wait_until_idle()
    # Django leaves files open where a browser goes before its answer has come.
    collect_garbage()


@pytest.fixture
def page_errors() -> Iterator[list[str]]:
    """What went wrong inside the pages; a test that expects something clears it."""
    errors: list[str] = []
    yield errors
    assert not errors, "\n".join(errors)


@pytest.fixture
def new_context(
    live_app: str, browser: Browser, page_errors: list[str]
) -> Iterator[Callable[..., BrowserContext]]:
    """Make a context, which is one device: `new_context("phone", "de", "dark", **more)`."""
    contexts: list[BrowserContext] = []

    def make(
        device: str = "phone", language: str = "en", theme: str = "light", **more: Any
    ) -> BrowserContext:
        options = DEVICES[device] | {"locale": LOCALES[language], "color_scheme": theme} | more
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        watch(context, page_errors)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def open_page(live_app: str, new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Open a path of the site as a device: `open_page("/", "phone", "de", "dark")`.

    With `has_clock` a test can move the page's time on (`page.clock`).
    """

    def open_path(path: str = "/", *device: str, has_clock: bool = False, **more: Any) -> Page:
        page = new_context(*device, **more).new_page()
        if has_clock:
            page.clock.install()
        page.goto(live_app + path)
        return page

    return open_path


def watch(context: BrowserContext, errors: list[str]) -> None:
    def note_message(message: ConsoleMessage) -> None:
        # Chromium reports a broken Content-Security-Policy as an error, too. A move that the rules
        # or a faster player refused is no mistake of the page; nor is a network that a test took.
        # htmx logs, too, what it gave up because something newer was asked for.
        expected = ("status of 409", "status of 422", "net::ERR_INTERNET_DISCONNECTED")
        expected += ("Error Code 409", "Error Code 422", "htmx:afterRequest", "htmx:sendAbort")
        is_expected = any(words in message.text for words in expected)
        if message.type in {"error", "warning"} and not is_expected:
            errors.append(f"{message.type}: {message.text}")

    context.on("console", note_message)
    context.on("weberror", lambda error: errors.append(f"exception: {error.error}"))


@pytest.fixture
def made(transactional_db: None) -> Callable[..., str]:
    """Begin a level behind the pages' back; gives its path."""

    def make(*grid: str, **more: object) -> str:
        document = {
            "format": "dizzle-level/1",
            "id": "own-1",
            "name": {"de": "Garten", "en": "Garden"},
            "grid": list(grid or ("3x 5 1Gy", "2 4 6Fr", "? 1 -P")),
            **more,
        }
        return f"/workshop/{store.create(document)}/"

    return make


@pytest.fixture
def castle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let level-2 be one whose totals a test has worked out, however it is balanced later."""
    levels = {**sheets.levels.shipped_levels(), "level-2": parse_level(CASTLE)}
    monkeypatch.setattr(sheets.levels, "shipped_levels", lambda: levels)

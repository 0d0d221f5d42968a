"""Fixtures for browser tests: Chromium, the site on a server in this process, and pages on devices.

Most tests need only `open_page`. It opens a page as a device and fails the test afterwards if the
page logged an error, threw an exception or violated the Content-Security-Policy.
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
    Error,
    Locator,
    Page,
    TimeoutError,
    expect,
    sync_playwright,
)

import sheets.levels
from dizzle_site.body_limit import App
from dizzle_site.languages import LANGUAGES
from sheets.rules import parse_level
from sheets.workshop import store
from tests.browser.chromium import MISSING, find_chromium, is_ci
from tests.browser.polling import TIMEOUT_MS
from tests.garbage_collection import collect_garbage
from tests.live.threads import join_stream_threads
from tests.score_levels import CASTLE
from tests.thread_server import serve_in_thread
from tests.web.collected import as_collected

PHONE_WIDTH = 390
"""Width of a phone's screen in CSS pixels."""

DEVICES: dict[str, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": PHONE_WIDTH, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
"""Options of Playwright by device."""

OpenPage = Callable[..., Page]
"""Type of the fixture `open_page`."""

NewContext = Callable[..., BrowserContext]
"""Type of the fixture `new_context`."""

MakePath = Callable[..., str]
"""Type of a fixture that stores a level or a game and returns the path of its page."""

LOCALES = {code: f"{code}-{code.upper()}" for code, _name in LANGUAGES} | {"en": "en-GB"}
"""Locale of the browser by language."""

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--renderer-process-limit=1",  # no spare process for each context
    "--disable-gpu",  # no process that emulates a graphics card
    "--disable-software-rasterizer",
    # Pages live for seconds: optimising their scripts costs more than it saves.
    "--js-flags=--no-opt --no-maglev",
]
"""Command-line arguments of Chromium, without services and processes that tests do not need."""

LOAD_TIMEOUT_MS = 3_000
"""Maximum time that a click waits for the page to load. Some tests never deliver a file."""

expect.set_options(timeout=TIMEOUT_MS)
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ignore files that Django leaves open when a browser aborts a request."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning"))


@pytest.fixture(scope="session", autouse=True)
def clicks_wait_for_scripts() -> Iterator[None]:
    """Make clicks wait until the page is loaded with its scripts."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("click", "tap"):
            patch.setattr(Locator, name, wait_for_load(getattr(Locator, name)))
        yield


def wait_for_load(act: Callable[..., None]) -> Callable[..., None]:
    """Return a method of `Locator` that waits for the page's load event first."""

    def wait_and_act(locator: Locator, **options: Any) -> None:
        with suppress(TimeoutError):
            locator.page.wait_for_load_state(timeout=LOAD_TIMEOUT_MS)
        act(locator, **options)

    return wait_and_act


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium for all tests of this process."""
    path = find_chromium()
    if not path:
        if is_ci():
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    # Playwright runs an event loop in this thread. Django refuses database queries there
    # unless this is set, although the tests query outside of that loop.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


class Site:
    """The site on a server in a thread of this process; `address` has no slash at its end."""

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
        """Wait for the end of all requests, including streams: they use the test's database."""
        deadline = time.monotonic() + TIMEOUT_MS / 1000
        while self._requests:
            assert time.monotonic() < deadline, "a request does not end"
            time.sleep(0.005)
        # These threads notice only after their next pause that there are no streams left.
        join_stream_threads(TIMEOUT_MS / 1000)


@contextmanager
def serve_app(application: App) -> Iterator[Site]:
    """Serve an application in a thread."""
    site = Site(application)
    with serve_in_thread(site) as port:
        site.address = f"http://127.0.0.1:{port}"
        yield site


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """One server for all tests of this process, with collected scripts and style sheets."""
    from dizzle_site.asgi import make_application

    with as_collected():
        application = make_application()
    with serve_app(application) as running:
        yield running


@pytest.fixture
def live_app(site: Site, transactional_db: None) -> Iterator[str]:
    """Address of the site, which uses the database of the test."""
    with as_collected():
        yield site.address
        site.wait_until_idle()
    # Django leaves files open when a browser aborts a request.
    collect_garbage()


@pytest.fixture
def page_errors() -> Iterator[list[str]]:
    """Errors inside the pages; a test that expects some clears the list."""
    errors: list[str] = []
    yield errors
    assert not errors, "\n".join(errors)


@pytest.fixture
def new_context(live_app: str, browser: Browser, page_errors: list[str]) -> Iterator[NewContext]:
    """Create a browser context, that is a device: `new_context("phone", "de", "dark", **more)`."""
    contexts: list[BrowserContext] = []

    def make(
        device: str = "phone", language: str = "en", theme: str = "light", **more: Any
    ) -> BrowserContext:
        options = DEVICES[device] | {"locale": LOCALES[language], "color_scheme": theme} | more
        context = browser.new_context(**options)
        context.set_default_timeout(TIMEOUT_MS)
        contexts.append(context)
        collect_errors(context, page_errors)
        return context

    yield make
    for context in contexts:
        close_context(context)


def close_context(context: BrowserContext) -> None:
    """Close a context whose pages may be loading: running route handlers fail without an error."""
    if context.is_closed():
        return
    for page in context.pages:
        with suppress(Error):  # the page may be closing
            page.unroute_all(behavior="ignoreErrors")
    context.unroute_all(behavior="ignoreErrors")
    context.close()


@pytest.fixture
def open_page(live_app: str, new_context: NewContext) -> OpenPage:
    """Open a path of the site on a device: `open_page("/", "phone", "de", "dark")`.

    With `has_clock` a test can advance the page's time (`page.clock`).
    """

    def open_path(path: str = "/", *device: str, has_clock: bool = False, **more: Any) -> Page:
        page = new_context(*device, **more).new_page()
        if has_clock:
            page.clock.install()
        page.goto(live_app + path)
        return page

    return open_path


def collect_errors(context: BrowserContext, errors: list[str]) -> None:
    """Append the errors and warnings of a context's pages to a list."""

    def note_message(message: ConsoleMessage) -> None:
        # Chromium also reports violations of the Content-Security-Policy as errors. Expected
        # are refused moves (409, 422), a network that a test has disconnected, and requests
        # that htmx aborted in favour of newer ones.
        expected = ("status of 409", "status of 422", "net::ERR_INTERNET_DISCONNECTED")
        expected += ("Error Code 409", "Error Code 422", "htmx:afterRequest", "htmx:sendAbort")
        is_expected = any(words in message.text for words in expected)
        if message.type in {"error", "warning"} and not is_expected:
            errors.append(f"{message.type}: {message.text}")

    context.on("console", note_message)
    context.on("weberror", lambda error: errors.append(f"exception: {error.error}"))


@pytest.fixture
def make_level(transactional_db: None) -> MakePath:
    """Store a level of the workshop and return its path."""

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
    """Replace level-2 by a level with known totals, which balancing never changes."""
    levels = {**sheets.levels.shipped_levels(), "level-2": parse_level(CASTLE)}
    monkeypatch.setattr(sheets.levels, "shipped_levels", lambda: levels)

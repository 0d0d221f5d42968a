"""Fixtures: a served site and a device of every installed engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browser.chromium import MISSING, find_chromium
from tests.browser.own_server import start_server
from tests.engines.driver import Driver
from tests.engines.installed import NO_FIREFOX, NO_WEBKIT, find_firefox, find_webkit
from tests.engines.page_errors import error_log
from tests.processes import free_port
from tests.site.served_site import started_before

OpenDriver = Callable[[str], Driver]
"""Type of the fixture `open_driver`."""

ENGINES = ("firefox", "webkit", "chromium")
"""Names of the tested engines."""

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder, so that they run on request only."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("engines")


class Site(NamedTuple):
    """The site served by `manage.py serve`, and the file with the errors of its pages."""

    url: str
    error_log: Path


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all tests; an error that a page reports late fails the next test."""
    folder, port = started_before(tmp_path_factory.mktemp("engines")), free_port()
    server = start_server(folder, port, DJANGO_SETTINGS_MODULE="tests.engines.settings")
    yield Site(f"http://127.0.0.1:{port}", error_log(folder))
    server.terminate()
    server.wait()


@pytest.fixture(scope="session")
def engine_drivers(site: Site) -> Iterator[OpenDriver]:
    """One device of each engine, started on first use and never reset."""
    with ExitStack() as stack:

        @cache
        def start(engine: str) -> Driver:
            driver = start_engine(engine, site.url)
            stack.callback(driver.close)
            return driver

        yield start


@pytest.fixture
def open_driver(site: Site, engine_drivers: OpenDriver) -> Iterator[OpenDriver]:
    """Return the device of an engine; fail the test if a page reported an error."""
    yield engine_drivers
    said = site.error_log.read_text("utf-8") if site.error_log.exists() else ""
    site.error_log.unlink(missing_ok=True)
    assert not said, said


def start_engine(engine: str, site: str) -> Driver:
    """Start an engine, or skip the test if it is not installed."""
    if engine == "chromium":
        from tests.engines.chromium import Chromium

        if not (program := find_chromium()):
            pytest.skip(MISSING)
        return Chromium(site, program)
    if engine == "firefox":
        from tests.engines.firefox import Firefox

        if not (program := find_firefox()):
            pytest.skip(NO_FIREFOX)
        return Firefox(site, program)
    from tests.engines.webkit import WebKit

    found = find_webkit()
    if missing := [name for name, path in found.items() if not path]:
        pytest.skip(NO_WEBKIT + ", ".join(missing))
    return WebKit(site, (found["Xvfb"], found["WebKitWebDriver"], found["MiniBrowser"]))

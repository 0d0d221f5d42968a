"""A site of its own, and devices of every engine that is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browser.chromium import MISSING, find_chromium
from tests.browser.test_score_killed import start_server
from tests.processes import free_port
from tests.site.running import started_before

from .driver import Driver
from .installed import NO_FIREFOX, NO_WEBKIT, find_firefox, find_webkit
from .watching import said_in

Drive = Callable[[str], Driver]
ENGINES = ("firefox", "webkit", "chromium")
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all that is here: it runs only where somebody asks for it."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker("engines")


class Site(NamedTuple):
    """The site as `manage.py serve` runs it, and where its pages tell what is wrong in them."""

    url: str
    said: Path


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One site for all walks; what a page tells late fails the walk after its own."""
    folder, port = started_before(tmp_path_factory.mktemp("engines")), free_port()
    server = start_server(folder, port, DJANGO_SETTINGS_MODULE="tests.engines.settings")
    yield Site(f"http://127.0.0.1:{port}", said_in(folder))
    server.terminate()
    server.wait()


@pytest.fixture(scope="session")
def engines(site: Site) -> Iterator[Drive]:
    """One device of each engine, started when it is first wanted; it stays as it was left."""
    with ExitStack() as stack:

        @cache
        def start(engine: str) -> Driver:
            driver = start_engine(engine, site.url)
            stack.callback(driver.close)
            return driver

        yield start


@pytest.fixture
def drive(site: Site, engines: Drive) -> Iterator[Drive]:
    """Give the device of an engine; fails the test if a page told of something wrong."""
    yield engines
    said = site.said.read_text("utf-8") if site.said.exists() else ""
    site.said.unlink(missing_ok=True)
    assert not said, said


def start_engine(engine: str, site: str) -> Driver:
    if engine == "chromium":
        from .chromium import Chromium

        if not (program := find_chromium()):
            pytest.skip(MISSING)
        return Chromium(site, program)
    if engine == "firefox":
        from .firefox import Firefox

        if not (program := find_firefox()):
            pytest.skip(NO_FIREFOX)
        return Firefox(site, program)
    from .webkit import WebKit

    found = find_webkit()
    if missing := [name for name, path in found.items() if not path]:
        pytest.skip(NO_WEBKIT + ", ".join(missing))
    return WebKit(site, (found["Xvfb"], found["WebKitWebDriver"], found["MiniBrowser"]))

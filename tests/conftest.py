"""Fixtures, marks and settings of all tests."""

import os
import signal
from collections.abc import Iterator

import pytest
from django.utils import translation

from sheets.http import rate_limits, rendering
from sheets.workshop.suggest import tuning
from tests.durations import kind_of
from tests.garbage_collection import collect_garbage
from tests.photos.reading_cache import read_once

# Importing it adds a language, so only a process with these settings may do that.
collect_ignore = ["one_more_language.py"]

# A shell that starts the tests in the background makes all their processes ignore SIGINT, which
# some tests send to end a process.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests with servers of their own as slow, and set the kinds for `make test-times`."""
    for item in items:
        if item.get_closest_marker("own_servers"):
            item.add_marker("slow")
        item.user_properties.append(("kind", kind_of(item)))


def pytest_collection_finish() -> None:
    """Exempt all modules and thousands of tests from garbage collection."""
    collect_garbage()


@pytest.fixture(autouse=True)
def _language_of_the_test() -> Iterator[None]:
    """Activate English before every test."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_proxy() -> None:
    """Ignore proxies of the environment, so that requests to this machine are direct."""
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"


@pytest.fixture
def few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tune suggested levels with few games, for tests that do not depend on their totals."""
    monkeypatch.setattr(tuning, "SAMPLE_GAMES", 8)
    monkeypatch.setattr(tuning, "MAX_TRIALS", 2)


@pytest.fixture
def photos_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache the readings of photos across tests; one takes a second."""
    read_once(monkeypatch)


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """Reset all rate limits and the cache of rendered files before every test."""
    rate_limits.reset()
    rendering.clear_cache()

"""Fixtures, marks and settings of all tests."""

import os
import signal
from collections.abc import Iterator

import pytest
from django.utils import translation

from sheets.http import rate_limits, rendering
from sheets.workshop.suggest import tuning
from tests.garbage import collect_garbage
from tests.photos.read_once import read_once
from tests.times import kind_of

# To import it is to have one language more: only the process that has it for its settings may.
collect_ignore = ["one_more_language.py"]

# A script that starts the tests in the background has all that they start ignore Ctrl-C, by which
# some of them end what they have started.
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
    """Spare the garbage collector all modules and thousands of tests."""
    collect_garbage()


@pytest.fixture(autouse=True)
def _language_of_the_test() -> Iterator[None]:
    """Start every test in English, whatever language the one before it ended in."""
    with translation.override("en"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_proxy() -> None:
    """Keep requests to this machine away from a proxy that the environment may name."""
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"


@pytest.fixture
def few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play few games for suggestions of levels, for tests that are not about how these play."""
    monkeypatch.setattr(tuning, "SAMPLE", 8)
    monkeypatch.setattr(tuning, "TRIALS", 2)


@pytest.fixture
def photos_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read a photo once for all tests that send it: it takes a second each time."""
    read_once(monkeypatch)


@pytest.fixture(autouse=True)
def _nobody_has_tried_yet() -> None:
    """Let no test use up what another one may still try."""
    rate_limits.reset()
    rendering.clear_cache()

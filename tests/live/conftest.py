"""A served site in this process, and a table at it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from django.db import connections

from sheets.http import rate_limits
from sheets.levels import find_level
from sheets.live import hub
from sheets.tables import seating
from sheets.tables.access import find_access
from tests.garbage_collection import collect_garbage
from tests.live.phones import Phone
from tests.live.threads import join_stream_threads, stream_threads
from tests.thread_server import serve_in_thread

ANA, BEN = "ana".ljust(43, "-"), "ben".ljust(43, "-")


@pytest.fixture
def port(transactional_db: None) -> Iterator[int]:
    """Serve the site in this process; yield its port."""
    from dizzle_site.asgi import application

    rate_limits.reset()
    with serve_in_thread(application) as port:
        yield port
    assert hub.count() == 0
    join_stream_threads(5)
    assert not stream_threads()
    connections.close_all()
    collect_garbage()


@pytest.fixture
def call(port: int) -> Iterator[Callable[..., Phone]]:
    """Open a stream: ``call(code, token, **headers)``."""
    phones: list[Phone] = []

    def call(code: str, token: str = "", shows: str | None = None, **headers: str) -> Phone:
        phones.append(Phone(port, code, token, shows, **headers))
        return phones[-1]

    yield call
    for phone in phones:
        phone.hang_up()
    _wait_until(lambda: hub.count() == 0)


@pytest.fixture
def code(port: int) -> str:
    """Open a table of level-1 with real dice for Ana, the host, and Ben; return its code."""
    code = seating.open_table(
        find_level("level-1"), "level-1", players=2, dice="table", name="Ana", token=ANA
    )
    seating.take_seat(find_access(code), 1, "Ben", BEN)
    return code


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()

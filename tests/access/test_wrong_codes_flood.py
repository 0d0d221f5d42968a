"""Rate limit of wrong codes in a running server: pages and streams, many requests at once."""

from __future__ import annotations

import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.site.served_site import Site, serving, started_before

pytestmark = pytest.mark.own_servers

TOKEN = "t" * 32
NEW_TABLE = "level=level-1&players=2&dice=table&name=Ana"
FREE = 30
GUESSERS = 8


def new_table(site: Site) -> tuple[str, str]:
    """Open a table; return its address and its code to type."""
    address = site.ask(
        "/table/new/",
        "POST",
        NEW_TABLE,
        Cookie=f"csrftoken={TOKEN}",
        X_CSRFToken=TOKEN,
        Content_Type="application/x-www-form-urlencoded",
    ).headers["location"]
    typed = re.search(r'class="code">(\w{5})<', site.ask(address).text)
    assert typed
    return address, typed[1]


def test_flood_of_wrong_codes_is_refused_while_links_work(tmp_path: Path) -> None:
    with serving(started_before(tmp_path)) as site:
        address, typed = new_table(site)
        statuses = Counter[int]()
        lock = threading.Lock()

        def guess(number: int) -> None:
            for letter in "ABCDEFGHJK":
                answer = site.ask(f"/table/WR{number}{letter}X/")
                with lock:
                    statuses[answer.status] += 1
                assert site.ask(address).status == 200

        with ThreadPoolExecutor(GUESSERS) as guessers:
            list(guessers.map(guess, range(GUESSERS)))
        # Simultaneous lookups may exceed the limit.
        assert FREE <= statuses[404] <= FREE + GUESSERS
        assert statuses.total() == statuses[404] + statuses[429]
        assert site.ask(f"/table/{typed}/").status == 429


@pytest.mark.parametrize("address", ["table/WRNG2/", "live/WRNG2/"])
def test_pages_and_streams_count_wrong_codes_together(tmp_path: Path, address: str) -> None:
    with serving(started_before(tmp_path)) as site:
        for number in range(FREE):
            path = f"/live/WR{number:02}N/" if number % 2 else "/table/WRNG2/"
            assert site.ask(path).status == 404
        assert site.ask(f"/{address}").status == 429

"""A prankster floods a served site with wrong codes from the network that others come from, too."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import pytest

from tests.site.running import Answer, Site, serving, started_before

pytestmark = pytest.mark.own_servers

TOKEN = "t" * 32
NEW_TABLE = "level=level-1&players=2&dice=table&name=Ana"
PATIENCE_S = 120
FLOOD = 4
"""Of each kind of prankster so many."""


class Prankster(threading.Thread):
    """Tries wrong codes as fast as the site answers; a patient one comes back with each ticket."""

    def __init__(self, site: Site, number: int, *, is_patient: bool) -> None:
        super().__init__(daemon=True)
        self.site, self.number, self.is_patient = site, number, is_patient
        self.is_over = threading.Event()
        self.tried = self.told = 0

    def run(self) -> None:
        while not self.is_over.is_set():
            self.tried += 1
            url = f"/table/W{self.number}{self.tried:05}/"
            while not self.is_over.is_set():
                answer = self.site.ask(url)
                self.told += answer.status == 404
                if answer.status != 202 or not self.is_patient:
                    break
                url = wait(answer, self.is_over)


def wait(answer: Answer, is_over: threading.Event) -> str:
    """Wait as a browser does; gives the address that comes next."""
    found = re.fullmatch(r"(\d+); url=(.+)", answer.headers["refresh"])
    assert found
    is_over.wait(int(found[1]))
    return found[2]


def test_a_right_code_gets_in_while_a_prankster_floods(tmp_path: Path) -> None:
    with serving(started_before(tmp_path)) as site:
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
        pranksters = [Prankster(site, n, is_patient=n < FLOOD) for n in range(2 * FLOOD)]
        began = time.monotonic()
        for prankster in pranksters:
            prankster.start()
        while site.ask(f"/table/{typed[1]}/").status != 202:
            assert time.monotonic() - began < PATIENCE_S
        answer = site.ask(f"/table/?code={typed[1]}")
        while answer.status == 202:
            assert time.monotonic() - began < PATIENCE_S
            # Who has the link is at the table meanwhile.
            assert site.ask(address).status == 200
            answer = site.ask(wait(answer, threading.Event()))
        assert answer.status == 302
        assert answer.headers["location"] == address
        for prankster in pranksters:
            prankster.is_over.set()
        for prankster in pranksters:
            prankster.join(PATIENCE_S)
        took_s = time.monotonic() - began
    assert sum(prankster.tried for prankster in pranksters[FLOOD:]) > 50
    # The ten at the beginning, and one in a second: no more was found out.
    assert sum(prankster.told for prankster in pranksters) <= 10 + took_s + 1


@pytest.mark.parametrize("address", ["table/WRNG2/", "live/WRNG2/"])
def test_codes_are_counted_together_wherever_they_come(tmp_path: Path, address: str) -> None:
    with serving(started_before(tmp_path)) as site:
        for number in range(10):
            assert site.ask(f"/live/WRNG{number}/" if number % 2 else "/table/WRNG2/").status == 404
        assert site.ask(f"/{address}").status in (202, 429)

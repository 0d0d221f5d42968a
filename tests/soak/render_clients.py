"""Forty clients that ask for pictures and PDFs at the same time."""

from __future__ import annotations

import threading
import time

from tests.soak.answers import judge_page
from tests.soak.devices import Broken, Device
from tests.soak.ledger import Ledger
from tests.soak.sites import Site

COUNT = 40
TIMEOUT_S = 70.0
"""Maximum time until an answer (docs/reference.md): 10 s for a free process, 60 s for drawing."""

EVERY_LEVEL = "&".join(f"level=level-{number}" for number in range(1, 9))
WANTED = (
    ("/table/{code}/0.png", b"\x89PNG"),
    ("/table/{code}/sheets.pdf", b"%PDF"),
    ("/table/{code}/1.png", b"\x89PNG"),
    (f"/print/sheets.pdf?paper=a4&copies=20&{EVERY_LEVEL}", b"%PDF"),
    ("/print/page-1.svg?paper=a4&level=level-2", b"<"),
)
"""Paths, and how the body of a successful answer begins."""


def draw(ledger: Ledger, site: Site, seconds: float) -> None:
    """Run the clients for ``seconds``, each from an address of its own, one request at a time."""
    ends = time.monotonic() + seconds
    code = next(iter(ledger.codes))
    people = [
        threading.Thread(target=_ask_on, args=(ledger, site, code, number, ends), daemon=True)
        for number in range(COUNT)
    ]
    for person in people:
        person.start()
    for person in people:
        person.join()


def _ask_on(ledger: Ledger, site: Site, code: str, number: int, ends: float) -> None:
    device = Device(ledger, site.a_port, site.closing)
    turn = number
    while time.monotonic() < ends and not site.closing.is_set():
        path, begins = WANTED[turn % len(WANTED)]
        turn += 1
        try:
            answer = device.ask(path.format(code=code), accept="*/*", patience_s=TIMEOUT_S)
        except Broken as broken:
            ledger.complain(f"a drawing: {broken}")
            continue
        if fault := judge_page(answer, begins=begins):
            ledger.complain(f"a drawing: {fault}")
        if answer.status in (429, 503):
            site.closing.wait(0.5)

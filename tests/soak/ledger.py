"""What was sent, what was acknowledged, and what was answered in a way that nobody explains?"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Ledger:
    """What the devices of one scenario know; all of them write into it at the same time."""

    def __init__(self) -> None:
        self.sent: dict[str, str] = {}
        """The code of the table by the id of the request."""
        self.acknowledged: set[str] = set()
        self.refused: set[str] = set()
        self.unexplained: Counter[str] = Counter()
        self.codes: set[str] = set()
        self.slowest_s = 0.0
        self._faults: list[list[float]] = []
        self._lock = threading.Lock()

    def send(self, request: str, code: str) -> None:
        """An act is about to be sent for the first time."""
        with self._lock:
            self.sent[request] = code

    def acknowledge(self, request: str) -> None:
        """The server says that it has carried the act out."""
        with self._lock:
            self.acknowledged.add(request)

    def refuse(self, request: str) -> None:
        """The server says, with a reason, that it has not carried the act out."""
        with self._lock:
            self.refused.add(request)

    def complain(self, reason: str, times: int = 1) -> None:
        """Something happened that nobody explains."""
        if reason and times:
            with self._lock:
                self.unexplained[reason] += times

    def took(self, seconds: float) -> None:
        """An answer came after so long."""
        with self._lock:
            self.slowest_s = max(self.slowest_s, seconds)

    @contextmanager
    def fault(self) -> Iterator[None]:
        """While this lasts connections may break: there is a reason for it."""
        window = [time.monotonic(), float("inf")]
        with self._lock:
            self._faults.append(window)
        try:
            yield
        finally:
            window[1] = time.monotonic()

    def explains(self, began: float) -> bool:
        """Whether there was a fault at any time since ``began`` (time.monotonic())."""
        with self._lock:
            return any(end >= began for _start, end in self._faults)


def check(ledger: Ledger, stored: dict[str, Any]) -> tuple[int, int]:
    """Compare with what is stored: how many acts were lost, and how many were done twice.

    ``stored`` is what `tests.soak.stored` prints. What is wrong otherwise goes into the ledger.
    """
    lost = sum(_lost_at(ledger, code, stored.get(code)) for code in ledger.codes)
    doubled = sum(_doubled_at(ledger, table) for table in stored.values())
    for table in stored.values():
        if table["problem"]:
            ledger.complain(f"a log that does not replay: {table['problem']}")
        requests = {request for _number, request, _do in table["entries"]}
        ledger.complain("refused, and stored all the same", len(requests & ledger.refused))
    return lost, doubled


def _lost_at(ledger: Ledger, code: str, table: dict[str, Any] | None) -> int:
    """Acknowledged acts that are not in the log, and numbers that are missing in it."""
    acknowledged = {request for request in ledger.acknowledged if ledger.sent[request] == code}
    if table is None:
        return max(1, len(acknowledged))
    requests = {request for _number, request, _do in table["entries"]}
    numbers = {number for number, _request, _do in table["entries"]}
    missing = set(range(1, max([table["length"], *numbers]) + 1)) - numbers
    return len(acknowledged - requests) + len(missing)


def _doubled_at(ledger: Ledger, table: dict[str, Any]) -> int:
    """Entries of one request or one number twice, and entries that no device asked for.

    At the tables of `tests.soak.load` nothing happens by itself but the ends of passes.
    """
    entries = table["entries"]
    requests = [request for _number, request, do in entries if request or do != "end_pass"]
    numbers = [number for number, _request, _do in entries]
    unknown = [request for request in requests if request not in ledger.sent]
    known = [request for request in requests if request in ledger.sent]
    return len(unknown) + len(known) - len(set(known)) + len(numbers) - len(set(numbers))

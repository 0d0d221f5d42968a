"""Ledger of one scenario: actions sent, their answers, and the check against the stored logs."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

ACKNOWLEDGED: Final = 200
REFUSED: Final = (409, 422)
NO_TABLE: Final[Mapping[str, Any]] = {"length": 0, "entries": (), "problem": ""}


@dataclass
class SentAction:
    """One action a device sent, and its answer; ``status`` is 0 while there is none."""

    request: str
    code: str
    path: str
    fields: Mapping[str, object]
    sent_at_s: float
    status: int = 0
    answer: str = ""
    answered_at_s: float = 0.0

    def __str__(self) -> str:
        """Format request and answer as one line."""
        fields = {name: value for name, value in self.fields.items() if name != "request"}
        sent = f"{self.request} at {self.sent_at_s:.3f} s: {self.path} {json.dumps(fields)}"
        if not self.status:
            return f"{sent}; no answer"
        return f"{sent}; answer at {self.answered_at_s:.3f} s: {self.status} {self.answer}"


@dataclass
class Fault:
    """A fault the scenario causes; ``end`` is by time.monotonic(), infinite while it lasts."""

    is_down: bool
    end: float


class Finding(NamedTuple):
    """One lost or doubled action: the code of its table, and a sentence with the evidence."""

    code: str
    text: str


class Findings(NamedTuple):
    """All lost and doubled actions of a scenario, and the logs of their tables."""

    lost: Sequence[Finding] = ()
    doubled: Sequence[Finding] = ()
    logs: Mapping[str, Sequence[str]] = {}  # never changed


class Ledger:
    """Thread-safe record of what the devices of one scenario sent and were answered."""

    def __init__(self) -> None:
        self.sent: dict[str, SentAction] = {}
        """By the id of the request."""
        self.unexplained: Counter[str] = Counter()
        self.codes: set[str] = set()
        """Codes of the tables at which a game was started."""
        self.slowest_s = 0.0
        self._acknowledged = 0
        self._began = time.monotonic()
        self._faults: list[Fault] = []
        self._lock = threading.Lock()

    @property
    def acknowledged(self) -> int:
        """Number of actions that the server has acknowledged."""
        return self._acknowledged

    def send(self, request: str, code: str, path: str, fields: Mapping[str, object]) -> None:
        """Record an action before it is sent for the first time."""
        with self._lock:
            self.sent[request] = SentAction(request, code, path, fields, self._now_s())

    def answer(self, request: str, status: int, answer: str) -> None:
        """Record the final answer: 200 acknowledges the action, 409 and 422 refuse it."""
        with self._lock:
            action = self.sent[request]
            action.status, action.answer, action.answered_at_s = status, answer, self._now_s()
            self._acknowledged += status == ACKNOWLEDGED

    def complain(self, reason: str, times: int = 1) -> None:
        """Record something that has no explanation."""
        if reason and times:
            with self._lock:
                self.unexplained[reason] += times

    def took(self, seconds: float) -> None:
        """Record how long an answer took."""
        with self._lock:
            self.slowest_s = max(self.slowest_s, seconds)

    @contextmanager
    def fault(self, *, is_down: bool = False) -> Iterator[None]:
        """Declare a fault: while it lasts, broken connections are explained.

        Args:
            is_down: a server is killed and started again. Then missing answers are explained, too:
                connections queue at the new server's socket until it has loaded the site.
        """
        fault = Fault(is_down, float("inf"))
        with self._lock:
            self._faults.append(fault)
        try:
            yield
        finally:
            fault.end = time.monotonic()

    def explains(self, asked: float, *, is_silence: bool = False) -> bool:
        """Return whether a fault explains a failed request.

        Args:
            asked: when the request was sent, time.monotonic(). A fault from then on explains it.
            is_silence: whether no answer came in time; else the connection broke.
        """
        with self._lock:
            return any(f.end >= asked and (f.is_down or not is_silence) for f in self._faults)

    def _now_s(self) -> float:
        return time.monotonic() - self._began


def check(ledger: Ledger, stored: Mapping[str, Any]) -> Findings:
    """Return lost and doubled actions; record other faults of the logs as unexplained.

    Every acknowledged action must be exactly one entry of its table's log. There is no exception,
    because devices send no action without an effect (`tests.soak.load`).

    Args:
        ledger: the record of all devices, which have stopped.
        stored: by code of the table, as `tests.soak.stored_logs` prints it.
    """
    lost = list(_lost_actions(ledger, stored))
    doubled: list[Finding] = []
    for code, table in stored.items():
        lost += (Finding(code, f"entry {n} is missing in the log") for n in _gaps(table))
        doubled += (Finding(code, text) for text in _doubled_entries(ledger, table))
        if table["problem"]:
            ledger.complain(f"a log that does not replay: {table['problem']}")
        requests = {request for _number, request, _action in table["entries"] if request}
        known = [ledger.sent[request] for request in requests if request in ledger.sent]
        refused = [action for action in known if action.status in REFUSED]
        ledger.complain("refused, and stored all the same", len(refused))
    codes = {finding.code for finding in (*lost, *doubled)}
    logs = {code: _log_lines(stored.get(code, NO_TABLE)) for code in sorted(codes)}
    return Findings(lost, doubled, logs)


def _lost_actions(ledger: Ledger, stored: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield acknowledged actions that are in no log, and missing tables."""
    entries = (entry for table in stored.values() for entry in table["entries"])
    requests = {request for _number, request, _action in entries}
    for action in ledger.sent.values():
        if action.status == ACKNOWLEDGED and action.request not in requests:
            yield Finding(action.code, f"acknowledged and not in the log: {action}")
    for code in ledger.codes - stored.keys():
        yield Finding(code, "the whole table is missing")


def _gaps(table: Mapping[str, Any]) -> list[int]:
    """Return the missing numbers of a log."""
    numbers = {number for number, _request, _action in table["entries"]}
    return sorted(set(range(1, max([table["length"], *numbers]) + 1)) - numbers)


def _doubled_entries(ledger: Ledger, table: Mapping[str, Any]) -> Iterator[str]:
    """Yield entries with the request or number of another one, and entries without a request.

    At the tables of `tests.soak.load` only the ends of passes are automatic.
    """
    seen: set[object] = set()
    for number, request, action in table["entries"]:
        if number in seen:
            yield f"two entries have the number {number}"
        elif request in seen:
            yield f"entry {number} repeats the request {request}"
        elif request not in ledger.sent and (request or action["do"] != "end_pass"):
            yield f"no device asked for entry {number}"
        seen |= {number, request} - {None}


def _log_lines(table: Mapping[str, Any]) -> list[str]:
    return [
        f"{number:5}  {request or '-':21}  {json.dumps(action)}"
        for number, request, action in table["entries"]
    ]

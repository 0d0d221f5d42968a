"""How long does the editor's page wait until an edit is stored, beside a view that does nothing?

Both go through the same server, middleware and connection, alternating; an edit reads the draft,
applies itself, stores a step that can be taken back, checks the level and answers with all of it.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench._site import begin, served, uvicorn  # noqa: E402

ROUNDS = 150
WARM_UP = 10


class Page:
    """The editor's side of a kept connection."""

    def __init__(self, port: int) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=30)
        self.connection.request("GET", "/workshop/copy/")
        answer = self.connection.getresponse()
        answer.read()
        self.cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]

    def post(self, path: str, body: bytes) -> tuple[float, int]:
        """Send JSON; gives how long the answer took in milliseconds, and its length."""
        headers = {
            "Content-Type": "application/json",
            "Cookie": self.cookie,
            "X-CSRFToken": self.cookie.partition("=")[2],
        }
        start = time.perf_counter()
        self.connection.request("POST", path, body, headers)
        answer = self.connection.getresponse()
        length = len(answer.read())
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return (time.perf_counter() - start) * 1000, length


def main() -> None:
    """Print the times."""
    with ExitStack() as stack:
        begin("sqlite", stack)
        from django.db import connection

        from sheets.levels import find_level
        from sheets.rules import format_level
        from sheets.workshop import store

        key = store.create(format_level(find_level("level-4")))
        connection.close()
        os.environ["PYTHONPATH"] = str(ROOT)
        port, _pid = stack.enter_context(served(*uvicorn(), settings="bench._empty_settings"))
        page = Page(port)
        times: dict[str, list[float]] = {"edit": [], "empty": []}
        for number in range(WARM_UP + ROUNDS):
            put = {"c4": {"number": str(number % 6 + 1)}}
            edit = json.dumps({"acts": [{"do": "squares", "put": put}]}).encode()
            for name, path in (("edit", f"/workshop/{key}/acts/"), ("empty", "/empty/")):
                took, _length = page.post(path, edit)
                if number >= WARM_UP:
                    times[name].append(took)
    for name, values in times.items():
        ordered = sorted(values)
        p95 = ordered[len(ordered) * 95 // 100]
        print(f"{name:<6} {statistics.median(ordered):>7.1f} ms median, {p95:.1f} ms p95")
    ratio = statistics.median(times["edit"]) / statistics.median(times["empty"])
    print(f"ratio  {ratio:>7.1f} ({ROUNDS} edits of a full level; aim: an edit under 50 ms)")


if __name__ == "__main__":
    main()

"""Client of a table's stream over a real connection."""

from __future__ import annotations

import contextlib
import http.client
import socket
import time
from queue import Empty, Queue
from threading import Thread
from typing import Any, Self
from urllib.parse import urlencode

from tests.table_fragments import state_in

SOON_S = 3.0


class Phone:
    """An open stream that records its lines; ``status`` is 200 if the server accepted it."""

    def __init__(
        self, port: int, code: str, token: str = "", shows: str | None = None, **headers: str
    ) -> None:
        self._lines: Queue[str] = Queue()
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        if token:
            headers["Cookie"] = f"theme=dark; dizzle_seat={token}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        query = "" if shows is None else "?" + urlencode({"shows": shows})
        self._connection.request("GET", f"/live/{code}/{query}", headers=named)
        self._socket = self._connection.sock
        self._response = self._connection.getresponse()
        self.status = self._response.status
        self.location = self._response.getheader("Location")
        self.type = self._response.getheader("Content-Type")
        self._reader = Thread(target=self._read, daemon=True)
        if self.status == 200:
            self._reader.start()

    def _read(self) -> None:
        try:
            for line in self._response:
                self._lines.put(line.decode().rstrip("\n"))
        except (OSError, http.client.HTTPException, AttributeError, ValueError):
            pass  # the server was killed, or the test has closed the connection
        self._lines.put("over")

    def next_line(self, within_s: float = SOON_S) -> str:
        """Return the next line that is not empty; fail if there is none in time."""
        deadline = time.monotonic() + within_s
        while not (line := self._next(max(0.0, deadline - time.monotonic()))):
            pass
        return line

    def _next(self, within_s: float) -> str:
        try:
            return self._lines.get(timeout=within_s)
        except Empty:
            raise AssertionError(f"nothing came for {within_s} s") from None

    def next_revision(self, within_s: float = SOON_S) -> int:
        """Return the next revision."""
        while not (line := self.next_line(within_s)).startswith("data: "):
            assert line != "over"
        return int(line.removeprefix("data: "))

    def next_event(self, within_s: float = SOON_S) -> tuple[str, Any]:
        """Return the name and the data of the next event."""
        while not (line := self.next_line(within_s)).startswith("event: "):
            assert line != "over"
        name, data = line.removeprefix("event: "), []
        while (line := self._next(within_s)).startswith("data: "):
            data.append(line.removeprefix("data: "))
        return name, int(data[0]) if name == "revision" else state_in("\n".join(data))

    def hears(self, revision: int, within_s: float = SOON_S) -> bool:
        """Return whether a revision arrives, possibly after earlier ones."""
        deadline = time.monotonic() + within_s
        while (heard := self.next_revision(max(0.0, deadline - time.monotonic()))) < revision:
            pass
        return heard == revision

    def is_over(self, within_s: float = SOON_S) -> bool:
        """Return whether the server ends the stream."""
        while self.next_line(within_s) != "over":
            pass
        return True

    def is_silent(self, for_s: float = 0.3) -> bool:
        """Return whether nothing arrives for a while."""
        try:
            return not self._lines.get(timeout=for_s).strip() and self.is_silent(for_s)
        except Empty:
            return True

    def hang_up(self) -> None:
        """Close the connection."""
        if self._socket:
            # Without a shutdown, the thread that reads keeps the connection open.
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        if self._reader.is_alive():
            self._reader.join(5)
        self._response.close()
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.hang_up()

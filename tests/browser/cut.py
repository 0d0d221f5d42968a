"""A line between a browser and a site that can be cut, while the site itself goes on."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Lock, Thread


class Line:
    """Leads from an address of its own to a site's port, as long as it is not cut."""

    def __init__(self, behind: int) -> None:
        self.behind = behind
        self.port = 0
        self._lock = Lock()
        self._ends: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self.join()

    def join(self) -> None:
        """Lead there, at the same address as before."""
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=128)
        self.port = self._listener.getsockname()[1]
        Thread(target=self._take, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """Whoever asks finds nobody there, and what was on its way is lost."""
        with self._lock:
            listener, self._listener = self._listener, None
            ends = [*self._ends, *([listener] if listener else [])]
            self._ends.clear()
            for end in ends:
                hang_up(end)

    def _take(self, listener: socket.socket) -> None:
        with suppress(OSError):  # it is cut
            while True:
                phone, _address = listener.accept()
                with self._lock:
                    if listener is not self._listener:
                        hang_up(phone)
                        return
                    site = socket.create_connection(("127.0.0.1", self.behind))
                    self._ends |= {phone, site}
                for one, other in ((phone, site), (site, phone)):
                    Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        """Pass on what comes until one side hangs up; then both do."""
        with suppress(OSError):
            while some := one.recv(65536):
                other.sendall(some)
        with self._lock:
            for end in (one, other):
                self._ends.discard(end)
                hang_up(end)


def hang_up(end: socket.socket) -> None:
    """Wake whoever waits at this end, and give it back."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()

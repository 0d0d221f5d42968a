"""TCP proxy between a browser and a site, whose connections can be cut while the site runs on."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Lock, Thread


class CuttableProxy:
    """Proxy from a port of its own to a site's port."""

    def __init__(self, behind: int) -> None:
        self.behind = behind
        self.port = 0
        self._lock = Lock()
        self._ends: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self.connect()

    def connect(self) -> None:
        """Accept connections: at a free port the first time, later at the same port again."""
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=128)
        self.port = self._listener.getsockname()[1]
        Thread(target=self._take, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """Refuse new connections and close the open ones; data in transit is lost."""
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
        """Forward data until one side closes, then close both."""
        with suppress(OSError):
            while some := one.recv(65536):
                other.sendall(some)
        with self._lock:
            for end in (one, other):
                self._ends.discard(end)
                hang_up(end)


def hang_up(end: socket.socket) -> None:
    """Shut a socket down, which wakes threads blocked on it, and close it."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()

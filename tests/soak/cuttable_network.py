"""TCP proxy between devices and site that resets a share of the connections.

It resets a connection either before the request reaches the server, or after the server has
answered and before the device gets the answer.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from random import Random

RESET = struct.pack("ii", 1, 0)
TIMEOUT_S = 30.0
"""Socket timeout in seconds."""


class CuttingProxy:
    """Proxy on ``port`` that forwards all but a share of the connections."""

    def __init__(self, target: int, share: float, random: Random) -> None:
        self.cut_before = self.cut_after = 0
        self._target, self._share, self._random = target, share, random
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._listener.settimeout(0.2)
        self.port = int(self._listener.getsockname()[1])
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> CuttingProxy:
        self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._listener.close()

    def _listen(self) -> None:
        while not self._is_over.is_set():
            try:
                device, address = self._listener.accept()
            except TimeoutError:
                continue
            chance = self._random.random()
            how = "before" if chance < self._share / 2 else "after" * (chance < self._share)
            threading.Thread(
                target=self._pass_on, args=(device, address[0], how), daemon=True
            ).start()

    def _pass_on(self, device: socket.socket, address: str, how: str) -> None:
        """Forward one connection with one request; the devices close it after each request."""
        with device, contextlib.suppress(OSError):
            device.settimeout(TIMEOUT_S)
            request = _one_request(device)
            if how == "before":
                self.cut_before += 1
                _reset(device)
                return
            # From the device's own address, because the site has rate limits for each address.
            server = socket.create_connection(
                ("127.0.0.1", self._target), TIMEOUT_S, source_address=(address, 0)
            )
            with server:
                server.sendall(request)
                answer = server.recv(65536)
                if how == "after":
                    self.cut_after += 1
                    while server.recv(65536):
                        pass
                    _reset(device)
                    return
                while answer:
                    device.sendall(answer)
                    answer = server.recv(65536)


def _one_request(device: socket.socket) -> bytes:
    """Read the head of a request and the body of the length in the head."""
    request = b""
    while b"\r\n\r\n" not in request:
        if not (more := device.recv(65536)):
            raise ConnectionResetError
        request += more
    head, _, body = request.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    while len(body) < length:
        if not (more := device.recv(65536)):
            raise ConnectionResetError
        body += more
    return head + b"\r\n\r\n" + body


def _reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

"""Minimal HTTP client for simulated phones, which leaves the server most of the CPU time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Final, Self
from urllib.parse import urlencode

MAX_LINE: Final = 1024 * 1024
"""Maximum length of a header or of an event in bytes."""

KEPT_CONNECTIONS: Final = 16
"""Number of idle connections that a pool keeps open."""

IDLE_S: Final = 30
"""Seconds after which an idle connection is not used again, because servers close them."""

CSRF: Final = "c" * 32
"""Value of the CSRF cookie and of the header that has to match it."""


class Connection:
    """One connection to a server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: int) -> Self:
        """Connect to a server on this machine."""
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=MAX_LINE))

    def close(self) -> None:
        """End the connection."""
        self._writer.close()

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request and return status and body of the answer."""
        self._writer.write(request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        first, *lines = head.split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines if line)
        if "transfer-encoding" in fields:
            body = await self._read_chunks()
        else:
            body = await self._reader.readexactly(int(fields.get("content-length", 0)))
        return int(first.split()[1]), body

    async def _read_chunks(self) -> bytes:
        body = b""
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            body += (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readexactly(2)
        return body

    async def listen(self, request: bytes) -> None:
        """Send the request for a stream. After that, only `next_event` may use the connection."""
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.split(b"\r\n")[0], head

    async def next_event(self) -> tuple[str, bytes]:
        """Wait for the next event of the stream and return its name and data."""
        name, data = b"", b""
        while True:
            line = await self._reader.readuntil(b"\n")
            if line.startswith(b"event: "):
                name = line[7:-1]
            elif line.startswith(b"data: "):
                data += line[6:]
            elif data:
                return name.decode(), data


class Pool:
    """Connections to one server that are kept and reused, as browsers and proxies do."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._free: list[tuple[Connection, float]] = []

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request on a free connection, or on a new one if none is free."""
        connection = self._take() or await Connection.open(self._port)
        try:
            answer = await connection.ask(request)
        except BaseException:
            connection.close()
            raise
        if len(self._free) < KEPT_CONNECTIONS:
            self._free.append((connection, time.monotonic()))
        else:
            connection.close()
        return answer

    def _take(self) -> Connection | None:
        """Return the most recently used idle connection, or None if there is none in time."""
        if self._free and time.monotonic() - self._free[-1][1] > IDLE_S:
            self.close()
        return self._free.pop()[0] if self._free else None

    def close(self) -> None:
        """End all idle connections."""
        while self._free:
            self._free.pop()[0].close()


class Phone:
    """Device that sends its cookie, which proves its seats, and its headers with each request."""

    def __init__(self, pool: Pool, token: str, headers: Mapping[str, str] | None = None) -> None:
        self._pool = pool
        self._headers = {
            "Host": "localhost",
            "HX-Request": "true",
            "Cookie": f"dizzle_seat={token}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Content-Type": "application/x-www-form-urlencoded",
            **(headers or {}),
        }

    async def get(self, path: str) -> tuple[int, bytes]:
        """Request a page and return status and body."""
        return await self._pool.ask(self.request("GET", path))

    async def post(self, path: str, form: Mapping[str, str]) -> tuple[int, bytes]:
        """Send a form, as the page's script does, and return status and body."""
        return await self._pool.ask(self.request("POST", path, urlencode(form).encode()))

    def request(self, method: str, path: str, body: bytes = b"") -> bytes:
        """Return a complete HTTP request in bytes."""
        headers = self._headers | {"Content-Length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body

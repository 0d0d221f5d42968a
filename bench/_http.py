"""A phone's side of HTTP, as cheap as can be: many share the machine with the server."""

from __future__ import annotations

import asyncio
from typing import Self
from urllib.parse import urlencode

LINE = 1024 * 1024


class Phone:
    """One kept connection."""

    def __init__(self, port: int, token: str, headers: dict[str, str] | None = None) -> None:
        self._port = port
        self._headers = headers or {}
        self.cookies = {"dizzle_seat": token}
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self._port, limit=LINE
        )
        return self

    async def __aexit__(self, *problem: object) -> None:
        self._writer.close()

    async def fetch_csrf(self, path: str) -> None:
        """Get the cookie that forms need."""
        await self.get(path)

    async def get(self, path: str, **more: str) -> tuple[int, bytes]:
        """Ask for a page; ``more`` are headers."""
        return await self.ask("GET", path, b"", more)

    async def post(self, path: str, form: dict[str, str], **more: str) -> tuple[int, bytes]:
        """Send a form, as the page's script does; ``more`` are headers."""
        return await self.ask("POST", path, urlencode(form).encode(), more)

    async def ask(
        self, method: str, path: str, body: bytes, more: dict[str, str]
    ) -> tuple[int, bytes]:
        """Send a request, and wait for its status and body; ``more`` are headers."""
        headers = {
            "Host": "localhost",
            "Accept": "application/json",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies.get("csrftoken", ""),
            "Content-Type": "application/x-www-form-urlencoded",
            "Content-Length": str(len(body)),
            **self._headers,
            **{name.replace("_", "-"): value for name, value in more.items()},
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        return await self._answer()

    async def _answer(self) -> tuple[int, bytes]:
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        length, is_chunked = 0, False
        for line in head[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "content-length":
                length = int(value)
            elif name.lower() == "transfer-encoding":
                is_chunked = True
            elif name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
        body = await self._chunks() if is_chunked else await self._reader.readexactly(length)
        return int(head[0].split()[1]), body

    async def _chunks(self) -> bytes:
        body = b""
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            body += (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readexactly(2)
        return body

    # A stream ------------------------------------------------------------------------------------

    async def listen(self, code: str, shows: str | None = None) -> None:
        """Open the stream of a table; the connection is used for nothing else.

        With ``shows``, the query of the page's address, it brings what is new of that.
        """
        cookie = f"dizzle_seat={self.cookies['dizzle_seat']}"
        query = "" if shows is None else "?" + urlencode({"shows": shows})
        request = (
            f"GET /live/{code}/{query} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n"
        )
        self._writer.write(request.encode())
        head = await self._reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in head.split(b"\r\n")[0], head

    async def next_event(self) -> tuple[str, bytes]:
        """Wait for the next event on the stream; its name and what comes with it."""
        name = b""
        while True:
            line = await self._reader.readuntil(b"\n")
            if line.startswith(b"event: "):
                name = line[7:-1]
            elif line.startswith(b"data: "):
                return name.decode(), line[6:]

    async def next_revision(self) -> int:
        """Wait for the next revision on a stream that brings nothing else."""
        return int((await self.next_event())[1])

"""Phones at many tables, as they come to a site through its proxy."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from bench import _site
from bench._http import Phone
from bench.tap import HEADERS, AtTable, taps_of

KEPT_LINES = 16
IDLE_S = 30
CSRF = "c" * 32


class Lines:
    """Connections to a server, as a proxy has them: some are kept, more are opened as needed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._free: list[tuple[Phone, float]] = []

    async def ask(
        self, cookies: dict[str, str], method: str, path: str, body: bytes, more: dict[str, str]
    ) -> tuple[int, bytes]:
        """Ask on a free connection."""
        line = self._take() or await Phone(self._port, "", HEADERS).__aenter__()
        try:
            line.cookies = cookies
            answer = await line.ask(method, path, body, more)
        except BaseException:
            await line.__aexit__()
            raise
        if len(self._free) < KEPT_LINES:
            self._free.append((line, time.monotonic()))
        else:
            await line.__aexit__()
        return answer

    def _take(self) -> Phone | None:
        """The one used last, for the server ends those that nobody has used for long."""
        if self._free and time.monotonic() - self._free[-1][1] > IDLE_S:
            self._free.clear()
        return self._free.pop()[0] if self._free else None


class Borrower(Phone):
    """A phone that asks on whichever of these connections is free."""

    def __init__(self, lines: Lines, token: str) -> None:
        super().__init__(0, token)
        self.cookies["csrftoken"] = CSRF
        self._lines = lines

    async def ask(
        self, method: str, path: str, body: bytes, more: dict[str, str]
    ) -> tuple[int, bytes]:
        return await self._lines.ask(dict(self.cookies), method, path, body, more)


class Visitor(AtTable):
    """A phone at a table whose seat it has already, behind a proxy."""

    def __init__(self, code: str, seat: int, servers: Sequence[tuple[int, int]], lines: Lines):
        super().__init__(code, seat, [*servers])
        self._asks = self._acts = Borrower(lines, _site.token_of(code, seat))

    async def __aenter__(self) -> Visitor:
        await self.begin_to_listen()
        return self


class Table:
    """A table with its phones and what is tapped there, one after the other."""

    def __init__(self, phones: list[Visitor], moves: Sequence[_site.Move]) -> None:
        self.phones = phones
        self._taps = taps_of(moves)[::-1]
        self._turn = asyncio.Lock()

    @property
    def left(self) -> int:
        """How many taps the game has left."""
        return len(self._taps)

    async def tap(self) -> None:
        """Do what comes next, once what came before is answered; until all phones show it."""
        async with self._turn:
            player, where, form = self._taps.pop()
            revision = await self.phones[player].act(where, form)
        await asyncio.gather(*(phone.until(revision) for phone in self.phones))

"""Phones at a table that do what `table/live.js` and `table/sheet.js` do."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from bench import _site
from bench._http import Connection, Phone, Pool

STATE: Final = re.compile(rb'<script id="state" type="application/json">(.*?)</script>', re.DOTALL)
"""Data at the begin of a table's fragments."""

GZIP: Final = {"Accept-Encoding": "gzip"}
"""Header that asks for compression, as browsers do: it costs the server CPU time."""


class TablePhone:
    """Phone that holds one seat, with its stream and its requests."""

    def __init__(self, code: str, seat: int, pages: Pool, streams: int) -> None:
        """Create a seat's phone; ``pages`` is for its requests, ``streams`` a server's port."""
        self.revision = 0
        self._phone = Phone(pages, _site.token_of(code, seat), GZIP)
        self._table, self._shows, self._streams = code, f"?seat={seat}", streams
        self._changed = asyncio.Condition()
        self._asking: asyncio.Future[None] | None = None
        self._is_asking = self._is_wanted = False

    async def __aenter__(self) -> TablePhone:
        self._stream = await Connection.open(self._streams)
        path = f"/live/{self._table}/?" + urlencode({"shows": self._shows})
        await self._stream.listen(self._phone.request("GET", path))
        self._listening = asyncio.ensure_future(self._listen())
        return self

    async def __aexit__(self, *problem: object) -> None:
        self._listening.cancel()
        if self._asking:
            self._asking.cancel()
        self._stream.close()

    @property
    def has_lost_stream(self) -> bool:
        """Whether the server ended the stream."""
        return self._listening.done()

    async def act(self, where: str, form: dict[str, str]) -> int:
        """Send a form to an address below the table's and return the new revision."""
        path = f"/table/{self._table}/{where}/{self._shows}"
        form = form | {"request": _site.new_request()}
        return await self._read(*await self._phone.post(path, form))

    async def until(self, revision: int) -> None:
        """Wait until the phone shows this revision and has no open request."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.revision >= revision)
        while self._is_asking:
            await asyncio.sleep(0.001)

    async def _listen(self) -> None:
        while True:
            event, data = await self._stream.next_event()
            if event == "fragments":
                await self._show(state_in(data))
            elif int(data) != self.revision:
                self._asking = asyncio.ensure_future(self._refresh())

    async def _refresh(self) -> None:
        """Fetch the state, with one request at a time."""
        if self._is_asking:
            self._is_wanted = True
            return
        self._is_asking = True
        try:
            known: str | None = f"&known={self.revision}"
            while known is not None:
                path = f"/table/{self._table}/{self._shows}{known}"
                self._is_wanted = False
                await self._read(*await self._phone.get(path))
                known = "" if self._is_wanted else None
        finally:
            self._is_asking = False

    async def _read(self, status: int, body: bytes) -> int:
        assert status in (200, 204), (status, body[:500])
        return await self._show(state_in(gzip.decompress(body))) if body else self.revision

    async def _show(self, state: dict[str, Any]) -> int:
        """Show a state unless a newer one is shown, and return its revision."""
        async with self._changed:
            self.revision = max(self.revision, state["revision"])
            self._changed.notify_all()
        return int(state["revision"])


class Tap(NamedTuple):
    """Tap of a player: the path of its request below the table's address, and its form."""

    player: int
    where: str
    form: dict[str, str]


class Table:
    """Table with its phones and the remaining taps of its game."""

    def __init__(self, phones: Sequence[TablePhone], moves: Sequence[_site.Move]) -> None:
        self.phones = phones
        self._taps = [*taps_of(moves)][::-1]
        self._turn = asyncio.Lock()

    @property
    def taps_left(self) -> int:
        """Number of taps until the game is over."""
        return len(self._taps)

    async def tap(self) -> None:
        """Do the next tap after the answer to the previous one; wait until all phones show it."""
        async with self._turn:
            player, where, form = self._taps.pop()
            revision = await self.phones[player].act(where, form)
        await asyncio.gather(*(phone.until(revision) for phone in self.phones))


def taps_of(moves: Sequence[_site.Move]) -> Iterator[Tap]:
    """Yield the taps for moves: one per move, but one of each player for the end of a pass."""
    for move in moves:
        if "player" in move.form:
            yield Tap(int(move.form["player"]), "act", move.form)
            continue
        for player in range(_site.PLAYERS):
            done = {"done": "yes", "moment": move.form["moment"], "player": str(player)}
            yield Tap(player, "done", done)


def state_in(fragments: bytes) -> dict[str, Any]:
    """Return the data of a table's fragments."""
    found = STATE.match(fragments)
    assert found, fragments[:500]
    return dict(json.loads(found[1]))

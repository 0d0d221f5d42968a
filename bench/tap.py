"""What does one tap at a table of four phones cost the servers, beside a bare view of a move?

All of it counts: the act with its answer, what each phone is told on its stream, and what it then
asks for. The phones do what `table/live.js` and `table/sheet.js` do. Measured is the processor time
of all processes of the site; the database's own are left out, on both sides.

``large host``: gunicorn for pages and `manage.py serve` for streams; ``small host``: one `manage.py
serve`. The bare view (`bench/_bare.py`) is served by gunicorn.

``--beside FOLDER`` measures the version in that folder in turn with this one, so that whatever else
the machine does falls on both: its tables must be kept as they are here.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402
from bench._http import Phone  # noqa: E402

ROUNDS = 30
MOVES = 6
WARM_UP_MOVES = 18
AIM = 4
PATIENCE_S = 20
HEADERS = {"Accept-Encoding": "gzip"}

Server = tuple[int, int]
"""Its port, and its process."""


def main() -> None:
    """Measure on each database."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("database", nargs="?", choices=_site.KINDS, help="this one alone")
    parser.add_argument(
        "--beside", type=Path, metavar="FOLDER", help="another version's code, measured in turn"
    )
    wanted = parser.parse_args()
    _site.on_each_database(__file__, partial(measure, beside=wanted.beside))


def measure(kind: str, beside: Path | None) -> None:
    """Print the processor time of a tap seen by four and its ratio to that of a bare move."""
    pages = _site.gunicorn(processes=2)
    folders = {"": ROOT} | ({f", {beside}": beside} if beside else {})
    with ExitStack() as stack:
        bare = stack.enter_context(_site.served(*pages, settings="bench._bare_settings"))
        hosts: dict[str, dict[str, list[Server]]] = {"large host": {}, "small host": {}}
        for name, folder in folders.items():
            one = stack.enter_context(_site.served(*_site.serve(), folder=folder))
            two = stack.enter_context(_site.served(*pages, folder=folder))
            hosts["large host"][name], hosts["small host"][name] = [two, one], [one]
        for host, sites in hosts.items():
            ways = {f"{kind}, {host}{name}": servers for name, servers in sites.items()}
            asyncio.run(compare(bare, ways))


async def compare(bare: Server, ways: dict[str, list[Server]]) -> None:
    """Alternate between moves at the bare view and taps at each of the sites."""
    moves = _site.game_moves(WARM_UP_MOVES + MOVES * ROUNDS)
    plain, *codes = await asyncio.to_thread(_site.open_tables, 1 + len(ways))
    async with AsyncExitStack() as stack:
        hand = await stack.enter_async_context(Phone(bare[0], _site.TOKEN))
        tables = {
            what: AtOneSite(
                [
                    await stack.enter_async_context(AtTable(code, seat, servers))
                    for seat in range(_site.PLAYERS)
                ],
                [pid for _port, pid in servers],
            )
            for code, (what, servers) in zip(codes, ways.items(), strict=True)
        }
        bare_ms = []
        # In turn from the first move on: no connection waits for so long that its server ends it.
        for done in range(0, len(moves), MOVES):
            now = moves[done : done + MOVES]
            before = processor_ms(bare[1])
            for move in now:
                await hand.post(f"/bare/{plain}/", move.form | {"request": _site.new_request()})
            bare_ms.append((processor_ms(bare[1]) - before) / len(now))
            for table in tables.values():
                await table.measure(now)
    counted = slice(WARM_UP_MOVES // MOVES, None)
    for what, table in tables.items():
        tap_ms = statistics.median(table.tap_ms[counted])
        bare_move_ms = statistics.median(bare_ms[counted])
        print(
            f"{what}: a tap seen by four {tap_ms:.1f} ms of processor, a bare move "
            f"{bare_move_ms:.2f} ms, ratio {tap_ms / bare_move_ms:.1f} (aim: at most {AIM}); "
            f"{statistics.fmean(table.sent[counted]) / 1024:.1f} kB sent",
            flush=True,
        )


class AtOneSite:
    """A table with its phones, and what its taps have cost the processes of its site."""

    def __init__(self, phones: list[AtTable], pids: list[int]) -> None:
        self._phones, self._pids = phones, pids
        self.tap_ms: list[float] = []
        self.sent: list[float] = []

    async def measure(self, moves: list[_site.Move]) -> None:
        """Play on, and note what a tap took and brought."""
        sent, before = heard_by(self._phones), processor_ms(*self._pids)
        made = await play(self._phones, moves)
        self.tap_ms.append((processor_ms(*self._pids) - before) / made)
        self.sent.append((heard_by(self._phones) - sent) / made)


async def play(phones: list[AtTable], moves: list[_site.Move]) -> int:
    """Play on, each move by whose it is; the next when all phones show the one before.

    A pass ends when all have said that they are done. Gives the number of taps.
    """
    taps = taps_of(moves)
    for player, where, form in taps:
        revision = await phones[player].act(where, form)
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(phone.until(revision) for phone in phones))
    return len(taps)


def taps_of(moves: Sequence[_site.Move]) -> list[tuple[int, str, dict[str, str]]]:
    """Whose tap it is, what it is sent to, and what is sent; to end a pass takes one of each."""
    taps = []
    for move in moves:
        if "player" in move.form:
            taps.append((int(move.form["player"]), "act", move.form))
            continue
        done = {"done": "yes", "moment": move.form["moment"]}
        taps += [(n, "done", done | {"player": str(n)}) for n in range(_site.PLAYERS)]
    return taps


def heard_by(phones: list[AtTable]) -> int:
    """How many bytes phones have been sent, without headers."""
    return sum(phone.heard for phone in phones)


class AtTable:
    """One of the phones, with its stream, and two connections as browsers have them."""

    def __init__(self, code: str, seat: int, servers: list[tuple[int, int]]) -> None:
        pages, streams = servers[0][0], servers[-1][0]
        token = _site.token_of(code, seat)
        self._seat = seat
        self._shows = f"?seat={seat}"
        self._code = code
        self._stream = Phone(streams, token)
        self._asks = Phone(pages, token, HEADERS)
        self._acts = Phone(pages, token, HEADERS)
        self._changed = asyncio.Condition()
        self._asking: asyncio.Future[None] | None = None
        self._is_asking = self._is_wanted = False
        self.revision = 0
        self.heard = 0
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> AtTable:
        await asyncio.to_thread(self._sit_down)
        await self._stack.enter_async_context(self._acts)
        await self._acts.get(f"/table/{self._code}/")
        await self._stack.enter_async_context(self._asks)
        await self.begin_to_listen()
        return self

    async def __aexit__(self, *problem: object) -> None:
        self.listening.cancel()
        if self._asking:
            self._asking.cancel()
        await self._stack.aclose()

    async def begin_to_listen(self) -> None:
        """Open the stream, and do from now on what it asks for."""
        await self._stack.enter_async_context(self._stream)
        await self._stream.listen(self._code, self._shows)
        self.listening = asyncio.ensure_future(self._listen())

    def _sit_down(self) -> None:
        _site.give_seats([(self._code, self._seat)])

    async def _listen(self) -> None:
        while True:
            event, data = await self._stream.next_event()
            if event == "state":
                self.heard += len(data)
                await self._take(json.loads(data))
            elif int(data) != self.revision:
                self._asking = asyncio.ensure_future(self._refresh())

    async def _refresh(self) -> None:
        """Ask what there is to show, one question at a time."""
        if self._is_asking:
            self._is_wanted = True
            return
        self._is_asking = True
        try:
            known = f"&known={self.revision}"
            while known is not None:
                path = f"/table/{self._code}/now/{self._shows}{known}"
                self._is_wanted = False
                await self._hear(*await self._asks.get(path))
                known = "" if self._is_wanted else None
        finally:
            self._is_asking = False

    async def act(self, where: str, form: dict[str, str]) -> int:
        """Send an act to one of the addresses of the table; gives the revision it has led to."""
        path = f"/table/{self._code}/{where}/{self._shows}"
        form = form | {"request": _site.new_request()}
        return await self._hear(*await self._acts.post(path, form))

    async def _hear(self, status: int, body: bytes) -> int:
        assert status in (200, 204), (status, body[:500])
        self.heard += len(body)
        return await self._take(json.loads(gzip.decompress(body))) if body else self.revision

    async def _take(self, fresh: dict[str, Any]) -> int:
        """Show a state unless a newer one is shown; gives its revision."""
        async with self._changed:
            self.revision = max(self.revision, fresh["revision"])
            self._changed.notify_all()
        return int(fresh["revision"])

    async def until(self, revision: int) -> None:
        """Wait until so much is shown, and nothing is asked any more."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.revision >= revision)
        while self._is_asking:
            await asyncio.sleep(0.001)


def processor_ms(*pids: int) -> float:
    """What some processes have used of the processor so far, with all of their children."""
    return sum(map(_processor_ns, pids)) / 1e6


def _processor_ns(pid: int) -> int:
    # Linux's clock of another process: in /proc there are but hundredths of a second.
    mine = time.clock_gettime_ns((~pid << 3) | 2)
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return mine + sum(_processor_ns(int(child)) for child in children)


if __name__ == "__main__":
    main()

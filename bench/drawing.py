"""Time of a move while 40 clients request drawings, compared with a move without them.

The site runs with its default server. One player moves all the time, in turn without and with
the clients. There are three kinds of requests: for different pictures of tables, for large prints,
and for one and the same picture. Each client has its own address, so that no rate limit protects
the site, and no print is requested twice. A client waits for a second after a refusal. The clients
run on the same machine.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import count, cycle, product
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402
from bench._http import Phone, Pool  # noqa: E402

CLIENTS: Final = 40
"""Number of clients that request drawings."""

ROUNDS: Final = 3
"""Number of measurements with the clients, and of as many without them, in turn."""

SECONDS: Final = 6.0
"""Duration of one measurement."""

MAX_MOVES: Final = 100
"""Maximum number of moves in one measurement."""

WARM_UP_MOVES: Final = 10
"""Number of moves that do not count."""

PAUSE_S: Final = 0.05
"""Pause of the player after each move."""

RETRY_S: Final = 1.0
"""Pause of a client after a refusal."""

REST_S: Final = 2.0
"""Pause after each measurement, in which the site finishes what clients requested."""

HOST: Final = "dizzle.example.org"
"""Name of the site, which is behind a proxy."""

PROXIED: Final = {"Host": HOST, "Origin": f"https://{HOST}", "X-Forwarded-Proto": "https"}
"""Headers that the proxy sends."""

LEVELS: Final = "".join(f"&level=level-{number}" for number in range(1, 9))
"""Levels of a large print, as a query."""


def main() -> None:
    """Print the time of moves with and without the clients, and the memory."""
    os.environ["SITE_URL"] = f"https://{HOST}"
    with _site.database("sqlite"):
        tables = _site.open_tables(CLIENTS)
        pictures = [f"/table/{code}/{seat}.png" for seat in range(4) for code in tables]
        kinds: dict[str, Callable[[], Iterator[str]]] = {
            "different pictures": lambda: cycle(pictures),
            "large prints": prints,
            "same picture": lambda: cycle(pictures[:1]),
        }
        for kind, paths in kinds.items():
            with _site.served(*_site.serve()) as (port, pid):
                asyncio.run(measure(kind, port, pid, paths()))


def prints() -> Iterator[str]:
    """Yield paths of prints of at least 140 pages, none twice."""
    switches = ("&bw=on", "&rules=on", "&no-markers=on", "&level=dice2", "&lang=de")
    for copies in count(19, -1):
        for chosen in product((True, False), repeat=len(switches)):
            more = "".join(switch for switch, is_on in zip(switches, chosen, strict=True) if is_on)
            yield f"/print/sheets.pdf?paper=a4&per-page=1&copies={copies}{LEVELS}{more}"


async def measure(kind: str, port: int, pid: int, paths: Iterator[str]) -> None:
    """Let the player move, in turn without and with the clients."""
    times: dict[bool, list[float]] = {False: [], True: []}
    memory_kb: list[float] = []
    answers: Counter[int] = Counter()
    moves = _site.game_moves(MAX_MOVES)
    tables = await asyncio.to_thread(_site.open_tables, 1 + 2 * ROUNDS)
    player = Phone(Pool(port), _site.TOKEN, PROXIED)
    async for _warm_up in play(player, tables.pop(), moves[:WARM_UP_MOVES]):
        pass
    for has_clients in (False, True) * ROUNDS:
        clients = [
            asyncio.ensure_future(request(port, number, paths, answers))
            for number in range(CLIENTS * has_clients)
        ]
        async for seconds in play(player, tables.pop(), moves):
            times[has_clients].append(seconds)
            memory_kb.append(_site.memory_kb([pid]))
        for client in clients:
            client.cancel()
        await asyncio.gather(*clients, return_exceptions=True)
        await asyncio.sleep(REST_S)
    alone, with_clients = (statistics.median(times[some]) * 1000 for some in (False, True))
    print(
        f"{kind}: a move takes {alone:.0f} ms without clients, {with_clients:.0f} ms with "
        f"{CLIENTS}, ratio {with_clients / alone:.2f} (target: at most 2); memory "
        f"{max(memory_kb) / 1024:.0f} MB (target: below 300); "
        + ", ".join(f"{number} x {status}" for status, number in sorted(answers.items())),
        flush=True,
    )


async def request(port: int, number: int, paths: Iterator[str], answers: Counter[int]) -> None:
    """Request one path after the other, from the network address of a client."""
    client = Phone(Pool(port), "", {**PROXIED, "X-Forwarded-For": f"10.0.0.{number}"})
    while True:
        status, _body = await client.get(next(paths))
        answers[status] += 1
        if status != 200:
            await asyncio.sleep(RETRY_S)


async def play(phone: Phone, code: str, moves: Sequence[_site.Move]) -> AsyncIterator[float]:
    """Play for `SECONDS` and yield the seconds that each move takes."""
    end = time.perf_counter() + SECONDS
    for move in moves:
        form = move.form | {"request": _site.new_request()}
        started = time.perf_counter()
        status, body = await phone.post(f"/table/{code}/act/", form)
        yield time.perf_counter() - started
        assert status == 200, (status, body[:500])
        await asyncio.sleep(PAUSE_S)
        if time.perf_counter() > end:
            return


if __name__ == "__main__":
    main()

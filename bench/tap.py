"""CPU time of a tap at a table of four phones, compared with a bare view that stores a move.

A tap includes the request with its answer, the events on all streams, and what the phones fetch
after them. The CPU time is that of all processes of the site, without the database's own.

``large host``: gunicorn for pages and `manage.py serve` for streams. ``small host``: one `manage.py
serve`. gunicorn serves the bare view (`bench/_bare.py`).

``--compare-with FOLDER`` also measures the checkout in that folder, in turn with this one, so that
other load on the machine affects both. It must have the same database tables.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402
from bench._http import Phone, Pool  # noqa: E402
from bench._phones import Table, TablePhone  # noqa: E402

ROUNDS: Final = 33
"""Number of measurements of each site and of the bare view, in turn."""

WARM_UP_ROUNDS: Final = 3
"""First measurements, which do not count."""

TAPS: Final = 6
"""Number of taps, and of moves at the bare view, in one measurement."""

TARGET: Final = 4
"""Maximum ratio of a tap to a bare move."""

PATIENCE_S: Final = 20
"""Maximum mean time per tap until all phones show it, in seconds."""

Server = tuple[int, int]
"""Port and process id."""


def main() -> None:
    """Measure on each database."""
    parser = ArgumentParser()
    parser.add_argument("--compare-with", type=Path, metavar="FOLDER", help="another checkout")
    _site.on_each_database(__file__, measure, parser)


def measure(kind: str, options: Namespace) -> None:
    """Print the CPU time of a tap in each server set-up, and its ratio to storing a bare move."""
    pages = _site.gunicorn(processes=2)
    other = options.compare_with
    folders = {"": ROOT} | ({f", {other}": other} if other else {})
    with ExitStack() as stack:
        bare = stack.enter_context(_site.served(*pages, settings="bench._bare_settings"))
        large: dict[str, list[Server]] = {}
        small: dict[str, list[Server]] = {}
        for name, folder in folders.items():
            one = stack.enter_context(_site.served(*_site.serve(), folder=folder))
            two = stack.enter_context(_site.served(*pages, folder=folder))
            large[f"{kind}, large host{name}"] = [two, one]
            small[f"{kind}, small host{name}"] = [one]
        asyncio.run(compare(bare, large))
        asyncio.run(compare(bare, small))


async def compare(bare: Server, hosts: dict[str, list[Server]]) -> None:
    """Measure moves at the bare view and taps at each host in turn."""
    moves = _site.game_moves(ROUNDS * TAPS)
    bare_table, *codes = await asyncio.to_thread(open_tables, 1 + len(hosts))
    hand = Phone(Pool(bare[0]), _site.TOKEN)
    bare_ms: list[float] = []
    tap_ms: dict[str, list[float]] = {name: [] for name in hosts}
    async with AsyncExitStack() as stack:
        tables = {}
        for code, (name, servers) in zip(codes, hosts.items(), strict=True):
            phones = [
                TablePhone(code, seat, Pool(servers[0][0]), servers[-1][0])
                for seat in range(_site.PLAYERS)
            ]
            tables[name] = Table(
                [await stack.enter_async_context(phone) for phone in phones], moves
            )
        for number in range(ROUNDS):
            before = _site.cpu_ms([bare[1]])
            for move in moves[number * TAPS : (number + 1) * TAPS]:
                form = move.form | {"request": _site.new_request()}
                status, _body = await hand.post(f"/bare/{bare_table}/", form)
                assert status == 200, status
            bare_ms.append((_site.cpu_ms([bare[1]]) - before) / TAPS)
            for name, table in tables.items():
                pids = [pid for _port, pid in hosts[name]]
                before = _site.cpu_ms(pids)
                async with asyncio.timeout(PATIENCE_S * TAPS):
                    for _ in range(TAPS):
                        await table.tap()
                tap_ms[name].append((_site.cpu_ms(pids) - before) / TAPS)
    bare_move = statistics.median(bare_ms[WARM_UP_ROUNDS:])
    for name, measured in tap_ms.items():
        tap = statistics.median(measured[WARM_UP_ROUNDS:])
        print(
            f"{name}: a tap with four phones {tap:.1f} ms of CPU time, a bare move "
            f"{bare_move:.2f} ms, ratio {tap / bare_move:.1f} (target: at most {TARGET})",
            flush=True,
        )


def open_tables(count: int) -> list[str]:
    """Open tables where each seat has a device of its own."""
    codes = _site.open_tables(count)
    _site.give_seats(codes)
    return codes


if __name__ == "__main__":
    main()

"""Time from a tap until all phones show it, and CPU time and memory of a site under load.

Phones sit at tables of four, each with an open stream. Their taps are an open loop: a clock says
when each is due, at random times with a given mean rate, whether or not the site has answered the
previous ones. The time counts from that moment until the last of the four phones shows the tap.
Moves of one table wait for each other, as its rules require, and this wait counts, too.

``small``: one `manage.py serve`. ``large``: gunicorn with two processes for pages and one
`manage.py serve` for streams. This process taps and listens; its share of a core and its own delay
are printed. ``--pin``: the same site on one core, then on two, each with a process for pages and
one for streams, with more taps than they can take.
"""

from __future__ import annotations

import asyncio
import math
import os
import resource
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402
from bench._http import Pool  # noqa: E402
from bench._phones import Table, TablePhone  # noqa: E402

TARGET_MS: Final = 250
"""Maximum 99th percentile of the time until all phones show a tap."""

GAME_MOVES: Final = 198
"""Number of moves of the game at each table."""

PLAYED: Final = (0, 40, 80, 120)
"""Numbers of moves played before the phones connect: one for each table, in turn."""

ARRIVALS_PER_S: Final = 60
"""Maximum number of phones that connect in a second."""

ARRIVALS_AT_ONCE: Final = 12
"""Maximum number of phones whose stream is being opened."""

ARRIVAL_S: Final = 120
"""Maximum time until a phone that connects shows its table, in seconds."""

WARM_UP_PAUSE: Final = 3
"""Pause between taps of the warm-up, as a multiple of the pause at the measured rate."""

PATIENCE_S: Final = 20
"""Maximum time until all phones show a tap, in seconds; later ones count as never shown."""

MAX_FILES: Final = 16384
"""Wanted limit of open files; each stream takes one here and one in the server."""

SEED: Final = 16
"""Seed of the times and tables of taps."""

TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
"""Number of units of CPU time in ``/proc/stat`` per second."""


def main() -> None:
    """Measure on each database."""
    parser = ArgumentParser()
    parser.add_argument("--tables", type=int, default=500, help="with four phones each")
    parser.add_argument("--rate", type=float, default=60.0, help="taps per second, at all tables")
    parser.add_argument("--seconds", type=float, default=60.0, help="duration of the measurement")
    parser.add_argument("--hosts", nargs="+", choices=HOSTS, default=[*HOSTS])
    parser.add_argument("--pin", action="store_true", help="one core, then two, beyond their limit")
    _site.on_each_database(__file__, measure, parser)


def measure(kind: str, options: Namespace) -> None:
    """Print the results for each kind of host or, with ``--pin``, the gain by a second core."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(MAX_FILES, hard), hard))
    if hard < 2 * options.tables * _site.PLAYERS:
        print(f"a process may open only {hard} files: some streams will fail")
    if options.pin:
        compare_cores(kind, options)
        return
    for host in options.hosts:
        with HOSTS[host]() as site:
            print(f"{kind}, {host} host, {asyncio.run(drive(site, options))}", flush=True)


def compare_cores(kind: str, options: Namespace) -> None:
    """Print how many taps one core and two cores manage, and the ratio."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    results = []
    for number in (1, 2):
        with pinned(cores[:number]) as site:
            results.append(asyncio.run(drive(site, options)))
        print(f"{kind}, on {number} of the cores, {results[-1]}", flush=True)
    one, two = results
    print(
        f"{kind}: two cores manage {two.per_s / one.per_s:.2f} times as many taps, each with "
        f"{two.tap_ms / one.tap_ms:.2f} times the CPU time",
        flush=True,
    )


# Servers -----------------------------------------------------------------------------------------


@dataclass
class Site:
    """Servers of a site: their ports and process ids, for pages and for streams."""

    pages: list[tuple[int, int]]
    streams: list[tuple[int, int]]

    @property
    def pids(self) -> set[int]:
        """The first process of each server."""
        return {pid for _port, pid in self.pages + self.streams}


@contextmanager
def small_host() -> Iterator[Site]:
    """Run a site with one process."""
    with _site.served(*_site.serve()) as server:
        yield Site([server], [server])


@contextmanager
def large_host() -> Iterator[Site]:
    """Run a site with several processes, as in docs/reference.md."""
    with (
        _site.served(*_site.serve()) as streams,
        _site.served(*_site.gunicorn(processes=2)) as pages,
    ):
        yield Site([pages], [streams])


HOSTS: Final = {"small": small_host, "large": large_host}
"""Kinds of hosts by name."""


@contextmanager
def pinned(cores: Sequence[int]) -> Iterator[Site]:
    """Run a process for pages and one for streams on each core; each table uses one core."""
    with ExitStack() as stack:
        site = Site([], [])
        for core in cores:
            pages = _site.served(*_site.gunicorn(), cores=[core])
            streams = _site.served(*_site.serve(), cores=[core])
            site.pages.append(stack.enter_context(pages))
            site.streams.append(stack.enter_context(streams))
        yield site


# Phones ------------------------------------------------------------------------------------------


@dataclass
class Arrival:
    """Tables with connected phones, and the site's mean CPU time and memory for one phone."""

    tables: list[Table]
    cpu_ms: float
    kb: float


async def arrive(stack: AsyncExitStack, site: Site, count: int) -> Arrival:
    """Open tables, connect their phones, and measure what the last nine tenths of them take."""
    moves = _site.game_moves(GAME_MOVES)
    pools = {port: Pool(port) for port, _pid in site.pages}
    tables = []
    for number, code in enumerate(await asyncio.to_thread(open_tables, count, moves)):
        port, _pid = site.pages[number % len(site.pages)]
        streams, _pid = site.streams[number % len(site.streams)]
        phones = [TablePhone(code, seat, pools[port], streams) for seat in range(_site.PLAYERS)]
        tables.append(Table(phones, moves[PLAYED[number % len(PLAYED)] :]))
    everyone = [phone for table in tables for phone in table.phones]
    first, others = everyone[: len(everyone) // 10], everyone[len(everyone) // 10 :]
    await connect(stack, first)
    memory, cpu = _site.memory_kb(site.pids), _site.cpu_ms(site.pids)
    await connect(stack, others)
    kb = (_site.memory_kb(site.pids) - memory) / len(others)
    return Arrival(tables, (_site.cpu_ms(site.pids) - cpu) / len(others), kb)


async def connect(stack: AsyncExitStack, phones: Sequence[TablePhone]) -> None:
    """Open the streams of phones at a limited rate, and wait until all show their table."""
    begun, limit = time.monotonic(), asyncio.Semaphore(ARRIVALS_AT_ONCE)

    async def sit_down(phone: TablePhone) -> None:
        async with limit, asyncio.timeout(ARRIVAL_S):
            await stack.enter_async_context(phone)
            await phone.until(1)

    async with asyncio.TaskGroup() as group:
        for number, phone in enumerate(phones):
            await asyncio.sleep(begun + number / ARRIVALS_PER_S - time.monotonic())
            group.create_task(sit_down(phone))


def open_tables(count: int, moves: Sequence[_site.Move]) -> list[str]:
    """Open tables with the numbers of played moves in `PLAYED`, in turn; return the codes."""
    played = [PLAYED[number % len(PLAYED)] for number in range(count)]
    opened = {
        length: iter(_site.open_tables(tables, moves[:length]))
        for length, tables in Counter(played).items()
    }
    codes = [next(opened[length]) for length in played]
    _site.give_seats(codes)
    return codes


# Taps --------------------------------------------------------------------------------------------


@dataclass
class Clock:
    """Scheduler of taps, which records how long they took, and its own delays."""

    late_s: list[float] = field(default_factory=list)
    taken_s: list[float] = field(default_factory=list)
    problems: Counter[str] = field(default_factory=Counter)
    _running: set[asyncio.Task[None]] = field(default_factory=set)

    async def run(self, taps: Iterable[tuple[float, Table]], seconds: float) -> None:
        """Start each tap at its time in seconds from now, also if earlier taps have not ended."""
        begun = time.monotonic()
        for due, table in taps:
            await asyncio.sleep(begun + due - time.monotonic())
            self.late_s.append(time.monotonic() - begun - due)
            task = asyncio.ensure_future(self._tap(begun + due, table))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        await asyncio.sleep(begun + seconds - time.monotonic())

    async def end(self, patience_s: float) -> None:
        """Wait for the running taps, and cancel those that take longer than ``patience_s``."""
        if self._running:
            _done, late = await asyncio.wait(self._running, timeout=patience_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _tap(self, due: float, table: Table) -> None:
        taken_s = math.inf
        try:
            await table.tap()
            taken_s = time.monotonic() - due
        except (AssertionError, OSError, EOFError) as problem:
            self.problems[repr(problem)[:200]] += 1
        finally:
            self.taken_s.append(taken_s)


def schedule(tables: Sequence[Table], rate: float, seconds: float) -> list[tuple[float, Table]]:
    """Return random times and tables of taps."""
    random, taps, due = Random(SEED), [], 0.0
    while (due := due + random.expovariate(rate)) < seconds:
        taps.append((due, random.choice(tables)))
    counts = Counter(table for _due, table in taps)
    if any(count > table.taps_left for table, count in counts.items()):
        raise SystemExit("A game would end: ask for more tables, or for fewer taps.")
    return taps


async def drive(site: Site, options: Namespace) -> Result:
    """Connect all phones, tap once at every table, then measure taps at the requested rate."""
    async with AsyncExitStack() as stack:
        arrival = await arrive(stack, site, options.tables)
        tables = arrival.tables
        warm_up = Clock()
        pause_s = WARM_UP_PAUSE / options.rate
        await warm_up.run([(n * pause_s, table) for n, table in enumerate(tables)], 0)
        await warm_up.end(PATIENCE_S)
        taps = schedule(tables, options.rate, options.seconds)
        clock, before = Clock(), used_ms(site)
        await clock.run(taps, options.seconds)
        after, shown = used_ms(site), len(clock.taken_s)
        await clock.end(0 if options.pin else PATIENCE_S)
        lost = sum(phone.has_lost_stream for table in tables for phone in table.phones)
        cores = {what: (after[what] - before[what]) / options.seconds / 1000 for what in after}
        mb = _site.memory_kb(site.pids) / 1024
        return Result(options, arrival, clock, cores, shown, mb, lost)


def used_ms(site: Site) -> dict[str, float]:
    """Return the CPU time used so far by the site, by this process, and by the whole machine."""
    fields = Path("/proc/stat").read_text("ascii").splitlines()[0].split()[1:9]
    user, nice, system, _idle, _iowait, irq, soft_irq, _steal = map(int, fields)
    every = (user + nice + system + irq + soft_irq) * 1000 / TICKS_PER_S
    own = time.process_time() * 1000
    return {"site": _site.cpu_ms(site.pids), "this process": own, "whole machine": every}


@dataclass(frozen=True)
class Result:
    """Results of a run; ``cores``: mean number of cores in use, with keys as in `used_ms`."""

    options: Namespace
    arrival: Arrival
    clock: Clock
    cores: dict[str, float]
    shown: int
    mb: float
    lost_streams: int

    @property
    def per_s(self) -> float:
        """Taps per second that all phones showed."""
        return self.shown / self.options.seconds

    @property
    def tap_ms(self) -> float:
        """CPU time of the site for one tap, in milliseconds."""
        return self.cores["site"] * 1000 / self.per_s if self.shown else math.inf

    def __str__(self) -> str:
        phones = self.options.tables * _site.PLAYERS
        busy = ", ".join(f"{what} {used:.2f}" for what, used in self.cores.items())
        late = [late_s * 1000 for late_s in self.clock.late_s]
        taken = [taken_s * 1000 for taken_s in self.clock.taken_s]
        lines = [
            f"{phones} phones at {self.options.tables} tables, {self.per_s:.1f} taps/s",
            f"  tap until the last phone shows it: {percentiles(taken)} (target: p99 at most "
            f"{TARGET_MS}); {sum(map(math.isinf, taken))} of {len(taken)} never shown",
            f"  a tap takes {self.tap_ms:.1f} ms of CPU time; cores in use: {busy}",
            f"  a phone that comes takes {self.arrival.cpu_ms:.1f} ms of CPU time and "
            f"{self.arrival.kb:.1f} kB; the site has {self.mb:.0f} MB at the end",
            f"  delay of this process: {percentiles(late)}",
        ]
        if self.options.pin:  # more taps than the site can take
            del lines[1]
        if self.lost_streams:
            lines.append(f"  {self.lost_streams} streams ended")
        lines += [f"  {count} times {what}" for what, count in self.clock.problems.most_common(3)]
        return "\n".join(lines)


def percentiles(values: Sequence[float]) -> str:
    """Return median, p90, p99 and maximum in milliseconds as text."""
    ordered = sorted(values)
    parts = [(name, ordered[len(ordered) * int(name[1:]) // 100]) for name in ("p50", "p90", "p99")]
    named = [f"{name} {value:.1f}" for name, value in [*parts, ("maximum", ordered[-1])]]
    return ", ".join(named) + " ms"


if __name__ == "__main__":
    main()

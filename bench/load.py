"""Does a host keep up with many tables at once, what does that take, and what does one more bring?

Two thousand phones sit at five hundred tables, each with its stream open, and tap when a clock says
so (by chance, so many in a second), whether or not the site has answered what came before: an open
loop. A tap counts from when it was due until the last of the four phones at its table shows it, so
that whoever is slow to take or to answer is not asked less for it. The moves of one table go one
after the other, as its rules want; one that waits for the one before counts that, too.

``small``: one `manage.py serve`. ``large``: gunicorn with two processes for pages and one
`manage.py serve` for streams. This process is the one that taps and listens; it prints its own
share of a core, and how late it was itself. ``--pin``: the same site on one core, then on two, each
with a page and a stream process of its own, at more taps than they can take.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import _site  # noqa: E402
from bench._visitors import Lines, Table, Visitor  # noqa: E402
from bench.live import memory_kb  # noqa: E402
from bench.tap import processor_ms  # noqa: E402
from tests import servers  # noqa: E402

AIM_MS = 250
ACTS = 198
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PLAYED = (0, 40, 80, 120)
"""So many acts of a game are played already when the phones come: at every fourth table each."""

ARRIVALS_PER_S = 60
COMING_AT_ONCE = 12
WARM_UP_PAUSE = 3
PATIENCE_S = 20
STARTS_WITHIN_S = 120
MOST_FILES = 16384
SEED = 16
KINDS = ("sqlite", "postgresql")
GENERATOR, MACHINE = "taps and listening", "everything on this machine"


def main() -> None:
    """Measure on each kind of host with each database, every time in a process of its own."""
    wanted = read_arguments()
    raise_file_limit(wanted.tables)
    runs = [(kind, host) for kind in wanted.databases for host in wanted.hosts]
    if len(runs) == 1:
        measure(*runs[0], wanted)
        return
    for kind, host in runs:
        named = ("--databases", kind, "--hosts", host)
        subprocess.run([sys.executable, __file__, *sys.argv[1:], *named], check=True)


def read_arguments() -> argparse.Namespace:
    """What is to be measured, as far as it can be here."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, default=500, help="of four phones each")
    parser.add_argument("--rate", type=float, default=60.0, help="taps a second, at all tables")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long that is measured")
    parser.add_argument("--databases", nargs="+", choices=KINDS, default=[*KINDS])
    parser.add_argument(
        "--hosts", nargs="+", choices=("small", "large"), default=["small", "large"]
    )
    parser.add_argument("--pin", action="store_true", help="one core, then two; beyond their limit")
    wanted = parser.parse_args()
    if "postgresql" in wanted.databases and not servers.postgresql_url():
        print(f"postgresql: left out, {servers.NO_POSTGRESQL}")
        wanted.databases.remove("postgresql")
    if wanted.pin:
        wanted.hosts = ["large"]
    if wanted.pin and len(os.sched_getaffinity(0)) < 2:
        parser.error("--pin takes two cores")
    return wanted


def raise_file_limit(tables: int) -> None:
    """Let this process, and the servers that it starts, hold all of the streams."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(MOST_FILES, hard), hard))
    if hard < 2 * tables * _site.PLAYERS:
        print(f"a process may open {hard} files only: expect streams that do not come about")


def measure(kind: str, host: str, wanted: argparse.Namespace) -> None:
    """Make a database ready, start a site on it, and measure; nothing is left of it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("asked to end"))
    with ExitStack() as stack:
        others = {"database": database_pids()} if kind == "postgresql" else {}
        _site.begin(kind, stack)
        if wanted.pin:
            compare_cores(kind, wanted, others)
            return
        with site_of(host) as site:
            print(f"{kind}, {host} host, {asyncio.run(drive(site, wanted, others))}", flush=True)


def compare_cores(kind: str, wanted: argparse.Namespace, others: dict[str, list[int]]) -> None:
    """Print how many taps one core manages, how many two, and what each then takes."""
    first, second = sorted(os.sched_getaffinity(0))[:2]
    seen = []
    for cores in ([first], [first, second]):
        with machines(cores) as site:
            seen.append(asyncio.run(drive(site, wanted, others)))
        print(f"{kind}, on {len(cores)} of the cores, {seen[-1]}", flush=True)
    one, two = seen
    print(
        f"{kind}: the second brings {two.per_s / one.per_s:.2f} times the taps, each at "
        f"{two.tap_ms / one.tap_ms:.2f} times the processor time",
        flush=True,
    )


# The site ------------------------------------------------------------------------------------


class Site(NamedTuple):
    """Its servers' ports, and the processes of each kind."""

    pages: list[int]
    streams: list[int]
    pids: dict[str, list[int]]

    def processor_ms(self) -> float:
        """What its processes have used of the processor so far."""
        return float(sum(processor_ms(*pids) for pids in self.pids.values()))

    def memory_kb(self) -> float:
        """What its processes have of the memory now, what they share counted once."""
        first = [pid for pids in self.pids.values() for pid in pids]
        return sum(memory_kb(pid) for pid in with_children(first))

    def at(self, number: int) -> tuple[int, int]:
        """Where the phones of a table ask, and where they listen."""
        return self.pages[number % len(self.pages)], self.streams[number % len(self.streams)]


@contextmanager
def site_of(host: str) -> Iterator[Site]:
    """A site with one process or several, as in docs/reference.md."""
    with ExitStack() as stack:
        live, live_pid = stack.enter_context(_site.served(*_site.serve()))
        if host == "small":
            yield Site([live], [live], {"site": [live_pid]})
            return
        pages, pid = stack.enter_context(_site.served(*_site.gunicorn(processes=2)))
        yield Site([pages], [live], {"pages": [pid], "streams": [live_pid]})


@contextmanager
def machines(cores: Sequence[int]) -> Iterator[Site]:
    """A page process and a stream process on each of these cores; a table has its own."""
    with ExitStack() as stack:
        site = Site([], [], {"pages": [], "streams": []})
        for core in cores:
            for command, role, ports in (
                (_site.gunicorn(), "pages", site.pages),
                (_site.serve(), "streams", site.streams),
            ):
                port, pid = stack.enter_context(_site.served(*command, cores=[core]))
                ports.append(port)
                site.pids[role].append(pid)
        yield site


def database_pids() -> list[int]:
    """The first processes of all PostgreSQL servers here; what they start counts with them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, parent = name_and_parent(int(folder.name))
            if name == "postgres" and name_and_parent(parent)[0] != "postgres":
                found.append(int(folder.name))
        except OSError:
            continue  # it has ended meanwhile
    return found


def with_children(pids: Iterable[int]) -> Iterator[int]:
    """These processes and all that they have started."""
    for pid in pids:
        yield pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        yield from with_children(map(int, children))


def name_and_parent(pid: int) -> tuple[str, int]:
    """What a process is called, and which one has started it."""
    head, _, rest = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")
    return head.partition("(")[2], int(rest.split()[1])


# Its visitors --------------------------------------------------------------------------------


@dataclass
class Arrival:
    """The tables with their phones, and what it took to have them there."""

    tables: list[Table]
    ms_each: float = 0
    kb_each: float = 0


async def come(stack: AsyncExitStack, site: Site, count: int) -> Arrival:
    """Have tables opened, and their phones come, so many a second and no more."""
    moves = _site.game_moves(ACTS)
    lines = {port: Lines(port) for port in site.pages}
    come = Arrival([])
    for number, code in enumerate(await asyncio.to_thread(open_tables, count, moves)):
        pages, streams = site.at(number)
        servers = [(pages, 0), (streams, 0)]
        phones = [Visitor(code, seat, servers, lines[pages]) for seat in range(_site.PLAYERS)]
        come.tables.append(Table(phones, moves[PLAYED[number % len(PLAYED)] :]))
    every = [phone for table in come.tables for phone in table.phones]
    first, others = every[: len(every) // 10], every[len(every) // 10 :]
    await arrive(stack, first)
    memory, used = site.memory_kb(), site.processor_ms()
    await arrive(stack, others)
    come.kb_each = (site.memory_kb() - memory) / len(others)
    come.ms_each = (site.processor_ms() - used) / len(others)
    return come


async def arrive(stack: AsyncExitStack, phones: Sequence[Visitor]) -> None:
    """Open their streams, so many a second at most, and wait until all show their table."""
    begun, room = time.monotonic(), asyncio.Semaphore(COMING_AT_ONCE)

    async def sit_down(phone: Visitor) -> None:
        async with room, asyncio.timeout(STARTS_WITHIN_S):
            await stack.enter_async_context(phone)
            await phone.until(1)

    coming = []
    for number, phone in enumerate(phones):
        await asyncio.sleep(begun + number / ARRIVALS_PER_S - time.monotonic())
        coming.append(asyncio.ensure_future(sit_down(phone)))
    await asyncio.gather(*coming)


def open_tables(count: int, moves: Sequence[_site.Move]) -> list[str]:
    """Open tables at which so much is played already, in the order of `PLAYED`."""
    of = Counter(PLAYED[number % len(PLAYED)] for number in range(count))
    opened = {played: iter(_site.open_tables(of[played], moves[:played])) for played in of}
    codes = [next(opened[PLAYED[number % len(PLAYED)]]) for number in range(count)]
    _site.give_seats((code, seat) for code in codes for seat in range(_site.PLAYERS))
    return codes


# What they do --------------------------------------------------------------------------------


class Clock:
    """Lets things begin when they are due, and notes how late it was."""

    def __init__(self) -> None:
        self.late_s: list[float] = []
        self.taken_s: list[float] = []
        self.problems: Counter[str] = Counter()
        self._begun = time.monotonic()
        self._running: set[asyncio.Task[None]] = set()

    async def run(self, taps: Iterable[tuple[float, Table]], seconds: float) -> None:
        """Have each tap begin so many seconds after now, whatever came of those before."""
        for due, table in taps:
            await asyncio.sleep(self._begun + due - time.monotonic())
            self.late_s.append(time.monotonic() - self._begun - due)
            task = asyncio.ensure_future(self._tap(due, table))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        await asyncio.sleep(self._begun + seconds - time.monotonic())

    async def end(self, patience_s: float) -> None:
        """Wait for what has begun; what takes longer than that never came."""
        if self._running:
            _done, late = await asyncio.wait(self._running, timeout=patience_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _tap(self, due: float, table: Table) -> None:
        taken_s = math.inf
        try:
            await table.tap()
            taken_s = time.monotonic() - self._begun - due
        except (AssertionError, OSError, EOFError) as problem:
            self.problems[repr(problem)[:200]] += 1
        finally:
            self.taken_s.append(taken_s)


def schedule(tables: Sequence[Table], rate: float, seconds: float) -> list[tuple[float, Table]]:
    """When a tap is due at which table: each time and each table by chance."""
    random, taps, due = Random(SEED), [], 0.0
    while (due := due + random.expovariate(rate)) < seconds:
        taps.append((due, random.choice(tables)))
    if any(count > table.left for table, count in Counter(table for _due, table in taps).items()):
        raise SystemExit("A game would end: ask for more tables, or for fewer taps.")
    return taps


async def drive(site: Site, wanted: argparse.Namespace, others: dict[str, list[int]]) -> Seen:
    """Let all phones come, tap once at every table, and then as is wanted."""
    async with AsyncExitStack() as stack:
        arrival = await come(stack, site, wanted.tables)
        tables = arrival.tables
        warm_up = Clock()
        pause_s = WARM_UP_PAUSE / wanted.rate  # for the first tap everything is rendered
        await warm_up.run([(n * pause_s, table) for n, table in enumerate(tables)], 0)
        await warm_up.end(PATIENCE_S)
        taps = schedule(tables, wanted.rate, wanted.seconds)
        pids = site.pids | others
        clock, before = Clock(), used_ms(pids)
        await clock.run(taps, wanted.seconds)
        after, shown = used_ms(pids), len(clock.taken_s)
        await clock.end(0 if wanted.pin else PATIENCE_S)
        ended = sum(phone.listening.done() for table in tables for phone in table.phones)
        cores = {what: (after[what] - before[what]) / wanted.seconds / 1000 for what in after}
        return Seen(wanted, arrival, clock, cores, shown, site.memory_kb() / 1024, ended)


def used_ms(pids: dict[str, list[int]]) -> dict[str, float]:
    """The processor time used so far by each kind of processes, by this one, and by everything."""
    used = {what: processor_ms(*some) for what, some in pids.items()}
    fields = Path("/proc/stat").read_text("ascii").splitlines()[0].split()[1:9]
    user, nice, system, _idle, _waits, irq, soft_irq, _stolen = map(int, fields)
    every = (user + nice + system + irq + soft_irq) * 1000 / TICKS_PER_S
    return used | {GENERATOR: time.process_time() * 1000, MACHINE: every}


@dataclass(frozen=True)
class Seen:
    """What came of a run; ``cores`` are those in use by each kind of processes, on average."""

    wanted: argparse.Namespace
    arrival: Arrival
    clock: Clock
    cores: dict[str, float]
    shown: int
    mb: float
    ended: int

    @property
    def per_s(self) -> float:
        """So many taps a second were shown by all phones."""
        return self.shown / self.wanted.seconds

    @property
    def tap_ms(self) -> float:
        """What one of them took of the site's processors."""
        return self.site_cores * 1000 / self.per_s if self.shown else math.inf

    @property
    def site_cores(self) -> float:
        """How many cores the site's own processes kept busy."""
        return sum(self.cores[what] for what in ("site", "pages", "streams") if what in self.cores)

    def __str__(self) -> str:
        phones = self.wanted.tables * _site.PLAYERS
        busy = ", ".join(f"{what} {used:.2f}" for what, used in self.cores.items())
        late_ms = [late * 1000 for late in self.clock.late_s]
        lines = [
            f"{phones} phones at {self.wanted.tables} tables, {self.per_s:.1f} taps/s",
            f"  a phone that comes takes {self.arrival.ms_each:.1f} ms of processor and "
            f"{self.arrival.kb_each:.1f} kB; all servers have {self.mb:.0f} MB at the end",
            f"  a tap takes {self.tap_ms:.1f} ms of processor; cores in use: {busy}",
            f"  this process was late by {percentile(late_ms, 50):.1f} ms (median), "
            f"{percentile(late_ms, 99):.1f} (99th percentile), {max(late_ms):.1f} (most)",
        ]
        if not self.wanted.pin:
            ms = [taken * 1000 for taken in self.clock.taken_s]
            lines[1:1] = [
                f"  tap to the last phone: median {percentile(ms, 50):.0f} ms, 90th percentile "
                f"{percentile(ms, 90):.0f}, 99th {percentile(ms, 99):.0f} (aim: at most {AIM_MS}), "
                f"slowest {max(ms):.0f}; {sum(map(math.isinf, ms))} of {len(ms)} never came"
            ]
        if self.ended:
            lines.append(f"  {self.ended} streams ended")
        lines += [f"  {count} times {what}" for what, count in self.clock.problems.most_common(3)]
        return "\n".join(lines)


def percentile(values: Sequence[float], percent: int) -> float:
    """The value that so many percent stay below."""
    return sorted(values)[min(len(values) * percent // 100, len(values) - 1)]


if __name__ == "__main__":
    main()

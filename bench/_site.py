"""Site with a temporary database: its servers, their CPU time and memory, and its tables."""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
"""Folder of the checkout."""

KINDS: Final = ("sqlite", "postgresql")
"""Databases to measure with."""

PLAYERS: Final = 4
"""Number of players at each table."""

TOKEN: Final = "bench".ljust(43, "x")
"""Cookie of a device that holds all seats of a table."""

Measure = Callable[[str, argparse.Namespace], None]
"""Function of a script that measures with a kind of database and with the script's options."""


class Move(NamedTuple):
    """Action of a player, as a page sends it and as the log stores it."""

    form: dict[str, str]
    entry: dict[str, object]


# Database ----------------------------------------------------------------------------------------


@contextmanager
def database(kind: str) -> Iterator[None]:
    """Create a database, and set Django up on it in this process and for its servers."""
    from tests.live.deployments import deployment

    with (
        tempfile.TemporaryDirectory(prefix="dizzle-bench-") as folder,
        deployment(kind, Path(folder)) as site,
    ):
        os.environ.update(site.variables)
        import django

        django.setup()
        from dizzle_site.preparation import prepare

        prepare()
        yield


def on_each_database(
    script: str, measure: Measure, parser: argparse.ArgumentParser | None = None
) -> None:
    """Read the command line, and call ``measure`` for the database that it names, or for each one.

    Each database has a process of its own, because Django's settings name one database.
    """
    parser = parser or argparse.ArgumentParser()
    parser.add_argument("database", nargs="?", choices=KINDS, help="only this one")
    options = parser.parse_args()
    if options.database:
        with database(options.database):
            measure(options.database, options)
        return
    from tests import servers

    for kind in KINDS:
        if kind == "postgresql" and not servers.postgresql_url():
            print(f"postgresql: left out, {servers.NO_POSTGRESQL}")
        else:
            subprocess.run([sys.executable, script, kind, *sys.argv[1:]], check=True)


# Servers -----------------------------------------------------------------------------------------


def serve() -> tuple[str, ...]:
    """Return the command that starts the site with its default server."""
    return ("manage", "serve", "--prepared")


def gunicorn(processes: int = 1) -> tuple[str, ...]:
    """Return the command of the server for pages that docs/reference.md recommends."""
    worker = ("--worker-class", "gthread", "--keep-alive", "75", "--log-level", "error")
    numbers = ("--threads", "4", "--workers", str(processes))
    return ("gunicorn", "dizzle_site.wsgi", "--bind", "127.0.0.1:PORT", *worker, *numbers)


@contextmanager
def served(
    *command: str,
    settings: str = "dizzle_site.settings",
    cores: Iterable[int] = (),
    folder: Path = ROOT,
) -> Iterator[tuple[int, int]]:
    """Run a server on a free port and yield its port and its process id.

    Args:
        command: the module to run and its arguments; ``PORT`` stands for the port.
        settings: Django's settings module.
        cores: the only cores that the server may use; none means all.
        folder: the checkout with the code.
    """
    pinned = [*cores]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", *(word.replace("PORT", str(port)) for word in command)],
        cwd=folder,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": settings, "PORT": str(port)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        preexec_fn=partial(os.sched_setaffinity, 0, pinned) if pinned else None,
    )
    try:
        _wait_for(port, process)
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server does not start")


def cpu_ms(pids: Iterable[int]) -> float:
    """Return the CPU time that processes and their children have used, in milliseconds."""
    # Linux's clock of another process; /proc counts in hundredths of a second.
    return sum(time.clock_gettime_ns((~pid << 3) | 2) for pid in _with_children(pids)) / 1e6


def memory_kb(pids: Iterable[int]) -> float:
    """Return the memory of processes and their children in kB; shared pages count once."""
    found = 0.0
    for pid in _with_children(pids):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
        except OSError:  # the process has ended
            continue
        found += sum(float(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return found


def _with_children(pids: Iterable[int]) -> Iterator[int]:
    for pid in pids:
        yield pid
        for threads in Path(f"/proc/{pid}/task").glob("*/children"):
            try:
                children = threads.read_text("ascii").split()
            except OSError:  # the thread has ended
                continue
            yield from _with_children(map(int, children))


# Tables ------------------------------------------------------------------------------------------


def game_moves(count: int, seed: int = 1) -> list[Move]:
    """Return the first random moves of a game on level-1, played with the dice on the table."""
    from sheets.levels import find_level
    from sheets.rules import Action, new_game
    from sheets.rules.documents.game import format_action
    from sheets.tables.event_log import LogState, extend

    random = Random(seed)
    start = new_game(find_level("level-1"), [str(n) for n in range(PLAYERS)], tracked=False)
    state = LogState(start)
    moves: list[Move] = []
    entries: list[dict[str, object]] = []
    while len(moves) < count:
        legal = [(player, at) for player, fields in state.game.legal().items() for at in fields]
        in_pass = len(state.applied) - state.pass_began_after
        if state.game.phase != "open" or (not legal and not in_pass):
            raise RuntimeError(f"the game is over after {len(moves)} actions")
        if legal and in_pass < 4 * PLAYERS:
            player, at = random.choice(legal)
            action = Action("place", player, at)
            form = {"do": "place", "player": str(player), "at": at}
        else:
            action, form = Action("end_pass"), {"do": "end_pass"}
        entry = dict(format_action(action))
        moves.append(Move(form | {"moment": state.moment}, entry))
        entries.append(entry)
        state = extend(state, start, entries, len(entries) - 1)
    return moves


def open_tables(count: int, moves: Sequence[Move] = ()) -> list[str]:
    """Open tables where one device holds all seats and some moves are played; return the codes."""
    from django.db import connection, transaction

    from sheets.levels import find_level
    from sheets.models import Entry, Table
    from sheets.tables import seating
    from sheets.tables.access import find_access

    codes = []
    with transaction.atomic():  # one wait for the disk, instead of one for each table
        for _ in range(count):
            code = seating.open_table(
                find_level("level-1"),
                "level-1",
                players=PLAYERS,
                dice="table",
                name="0",
                token=TOKEN,
            )
            access = find_access(code)
            for seat in range(1, PLAYERS):
                seating.take_seat(access, seat, str(seat), TOKEN)
            Table.objects.filter(code=code).update(has_started=True, length=len(moves))
            Entry.objects.bulk_create(
                Entry(table=access.table, number=number, action=move.entry, seat=0)
                for number, move in enumerate(moves, start=1)
            )
            codes.append(code)
    connection.close()  # each thread has a connection of its own
    return codes


def give_seats(codes: Iterable[str]) -> None:
    """Give each seat of these tables to another device, with the cookie of `token_of`."""
    from django.db import connection, transaction

    from sheets.access.keys import digest
    from sheets.models import Seat

    with transaction.atomic():
        for code in codes:
            for number in range(PLAYERS):
                seat = Seat.objects.filter(table__code=code, number=number)
                seat.update(token_digest=digest(token_of(code, number)))
    connection.close()


def token_of(code: str, seat: int) -> str:
    """Return the cookie of the device that holds a seat after `give_seats`."""
    return f"{code}-{seat}".ljust(43, "x")


def new_request() -> str:
    """Return a new request id, as the page makes it."""
    return secrets.token_urlsafe(12)

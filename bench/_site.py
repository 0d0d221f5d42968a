"""A site with a database of its own for a bench: its servers, and tables to play at."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "bench".ljust(43, "x")
PLAYERS = 4


class Move(NamedTuple):
    """One act, as a page sends it and as the log keeps it."""

    form: dict[str, str]
    entry: dict[str, object]


def begin(kind: str, stack: object) -> dict[str, str]:
    """Make a database of a kind ready, set Django up on it here, and give its variables."""
    from tests.live.deployments import deployment

    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dizzle-bench-"))  # type: ignore[attr-defined]
    site = stack.enter_context(deployment(kind, Path(folder)))  # type: ignore[attr-defined]
    os.environ.update(site.variables)
    import django

    django.setup()
    from dizzle_site.preparing import prepare

    prepare()
    return dict(site.variables)


KINDS = ("sqlite", "postgresql")


def on_each_database(script: str, measure: Callable[[str], None]) -> None:
    """Measure on each database, in a process of its own because Django knows one at a time.

    Args:
        script: the file that is run, which calls this with a database's kind as its first argument,
            too, before those that it was given.
    """
    if sys.argv[1:2] and sys.argv[1] in KINDS:
        with ExitStack() as stack:
            begin(sys.argv[1], stack)
            measure(sys.argv[1])
        return
    from tests import servers

    for kind in KINDS:
        if kind == "postgresql" and not servers.postgresql_url():
            print(f"postgresql: left out, {servers.NO_POSTGRESQL}")
        else:
            subprocess.run([sys.executable, script, kind, *sys.argv[1:]], check=True)


@contextmanager
def served(
    *command: str,
    settings: str = "dizzle_site.settings",
    cores: Iterable[int] = (),
    folder: Path = ROOT,
) -> Iterator[tuple[int, int]]:
    """Run a server on a free port (PORT in the command, and in its environment), on these cores
    alone where some are named, from the code in this folder; gives the port and the process's id.
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


def gunicorn(threads: int = 4, processes: int = 1) -> tuple[str, ...]:
    """The server for pages that docs/reference.md recommends for many users."""
    worker = ("--worker-class", "gthread", "--keep-alive", "75", "--log-level", "error")
    numbers = ("--threads", str(threads), "--workers", str(processes))
    return ("gunicorn", "dizzle_site.wsgi", "--bind", "127.0.0.1:PORT", *worker, *numbers)


def serve() -> tuple[str, ...]:
    """The site as it starts by default, its database being prepared."""
    return ("manage", "serve", "--prepared")


def uvicorn() -> tuple[str, ...]:
    """The bare server that `manage.py serve` builds on."""
    return (
        *("uvicorn", "dizzle_site.asgi:application", "--port", "PORT", "--lifespan", "off"),
        *("--log-level", "critical", "--timeout-keep-alive", "75"),
        *("--timeout-graceful-shutdown", "2"),
    )


def game_moves(count: int, seed: int = 1) -> list[Move]:
    """The first acts of a mirrored game of four at level-1, each with the moment it is sent in."""
    from sheets.levels import find_level
    from sheets.rules import Action, new_game
    from sheets.rules.documents.game import format_action
    from sheets.tables.log import LogState, extend

    random = Random(seed)
    start = new_game(find_level("level-1"), [str(n) for n in range(PLAYERS)], tracked=False)
    state = LogState(start)
    moves: list[Move] = []
    entries: list[dict[str, object]] = []
    while len(moves) < count:
        legal = [(player, at) for player, fields in state.game.legal().items() for at in fields]
        in_pass = len(state.applied) - state.pass_began_after
        if state.game.phase != "open" or (not legal and not in_pass):
            raise RuntimeError(f"the game is over after {len(moves)} acts")
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
    """Open tables where one device holds all seats, with acts that are played already."""
    from django.db import connection, transaction

    from sheets.levels import find_level
    from sheets.models import Entry, Table
    from sheets.tables import seating
    from sheets.tables.access import find_access

    codes = []
    with transaction.atomic():  # one wait for the disk, not one for each
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
    connection.close()  # each call has a thread of its own
    return codes


def token_of(code: str, seat: int) -> str:
    """What the device has that sits there, where each seat has one of its own."""
    return f"{code}-{seat}".ljust(43, "x")


def give_seats(seats: Iterable[tuple[str, int]]) -> None:
    """Let each of these seats, a table's code and a number, be held by a device of its own."""
    from django.db import connection, transaction

    from sheets.access.keys import digest
    from sheets.models import Seat

    with transaction.atomic():
        for code, number in seats:
            seat = Seat.objects.filter(table__code=code, number=number)
            seat.update(token_digest=digest(token_of(code, number)))
    connection.close()


def new_request() -> str:
    """An id of a request, as the page makes one."""
    return secrets.token_urlsafe(12)


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

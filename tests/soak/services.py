"""Separate PostgreSQL server for one scenario, which can be stopped and suspended."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.processes import free_port
from tests.soak.processes import Program, wait_until

UNPRIVILEGED = ("postgres", "nobody")
"""Users that run PostgreSQL if the soak test runs as root, as which PostgreSQL refuses to run."""


class NotHere(Exception):
    """This machine lacks what a scenario needs; the message is the reason."""


@contextmanager
def postgresql(folder: Path) -> Iterator[tuple[Program, str]]:
    """Run a new server in a folder; yield the program and the address of an empty database."""
    initdb, server = _postgresql_binary("initdb"), _postgresql_binary("postgres")
    data, port = folder / "postgresql", free_port()
    data.mkdir(parents=True)
    data.chmod(0o700)
    as_user = _as_unprivileged(data)
    subprocess.run(
        [*as_user, initdb, "--pgdata", data, "--username", "dizzle", "--auth", "trust"],
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    options = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    words = [*as_user, server, "-D", str(data), "-p", str(port), *options]
    program = Program(words, folder / "postgresql.txt", os.environ, Path("/"))
    url = f"postgresql://dizzle@127.0.0.1:{port}/postgres"
    with _running(program, lambda: accepts(url), "PostgreSQL to answer"):
        yield program, url


def accepts(url: str) -> bool:
    """Return whether the database accepts connections."""
    import psycopg

    try:
        with psycopg.connect(url, connect_timeout=2) as connection:
            connection.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True


def terminate_connections(url: str) -> None:
    """Terminate all other connections to the database."""
    import psycopg

    with psycopg.connect(url, connect_timeout=5) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@contextmanager
def _running(program: Program, answers: Callable[[], bool], what: str) -> Iterator[None]:
    """Start a program, wait until it answers, and end it at the end."""
    try:
        program.start()
        wait_until(answers, what)
        yield
    finally:
        program.kill()


def _postgresql_binary(name: str) -> str:
    """Return the path of a PostgreSQL program, by default Debian's newest. Raises NotHere."""
    found = shutil.which(name)
    versions = sorted(
        Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: float(path.parts[4])
    )
    if not found and not versions:
        raise NotHere(f"PostgreSQL's {name} is not installed")
    return found or str(versions[-1])


def _as_unprivileged(folder: Path) -> list[str]:
    """Return the command prefix for an unprivileged user, who becomes owner of the folder."""
    if os.geteuid() != 0:
        return []
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = next((name for name in UNPRIVILEGED if name in names), "")
    tool = shutil.which("setpriv")
    if not user or not tool:
        raise NotHere("PostgreSQL does not run as root, and there is no setpriv")
    entry = pwd.getpwnam(user)
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    ids = [f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
    return [tool, *ids, "--"]

"""Site of several processes with its own database."""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests import servers
from tests.processes import TIMEOUT_S
from tests.site.served_site import CHECKOUT, manage, started_before

FIND_TABLE = "SELECT id, revision, length FROM sheets_table WHERE code = '{}'"
FIND_ENTRIES = "SELECT number, request FROM sheets_entry WHERE table_id = {} ORDER BY number"
READY = {2: 4, 3: 2, 4: 8}
"""Number of prepared tables by number of players: more than the tests of one site need."""

KINDS = ("sqlite", "postgresql")


class Deployment:
    """Data folder and environment ``variables`` of the processes of one site."""

    def __init__(self, data_dir: Path, database_url: str) -> None:
        self.data_dir = data_dir
        self.variables = {
            "DATA_DIR": str(data_dir),
            "DATABASE_URL": database_url,
            "SECRET_KEY": "of-a-test-" + "x" * 50,
            "DJANGO_SETTINGS_MODULE": "dizzle_site.settings",
        }
        self._tables: dict[int, list[str]] = {}

    @property
    def database(self) -> Path:
        """Database file of a site on SQLite."""
        named = self.variables["DATABASE_URL"].removeprefix("sqlite:///").partition("?")[0]
        return Path(named) if named else self.data_dir / "dizzle.sqlite3"

    def player(self, *words: str) -> subprocess.Popen[str]:
        """Start a command of `tests.live.player`."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.live.player", *words],
            cwd=CHECKOUT,
            env=os.environ | self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def ask(self, *words: str) -> str:
        """Return the output of a command of `tests.live.player`, which must succeed."""
        process = self.player(*words)
        printed, complaints = process.communicate(timeout=TIMEOUT_S)
        assert process.returncode == 0, complaints
        return printed.strip()

    def open(self, players: Iterable[int]) -> None:
        """Open and start a table for each of the numbers of players."""
        counts = list(players)
        for count, code in zip(counts, self.ask("open", *map(str, counts)).split(), strict=True):
            self._tables.setdefault(count, []).append(code)

    def table(self, players: int) -> str:
        """Return the code of a started table that no test has used yet."""
        return self._tables[players].pop()

    def copy_tables(self, other: Deployment) -> None:
        """Copy the list of tables of the site from which the database was copied."""
        self._tables = {players: list(codes) for players, codes in other._tables.items()}

    def stored(self, code: str) -> dict[str, Any]:
        """Return revision, length, and entries (number and request) of a table in the database.

        It is read by SQL, because a process with the site's code takes a second to start.
        """
        with closing(self._connect()) as database:
            row = database.execute(FIND_TABLE.format(code)).fetchone()
            assert row, f"no table {code}"
            entries = database.execute(FIND_ENTRIES.format(row[0])).fetchall()
        return {
            "revision": row[1],
            "length": row[2],
            "entries": [tuple(found) for found in entries],
        }

    def _connect(self) -> Any:
        url = self.variables["DATABASE_URL"]
        if not url.startswith("postgresql"):
            return sqlite3.connect(self.database, timeout=TIMEOUT_S)
        import psycopg

        return psycopg.connect(url)


@contextmanager
def deployment(
    kind: str,
    data_dir: Path,
    *,
    database_url: str = "",
    is_empty: bool = False,
    has_tables: bool = False,
) -> Iterator[Deployment]:
    """Prepare the database of a site, and delete it at the end.

    Args:
        kind: ``sqlite`` or ``postgresql``.
        data_dir: folder of SQLite's file without ``database_url``.
        database_url: address of SQLite's file.
        is_empty: leave out all that a first start creates.
        has_tables: include started tables, see `Deployment.table`.
    """
    if kind != "sqlite" and not servers.postgresql_url():
        pytest.skip(servers.NO_POSTGRESQL)
    made = started_before(data_dir) / "dizzle.sqlite3"
    if kind == "sqlite":
        site = Deployment(data_dir, database_url)
        site.database.parent.mkdir(exist_ok=True)
        if is_empty:
            made.unlink()
        elif site.database != made:
            shutil.move(made, site.database)
        if has_tables:
            model = _made_once(kind, True)
            shutil.copyfile(model.database, site.database)
            site.copy_tables(model)
        yield site
        return
    made.unlink()
    model = None if is_empty else _made_once("postgresql", has_tables)
    with _postgresql_database(model) as url:
        site = Deployment(data_dir, url)
        if model:
            site.copy_tables(model)
        yield site


@cache
def _made_once(kind: str, has_tables: bool) -> Deployment:
    """Return the site whose database is the template of others; cached for each test process.

    It takes two seconds of processor time, and one more for the tables.
    """
    stack = ExitStack()
    atexit.register(stack.close)
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="dizzle-made-")))
    site = Deployment(started_before(folder), "")
    if kind == "postgresql":
        model = _made_once(kind, False) if has_tables else None
        url = stack.enter_context(_postgresql_database(model))
        site = Deployment(folder, url)
        done = None if model else manage("prepare", **site.variables)
        assert not done or done.returncode == 0, done.stderr
    if has_tables:
        site.open(count for count, some in READY.items() for _ in range(some))
    return site


@contextmanager
def _postgresql_database(model: Deployment | None) -> Iterator[str]:
    """Create a PostgreSQL database, empty or a copy of another site's; yield its address."""
    import psycopg
    from psycopg import sql

    template = model.variables["DATABASE_URL"].rpartition("/")[2] if model else "template1"
    name = f"dizzle_test_{secrets.token_hex(6)}"
    server = servers.postgresql_url()
    with psycopg.connect(server, autocommit=True) as connection:
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(made.format(sql.Identifier(name), sql.Identifier(template)))
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            statement = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(statement.format(sql.Identifier(name)))

"""A site of several processes with a database of its own."""

from __future__ import annotations

import atexit
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests import servers
from tests.site.running import CHECKOUT, manage, started_before

KINDS = ("sqlite", "postgresql", "postgresql-redis")
PATIENCE_S = 300


class Deployment:
    """Where the processes of one site keep things; ``variables`` is what they are started with."""

    def __init__(self, data_dir: Path, database_url: str, redis_url: str) -> None:
        self.data_dir = data_dir
        self.variables = {
            "DATA_DIR": str(data_dir),
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "SECRET_KEY": "of-a-test-" + "x" * 50,
            "DJANGO_SETTINGS_MODULE": "dizzle_site.settings",
        }
        self._is_prepared = False

    @property
    def database(self) -> Path:
        """The file of a site on SQLite."""
        named = self.variables["DATABASE_URL"].removeprefix("sqlite:///").partition("?")[0]
        return Path(named) if named else self.data_dir / "dizzle.sqlite3"

    def prepare(self) -> None:
        """Make everything ready before the first of its servers starts."""
        if not self._is_prepared:
            done = manage("prepare", **self.variables)
            assert done.returncode == 0, done.stderr
            self._is_prepared = True

    def player(self, *words: str) -> subprocess.Popen[str]:
        """Start a `tests.live.player`."""
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
        """What a `tests.live.player` prints, who must succeed."""
        process = self.player(*words)
        printed, complaints = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, complaints
        return printed.strip()

    def stored(self, code: str) -> dict[str, Any]:
        """What is in the database of a table."""
        found: dict[str, Any] = json.loads(self.ask("show", code))
        return found


@contextmanager
def deployment(
    kind: str,
    data_dir: Path,
    *,
    redis_url: str = "",
    database_url: str = "",
    is_empty: bool = False,
) -> Iterator[Deployment]:
    """Make the database of a kind of site ready, and delete it at the end.

    The Redis is ours for tests or that of ``redis_url``; SQLite's file is in ``data_dir`` or that
    of ``database_url``. An empty one has no tables yet.
    """
    if kind.endswith("redis"):
        redis_url = redis_url or servers.redis_url()
    if kind.endswith("redis") and not redis_url:
        pytest.skip(servers.NO_REDIS)
    if kind != "sqlite" and not servers.postgresql_url():
        pytest.skip(servers.NO_POSTGRESQL)
    made = started_before(data_dir) / "dizzle.sqlite3"
    if kind == "sqlite":
        site = Deployment(data_dir, database_url, redis_url)
        site.database.parent.mkdir(exist_ok=True)
        if is_empty:
            made.unlink()
        elif site.database != made:
            shutil.move(made, site.database)
        yield site
        return
    made.unlink()
    with _postgresql_database("template1" if is_empty else _migrated_once()) as url:
        yield Deployment(data_dir, url, redis_url)


@cache
def _migrated_once() -> str:
    """The name of a database with all tables, which those of sites are copies of.

    To make them takes two seconds of computing; each process that tests does so once.
    """
    stack = ExitStack()
    atexit.register(stack.close)
    url = stack.enter_context(_postgresql_database("template1"))
    folder = stack.enter_context(TemporaryDirectory(prefix="dizzle-migrated-"))
    site = Deployment(Path(folder), url, "")
    done = manage("migrate", "--verbosity=0", **site.variables)
    assert done.returncode == 0, done.stderr
    return url.rpartition("/")[2]


@contextmanager
def _postgresql_database(template: str) -> Iterator[str]:
    import psycopg
    from psycopg import sql

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

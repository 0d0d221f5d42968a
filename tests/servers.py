"""Where are a PostgreSQL and a Redis to test with?

Those that DATABASE_URL and REDIS_URL name, else local ones if they let us in. Tests make databases
of their own there and delete them. `python -m tests.servers` runs what stores something
once more on them, or says why not; `make test` does so before everything else.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from urllib.parse import urlsplit, urlunsplit

LOCAL_DATABASES = (
    "postgresql:///postgres",
    "postgresql://postgres@127.0.0.1:5432/postgres",
)
LOCAL_REDIS = "redis://127.0.0.1:6379/12"
WORKERS = 4
"""How many processes test at once at most; each has a Redis database of its own."""

NO_POSTGRESQL = "no PostgreSQL answers here (name one with DATABASE_URL)"
NO_REDIS = "no Redis answers here (name one with REDIS_URL)"

# Read before the settings of the tests forget them.
_named = {name: os.environ.get(name, "") for name in ("DATABASE_URL", "REDIS_URL")}

PLAIN = (
    *("artwork", "bots", "conformance", "documents", "levels", "printing"),
    *("rules", "scanning", "simulation", "training"),
)
"""Folders of tests that store nothing: on PostgreSQL they are not even collected (see
`tests.conftest`, which refuses a test there that stores something)."""

AGAIN = [
    "-m",
    "stores and not own_servers and not one_database",
    "-q",
    "--no-header",
    "-o",
    "testpaths=tests",
]
AGAIN += [f"--ignore=tests/{folder}" for folder in ("browser", "engines", "site", "soak", *PLAIN)]
AGAIN += [
    f"--ignore=tests/web/test_{walk}.py" for walk in ("languages", "marks", "symbols", "weight")
]
"""What runs a second time: all in which databases may differ. Texts of all kinds and documents are
stored there, rows are counted, ordered and locked, transactions meet and are broken off, and each
kind of page is asked for once (tests/web/test_html.py).

Left out is what is about browsers or about one database, and walks that look at what pages show of
documents. Tests that start servers themselves choose the database themselves; those of
`one_database` look at what pages say, refuse, draw or weigh, read photos or recount a family's
games once more, and store what others store."""


@cache
def postgresql_url() -> str:
    """A PostgreSQL in which databases can be made, empty if there is none."""
    import psycopg

    named = _named["DATABASE_URL"]
    for url in (named,) if named.startswith("postgres") else LOCAL_DATABASES:
        try:
            with psycopg.connect(url, connect_timeout=3) as connection:
                row = connection.execute(
                    "SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user"
                ).fetchone()
        except psycopg.Error:
            continue
        if row and row[0]:
            return url
    return ""


@cache
def redis_url() -> str:
    """A Redis that answers, empty if there is none."""
    from redis import Redis, RedisError

    url = _named["REDIS_URL"] or LOCAL_REDIS
    try:
        with Redis.from_url(url, socket_connect_timeout=3) as client:
            client.ping()
    except (RedisError, ValueError):
        return ""
    return url


def own_redis(url: str, worker: str) -> str:
    """The database of the same Redis for one of the processes that test at once.

    What one process counts for an address is not counted for another's.

    >>> own_redis("redis://host/12", "gw2")
    'redis://host/14'
    """
    if not url or not worker:
        return url
    parts = urlsplit(url)
    number = int(parts.path.strip("/") or 0) + int(worker.removeprefix("gw"))
    return urlunsplit(parts._replace(path=f"/{number}"))


def main() -> int:
    """Test once more on PostgreSQL, with Redis if it is there."""
    if not postgresql_url():
        sys.stdout.write(f"Not tested on PostgreSQL and Redis: {NO_POSTGRESQL}.\n")
        return 0
    with_redis = "and Redis" if redis_url() else f"alone: {NO_REDIS}"
    sys.stdout.write(
        f"Pages and streams on PostgreSQL {with_redis}; everything on SQLite follows.\n"
    )
    sys.stdout.flush()
    found = {"TEST_DATABASE_URL": postgresql_url(), "TEST_REDIS_URL": redis_url()}
    shared = ["--numprocesses", "auto", "--maxprocesses", str(WORKERS), "--dist", "worksteal"]
    command = [sys.executable, "-m", "pytest", *shared, *AGAIN, *sys.argv[1:]]
    return subprocess.run(command, env=os.environ | found, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""PostgreSQL and Redis for tests, and the run of the tests marked `postgresql` on them.

DATABASE_URL and REDIS_URL name the servers; without them local ones are tried. Tests create
databases of their own there and delete them. `python -m tests.servers` runs the tests, or says
why it cannot.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

LOCAL_DATABASES = (
    "postgresql:///postgres",
    "postgresql://postgres@127.0.0.1:5432/postgres",
)
LOCAL_REDIS = "redis://127.0.0.1:6379/12"
WORKERS = 2
"""Number of test processes; each has a PostgreSQL and a Redis database of its own.

On two cores with other work next to it, the run took 36 and 45 s with two and 51 s with one.
"""

NO_POSTGRESQL = "no PostgreSQL answers here (name one with DATABASE_URL)"
NO_REDIS = "no Redis answers here (name one with REDIS_URL)"

# Read before the settings of the tests forget them.
_named = {name: os.environ.get(name, "") for name in ("DATABASE_URL", "REDIS_URL")}


@cache
def postgresql_url() -> str:
    """Return the URL of a PostgreSQL in which databases can be created, empty without one."""
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
    """Return the URL of a Redis that answers, empty without one."""
    from redis import Redis, RedisError

    url = _named["REDIS_URL"] or LOCAL_REDIS
    try:
        with Redis.from_url(url, socket_connect_timeout=3) as client:
            client.ping()
    except (RedisError, ValueError):
        return ""
    return url


def own_redis(url: str, worker: str) -> str:
    """Return the URL of one test process's own database in a Redis.

    Otherwise requests of all processes would count for the same rate limits.

    >>> own_redis("redis://host/12", "gw2")
    'redis://host/14'
    """
    if not url or not worker:
        return url
    parts = urlsplit(url)
    number = int(parts.path.strip("/") or 0) + int(worker.removeprefix("gw"))
    return urlunsplit(parts._replace(path=f"/{number}"))


def marked_modules() -> list[str]:
    """Return the test modules that contain the mark.

    pytest imports only these: it takes 5 seconds to collect them and 18 to collect all.
    """
    folder = Path(__file__).parent
    files = sorted(folder.rglob("test_*.py"))
    marked = [file for file in files if b"mark.postgresql" in file.read_bytes()]
    return [f"{file.relative_to(folder.parent)}" for file in marked]


def main() -> int:
    """Run the tests marked `postgresql` on PostgreSQL, with Redis if there is one."""
    if not postgresql_url():
        sys.stdout.write(f"Not tested on PostgreSQL and Redis: {NO_POSTGRESQL}.\n")
        return 0
    with_redis = "and Redis" if redis_url() else f"alone: {NO_REDIS}"
    sys.stdout.write(f"Tests marked postgresql, on PostgreSQL {with_redis}.\n")
    sys.stdout.flush()
    found = {"TEST_DATABASE_URL": postgresql_url(), "TEST_REDIS_URL": redis_url()}
    command = [sys.executable, "-m", "pytest", "-m", "postgresql", "-q", "--no-header"]
    command += ["--numprocesses", f"{WORKERS}", "--dist", "worksteal"]
    command += ["-o", f"testpaths={' '.join(marked_modules())}", *sys.argv[1:]]
    return subprocess.run(command, env=os.environ | found, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

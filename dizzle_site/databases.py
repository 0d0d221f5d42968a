"""Django's settings of the database, for SQLite and PostgreSQL."""

from pathlib import Path
from typing import Any

import dj_database_url

from dizzle_site.environment import BadEnvironment, require_package

SQLITE = "django.db.backends.sqlite3"
POSTGRESQL = "django.db.backends.postgresql"

SQLITE_SETTINGS = {
    "ENGINE": SQLITE,
    # Threads of the server are kept, and each keeps its connection.
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        # A transaction that will write must say so at its start, else two writers at once
        # end in "database is locked" instead of one waiting for the other.
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        # FULL: a mark that was acknowledged survives a power cut.
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
        ),
    },
}

POSTGRESQL_SETTINGS = {
    "ENGINE": POSTGRESQL,
    "CONN_MAX_AGE": 0,  # the pool keeps the connections
    "CONN_HEALTH_CHECKS": True,  # else the first requests after a restart of PostgreSQL fail
    "OPTIONS": {
        "pool": {
            "min_size": 1,
            "max_size": 10,
            "timeout": 5,
            # The next request connects again, instead of a thread that waits longer each time.
            "reconnect_timeout": 1,
        },
        "connect_timeout": 3,
    },
}


def database_settings(url: str, data_dir: Path) -> dict[str, Any]:
    """Return Django's settings for the database at ``url``; "" is the SQLite file in ``data_dir``.

    Raises:
        BadEnvironment: the URL is invalid, or the driver of PostgreSQL is not installed.
    """
    if not url:
        return {"NAME": data_dir / "dizzle.sqlite3"} | SQLITE_SETTINGS
    try:
        parsed = dict(dj_database_url.parse(url))
    except ValueError:
        parsed = {}
    engine = parsed.get("ENGINE")
    if engine not in (SQLITE, POSTGRESQL) or parsed.get("NAME") in (None, "", ":memory:"):
        # The address itself may hold a password and is not repeated here.
        raise BadEnvironment(
            "DATABASE_URL must look like postgresql://user:password@host/name "
            "or sqlite:////folder/file (leave it out for the database in DATA_DIR)."
        )
    if engine == POSTGRESQL:
        require_package("psycopg", "DATABASE_URL")
    ours = SQLITE_SETTINGS if engine == SQLITE else POSTGRESQL_SETTINGS
    options: dict[str, Any] = {**ours["OPTIONS"], **parsed.get("OPTIONS", {})}  # type: ignore[dict-item]
    return parsed | ours | {"OPTIONS": options}

"""Where is everything kept, and how is each kind of database set up so that nothing is lost?"""

from pathlib import Path
from typing import Any

import dj_database_url

from .environment import BadEnvironment, require_package

SQLITE = "django.db.backends.sqlite3"
POSTGRESQL = "django.db.backends.postgresql"

SQLITE_SETTINGS = {
    # Under ASGI a kept connection would belong to a thread that never comes back.
    "CONN_MAX_AGE": 0,
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
    "CONN_MAX_AGE": 0,
    # The database may be restarted at any time: nobody is given a connection that is dead.
    "CONN_HEALTH_CHECKS": True,
    # One pool per process. A thread of an ASGI server lives as long as its request, so that
    # without the pool every request would open a connection of its own.
    "OPTIONS": {"pool": {"min_size": 1, "max_size": 10, "timeout": 10}},
}


def database_settings(url: str, data_dir: Path) -> dict[str, Any]:
    """Return Django's settings of the database that DATABASE_URL names, "" for the embedded one.

    Raises:
        BadEnvironment: one sentence.
    """
    if not url:
        return {"ENGINE": SQLITE, "NAME": data_dir / "dizzle.sqlite3"} | SQLITE_SETTINGS
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

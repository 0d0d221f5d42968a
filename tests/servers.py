"""PostgreSQL for tests, and the run of the tests marked `postgresql` on it.

DATABASE_URL names the server; without it a local one is tried. Tests create databases of their own
there and delete them. `python -m tests.servers` runs the tests, or says why it cannot.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

LOCAL_DATABASES = (
    "postgresql:///postgres",
    "postgresql://postgres@127.0.0.1:5432/postgres",
)
WORKERS = 2
"""Number of test processes; each has a PostgreSQL database of its own.

On two cores with other work next to it, the run took 36 and 45 s with two and 51 s with one.
"""

NO_POSTGRESQL = "no PostgreSQL answers here (name one with DATABASE_URL)"

# Read before the settings of the tests forget them.
_named = os.environ.get("DATABASE_URL", "")


@cache
def postgresql_url() -> str:
    """Return the URL of a PostgreSQL in which databases can be created, empty without one."""
    import psycopg

    for url in (_named,) if _named.startswith("postgres") else LOCAL_DATABASES:
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


def marked_modules() -> list[str]:
    """Return the test modules that contain the mark.

    pytest imports only these: it takes 5 seconds to collect them and 18 to collect all.
    """
    folder = Path(__file__).parent
    files = sorted(folder.rglob("test_*.py"))
    marked = [file for file in files if b"mark.postgresql" in file.read_bytes()]
    return [f"{file.relative_to(folder.parent)}" for file in marked]


def main() -> int:
    """Run the tests marked `postgresql` on PostgreSQL."""
    if not postgresql_url():
        sys.stdout.write(f"Not tested on PostgreSQL: {NO_POSTGRESQL}.\n")
        return 0
    sys.stdout.write("Tests marked postgresql, on PostgreSQL.\n")
    sys.stdout.flush()
    found = {"TEST_DATABASE_URL": postgresql_url()}
    command = [sys.executable, "-m", "pytest", "-m", "postgresql", "-q", "--no-header"]
    command += ["--numprocesses", f"{WORKERS}", "--dist", "worksteal"]
    command += ["-o", f"testpaths={' '.join(marked_modules())}", *sys.argv[1:]]
    return subprocess.run(command, env=os.environ | found, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Command that prints and checks the stored logs of all tables: `python -m tests.soak.stored_logs`.

It reads the database of the environment variables as a process of its own, and replays every log
through the rules.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import django
from django.db import connection


def all_tables() -> dict[str, Any]:
    """Return by code the length, the entries (number, request, action), and faults of the log."""
    from sheets.models import Table

    return {table.code: _of_table(table) for table in Table.objects.all()}


def _of_table(table: Any) -> dict[str, Any]:
    from sheets.tables import event_loader
    from sheets.tables.access import find_access

    entries = list(table.entries.values_list("number", "request", "action"))
    problem = ""
    if table.has_started:
        try:
            event_loader.load(find_access(table.code))
        except Exception as broken:  # any exception is a finding
            problem = f"{type(broken).__name__}: {broken}"
    return {"length": table.length, "entries": entries, "problem": problem}


def complaints_of_the_file() -> str:
    """Return the faults that SQLite finds in its file, empty for none."""
    if connection.vendor != "sqlite":
        return ""
    with connection.cursor() as cursor:
        (found,) = cursor.execute("PRAGMA integrity_check").fetchone()
    return "" if found == "ok" else str(found)


if __name__ == "__main__":
    django.setup()
    found = {"tables": all_tables(), "file": complaints_of_the_file()}
    sys.stdout.write(json.dumps(found) + "\n")

"""What is stored of all tables, and does each log hold? `python -m tests.soak.stored` prints it.

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
    """By code: the length, the entries as (number, request, action), and why the log fails."""
    from sheets.models import Table

    return {table.code: _of_table(table) for table in Table.objects.all()}


def _of_table(table: Any) -> dict[str, Any]:
    from sheets.tables import reading
    from sheets.tables.access import find_access

    entries = list(table.entries.values_list("number", "request", "action"))
    problem = ""
    if table.has_started:
        try:
            reading.load(find_access(table.code))
        except Exception as broken:  # whatever it is, it is the finding
            problem = f"{type(broken).__name__}: {broken}"
    return {"length": table.length, "entries": entries, "problem": problem}


def complaints_of_the_file() -> str:
    """What SQLite finds wrong with its file, empty for nothing."""
    if connection.vendor != "sqlite":
        return ""
    with connection.cursor() as cursor:
        (found,) = cursor.execute("PRAGMA integrity_check").fetchone()
    return "" if found == "ok" else str(found)


if __name__ == "__main__":
    django.setup()
    found = {"tables": all_tables(), "file": complaints_of_the_file()}
    sys.stdout.write(json.dumps(found) + "\n")

"""Backups: one file with the database and the secret key of a site, for either kind of database.

A backup is a ZIP archive with three members: `about.json` has format and time, `dizzle.sqlite3` is
the database as SQLite writes it, `secret-key` is the key that signs cookies (left out if SECRET_KEY
contains it). PostgreSQL is copied row by row into SQLite. `restore` copies rows into tables that it
creates itself, so a backup of either database can be restored into the other, nothing of a backup's
schema reaches the site, and no program of PostgreSQL's own version is needed. A ZIP ends with its
list of contents, so a truncated backup is not valid.
"""

from __future__ import annotations

from typing import Final

FORMAT: Final = "dizzle-backup/1"
"""Name and version of the format."""

ABOUT: Final = "about.json"
"""Member with the format, and the time of the backup."""

DATABASE: Final = "dizzle.sqlite3"
"""Member with the database."""

SECRET_KEY: Final = "secret-key"  # noqa: S105  a file's name
"""Member with the secret key."""


class Refused(Exception):
    """The backup or restore is not possible. The message is one sentence; nothing was changed."""

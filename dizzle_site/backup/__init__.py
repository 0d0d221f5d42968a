"""Backups: one file with all that a site must keep, whichever database it has.

A backup is a ZIP archive with three members: `about.json` says what it is, `dizzle.sqlite3` is the
database as SQLite writes it, `secret-key` the key that signs what devices bring back (left out
where SECRET_KEY names it). PostgreSQL is copied row by row into SQLite. `restore` copies rows into
tables that it makes itself, so a backup of either database can be restored into the other, nothing
of a backup's schema reaches the site, and no program of PostgreSQL's own version is needed.
A ZIP ends with its list of contents, so half a backup is none.
"""

from __future__ import annotations

from typing import Final

FORMAT: Final = "dizzle-backup/1"
ABOUT: Final = "about.json"
DATABASE: Final = "dizzle.sqlite3"
SECRET_KEY: Final = "secret-key"  # noqa: S105  a file's name


class Refused(Exception):
    """It cannot be backed up or restored; the message is one sentence, and nothing was changed."""

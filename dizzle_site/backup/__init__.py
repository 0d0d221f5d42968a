"""Backups: one file with the database and the secret key of a site, for SQLite and PostgreSQL.

A backup is a ZIP archive with three members: `about.json` has format and time, `dizzle.sqlite3` is
an SQLite database, `secret-key` is the key that signs cookies (left out if the environment variable
SECRET_KEY contains it). The rows of a PostgreSQL database are copied into an SQLite database.
`restore` creates the tables itself and copies the rows. So a backup of one kind of database can be
restored into the other kind, the site never gets the schema of a backup, and nobody needs a
PostgreSQL tool of the right version. A ZIP file ends with its list of contents, so a truncated
backup is not valid.
"""

from __future__ import annotations

from typing import Final

FORMAT: Final = "dizzle-backup/1"
"""Name and version of the format."""

ABOUT: Final = "about.json"
"""Archive member with the format and the time of the backup."""

DATABASE: Final = "dizzle.sqlite3"
"""Archive member with the database."""

SECRET_KEY: Final = "secret-key"  # noqa: S105  a file's name
"""Archive member with the secret key."""


class Refused(Exception):
    """The backup or restore is not possible. The message is one sentence; nothing was changed."""

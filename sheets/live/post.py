"""Messages between the processes of one site, by PostgreSQL's NOTIFY."""

from __future__ import annotations

import json
from typing import NamedTuple


class Letter(NamedTuple):
    """A table's revision, for the other processes."""

    code: str
    revision: int


def letter_to_all(code: str, revision: int) -> tuple[str, str]:
    """Return the channel and the message for PostgreSQL's NOTIFY.

    NOTIFY lets one transaction after the other commit, each with its wait for the disk: many
    hundreds a second.
    """
    from dizzle_site.postgresql.listening import CHANNEL  # psycopg, which SQLite does without

    return CHANNEL, json.dumps(Letter(code, revision))


def open_letter(message: bytes) -> Letter | None:
    """Read what another process sent; None for what none of ours would send."""
    try:
        code, revision = json.loads(message)
        return Letter(str(code), int(revision))
    except (ValueError, TypeError):
        return None

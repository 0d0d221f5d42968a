"""How does a phone learn at once that its table has changed?

It holds a stream open (`endpoint`, an ASGI application in front of Django) on which "revision N"
comes, also at once on connecting; the page then fetches its fresh sheet, unless it has said what it
shows: then what is new of that comes instead (`news`). Whoever writes
calls `publish` and `revoke` after the commit: streams of this process are told directly (`hub`),
those of other processes through PostgreSQL, or by their look into the database (`watch`).
The revision in the database is the truth; everything here only saves waiting.
"""

from __future__ import annotations

from sheets.access.keys import SEAT_COOKIE
from sheets.live import hub
from sheets.live.endpoint import with_live
from sheets.live.hub import end_all

__all__ = ["SEAT_COOKIE", "end_all", "publish", "revoke", "with_live"]


def publish(code: str, revision: int) -> None:
    """Tell every phone at a table that it has a new revision; called after the commit."""
    hub.notify(code, revision)


def revoke(code: str, token_digest: str) -> None:
    """End the streams of a device that has lost its seat; called after the commit."""
    if token_digest:
        hub.end_device(code, token_digest)

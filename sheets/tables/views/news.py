"""What is new at a table for each page that looks at it, without its asking?"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from django.db import Error as DatabaseError
from django.http import QueryDict
from django.utils import translation
from django.utils.functional import Promise

from sheets.live.news import Looker, News
from sheets.tables.access import TableAccess, UnknownTable, access_of, find_access
from sheets.tables.views.state import is_for_all, play_state, wishes_in
from sheets.tables.writing import look_after

log = logging.getLogger(__name__)


def news_for(code: str, lookers: Sequence[Looker]) -> list[News | None]:
    """What each would get if it asked now; None for all where no game goes on.

    The table is read once. Whoever looks is known by their device, as when they ask.
    """
    try:
        access = find_access(code)
    except UnknownTable:
        return [None] * len(lookers)
    look_after(access)
    if not is_for_all(access):
        return [None] * len(lookers)
    return [_news_or_none(access_of(access.everybody, looker.device), looker) for looker in lookers]


def look_after_bots(code: str) -> None:
    """Somebody begins to listen to a table with bots: those that should be thinking do."""
    with suppress(UnknownTable):
        look_after(find_access(code))


def _news_or_none(access: TableAccess, looker: Looker) -> News | None:
    """None where something is wrong with what this page wants to see: the others get theirs."""
    try:
        return _news(access, looker)
    except DatabaseError:
        raise
    except Exception:  # whatever it is, the page is told so when it asks
        log.exception("no news for a page")
        return None


def _news(access: TableAccess, looker: Looker) -> News:
    with translation.override(looker.language):
        wishes = wishes_in(QueryDict(looker.shows.removeprefix("?")))
        state = play_state(access, wishes, looker.has, is_now=False)
    sums: Mapping[str, str] = state["sums"]
    return News(access.table.revision, _line({"shows": looker.shows, **state}), sums)


def _line(state: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(state, enc_hook=_plain)


def _plain(text: object) -> str:
    """What a template has made, or is translated when it is read, as mere letters."""
    if not isinstance(text, str | Promise):
        raise TypeError(f"no letters: {text!r}")
    return "".join((str(text),))

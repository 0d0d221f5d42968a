"""State of the page of a running game: HTML fragments that change, and data for its script.

The answer to an act and the stream (`sheets.live.sse`) send the same state. For each page, a
fragment is rendered again only if its cache key has changed. The key is made of the columns of the
table and its seats that pages can show, and of the members of the view that the game names for the
fragment (`family.Page.cache_keys`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from operator import attrgetter
from pathlib import PurePosixPath
from threading import Lock
from time import monotonic
from typing import Any, Final, NamedTuple

from cachetools import LRUCache
from django.core.serializers.json import DjangoJSONEncoder
from django.http import QueryDict
from django.template.loader import get_template
from django.utils.html import json_script
from django.utils.translation import get_language

from sheets.models import Seat, Table
from sheets.tables.access import TableAccess
from sheets.tables.dice_seeds import commitment_of, may_contribute
from sheets.tables.event_loader import load
from sheets.tables.family import PageQuery, family_of
from sheets.tables.forms import WHY

MAX_CACHED_PAGES: Final = 2_500
"""Maximum number of pages in the cache: those of 500 tables with four phones, and some more."""

SHARED_SECONDS: Final = 1.0
"""How long requests for the same page and revision share one rendered state, in seconds."""


class PageState(NamedTuple):
    """State of a page.

    Attributes:
        revision: the revision of the table.
        fragments: HTML by the id of the element that it replaces.
        data: other JSON data for the script.
    """

    revision: int
    fragments: Mapping[str, str]
    data: Mapping[str, Any]

    def as_html(self, **more: Any) -> str:
        """Return the fragments, after a script element with the data and ``more``."""
        data = json_script({**self.data, **more}, "state", DjangoJSONEncoder)
        return data + "".join(self.fragments.values())


class _Fragment(NamedTuple):
    """The HTML of a fragment, and the cache key for which it was rendered."""

    key: object
    html: str


class _Page(NamedTuple):
    """The last state of a page, when it was rendered (`monotonic`), and fragments by template."""

    state: PageState
    rendered: float
    fragments: Mapping[str, _Fragment]


_cache: Final[LRUCache[Hashable, _Page]] = LRUCache(MAX_CACHED_PAGES)
"""Last state of each page, by table, seats, claims, query and language."""

_lock: Final = Lock()
"""Lock for the cache."""

_read_table = attrgetter(
    *(
        field.attname
        for field in Table._meta.concrete_fields
        if field.attname not in ("level", "revision", "length", "touched")
    )
)
"""Reads all columns of a table that fragments can show."""
_read_seat = attrgetter(*(field.attname for field in Seat._meta.concrete_fields))
"""Reads all columns of a seat."""


def is_running(access: TableAccess) -> bool:
    """Return whether a game is running: only then can `page_state` describe the page.

    Pages before and after it depend on the request, for example on its host name and session.
    """
    return access.table.has_started and not load(access).state.game.is_finished


def page_state(access: TableAccess, query: PageQuery) -> PageState:
    """Return the state of a running game's page as a device sees it, in the active language.

    Requests share a state for `SHARED_SECONDS`, for example the answer to an act and the stream, so
    a countdown in it may be as old as that.
    """
    key = (access.table.code, access.seats, access.claims, query, get_language())
    with _lock:
        before = _cache.get(key)
    if (
        before
        and before.state.revision == access.table.revision
        and monotonic() - before.rendered < SHARED_SECONDS
    ):
        return before.state
    page = _render(access, query, before.fragments if before else {})
    with _lock:
        _cache[key] = page
    return page.state


def _render(access: TableAccess, query: PageQuery, before: Mapping[str, _Fragment]) -> _Page:
    """Render the page of a running game; reuse fragments whose cache key is the same as before."""
    page = family_of(access.table).play_page(access, query)
    context = {**game_context(access), **page.context}
    people = _read_table(access.table), [_read_seat(seat) for seat in access.all_seats]
    fragments = {}
    for template in page.fragments:
        read = page.cache_keys.get(template)
        key = (people, read(page.context["view"])) if read else None
        fragment = before.get(template)
        if fragment is None or key is None or fragment.key != key:
            fragment = _Fragment(key, get_template(template).render(dict(context)))
        fragments[template] = fragment
    revision = access.table.revision
    state = PageState(
        revision,
        {fragment_id(template): fragment.html for template, fragment in fragments.items()},
        {"revision": revision, "stage": page.stage, **page.context["state"]},
    )
    return _Page(state, monotonic(), fragments)


def game_context(access: TableAccess) -> dict[str, Any]:
    """Return the context that all fragments of a running game share."""
    family = family_of(access.table)
    return {
        "access": access,
        "table": access.table,
        "host": access.all_seats[access.table.host],
        "plays": family.title(access.table),
        "dice_words": family.dice_words(access.table),
        "commitment": commitment_of(access.table),
        "may_contribute": may_contribute(access),
    }


@cache
def fragment_id(template: str) -> str:
    """Return the id of a fragment's root element: the stem of its template's file name.

    >>> fragment_id("table/_bar.html")
    '_bar'
    """
    return PurePosixPath(template).stem


def parse_query(asked: QueryDict, player: str = "") -> PageQuery:
    """Parse the parameters in the query of a page's address.

    ``player`` is the number of the seat that acts, used if the query names none.
    """
    seat = _whole(asked.get("seat", ""))
    return PageQuery(
        _whole(player) if seat is None else seat,
        _whole(asked.get("show", "")),
        asked.get("at", ""),
        asked.get(WHY, ""),
    )


def _whole(text: str) -> int | None:
    """Return a number of one digit, None for any other text."""
    return int(text) if len(text) == 1 and text.isdecimal() and text.isascii() else None

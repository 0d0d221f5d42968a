"""State of the page of a running game: HTML fragments that change, and data for its script.

The answer to an act and the stream (`sheets.live.sse`) send the same state. A fragment is rendered
once for each page as long as its cache key stays the same: what a page reads of the table and its
seats, and the members of the view that the game names for the fragment (`family.Page.cache_keys`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from operator import attrgetter
from pathlib import PurePosixPath
from threading import Lock
from typing import Any, Final, NamedTuple

from cachetools import LRUCache
from django.http import QueryDict
from django.template.loader import get_template
from django.utils.translation import get_language

from sheets.models import Seat, Table
from sheets.tables.access import TableAccess
from sheets.tables.family import Page, Wishes
from sheets.tables.forms import WHY
from sheets.tables.games import family_of
from sheets.tables.reading import load

CACHED_PAGES: Final = 2_500
"""Maximum number of pages in the cache: those of 500 tables with four phones, and some more."""


class PageState(NamedTuple):
    """State of a page.

    Attributes:
        revision: that of its table.
        fragments: HTML by the id of the element that it replaces.
        data: what the script needs besides, as JSON data.
    """

    revision: int
    fragments: Mapping[str, str]
    data: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the whole state as JSON data."""
        return {**self.data, "parts": self.fragments}


class _Cached(NamedTuple):
    """A fragment as it was rendered with this key."""

    key: object
    html: str


_cache: Final[LRUCache[Hashable, Mapping[str, _Cached]]] = LRUCache(CACHED_PAGES)
"""Fragments by template, of each page: table, seats, wishes and language."""

_lock: Final = Lock()

_read_table = attrgetter(
    *(
        field.attname
        for field in Table._meta.concrete_fields
        if field.attname not in ("level", "revision", "length", "touched")
    )
)
_read_seat = attrgetter(*(field.attname for field in Seat._meta.concrete_fields))


def is_running(access: TableAccess) -> bool:
    """Whether a game is running: only then `page_state` can describe the page.

    Pages before and after it depend on the request, for example on its host name and session.
    """
    return access.table.has_started and not load(access).state.game.is_finished


def page_state(access: TableAccess, wishes: Wishes) -> PageState:
    """Return the state of a running game's page as a device sees it, in the active language."""
    page = family_of(access.table).play_page(access, wishes)
    place = (access.table.code, access.seats, access.claims, wishes, get_language())
    with _lock:
        before = _cache.get(place, {})
    fragments = _render(access, page, before)
    with _lock:
        _cache[place] = fragments
    revision = access.table.revision
    return PageState(
        revision,
        {fragment_id(template): cached.html for template, cached in fragments.items()},
        {"revision": revision, "stage": page.stage, **page.context["state"]},
    )


def _render(
    access: TableAccess, page: Page, before: Mapping[str, _Cached]
) -> Mapping[str, _Cached]:
    context = {**game_context(access), **page.context}
    people = _read_table(access.table), [_read_seat(seat) for seat in access.everybody]
    rendered = {}
    for template in page.fragments:
        read = page.cache_keys.get(template)
        key = (people, read(page.context["view"])) if read else None
        cached = before.get(template)
        if cached is None or key is None or cached.key != key:
            cached = _Cached(key, str(get_template(template).render(dict(context))))
        rendered[template] = cached
    return rendered


def game_context(access: TableAccess) -> dict[str, Any]:
    """Return what fragments of a running game are rendered with, besides the page's own context."""
    family = family_of(access.table)
    return {
        "access": access,
        "table": access.table,
        "host": access.everybody[access.table.host],
        "plays": family.title(access.table),
        "dice_words": family.dice_words(access.table),
    }


@cache
def fragment_id(template: str) -> str:
    """Return the id of the element that a fragment's template makes: the name of its file.

    >>> fragment_id("table/_bar.html")
    '_bar'
    """
    return PurePosixPath(template).stem


def wishes_in(asked: QueryDict, player: str = "") -> Wishes:
    """Return what the query of an address asks for; ``player`` is the seat where it names none."""
    seat = _whole(asked.get("seat", ""))
    return Wishes(
        _whole(player) if seat is None else seat,
        _whole(asked.get("show", "")),
        asked.get("at", ""),
        asked.get(WHY, ""),
    )


def _whole(text: str) -> int | None:
    return int(text) if len(text) == 1 and text.isdecimal() and text.isascii() else None

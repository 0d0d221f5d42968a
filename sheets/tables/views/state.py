"""What does the script of a begun table's page need to bring it up to date?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from pathlib import PurePosixPath
from threading import Lock
from typing import Any, Final, NamedTuple

from cachetools import TTLCache
from django.http import QueryDict
from django.utils.translation import get_language

from sheets.http.rendered import Rendered, render_once
from sheets.models import Table
from sheets.rules import Game
from sheets.rules.dice2.sitting import Sitting
from sheets.tables.access import TableAccess
from sheets.tables.family import Page, Wishes
from sheets.tables.forms import UNDO_ENTRY, WHY
from sheets.tables.games import family_of
from sheets.tables.going_on import GoingOn
from sheets.tables.log import LogState
from sheets.tables.reading import load

DEEP: Final = (TableAccess, Table, LogState, Game, Sitting, GoingOn)

PAGES_OWN: Final = {"csrf_token": "\ue000", "request_id": "\ue001", "undo_entry": UNDO_ENTRY}
"""What a page has for its forms, or is told with each tap: it puts that in the place of these
letters itself."""

KNOWN_PARTS: Final = "Known-Parts"
"""The header with which a page says which fragments it has, as ``"_bar=SUM _head=SUM"``."""


def is_for_all(access: TableAccess) -> bool:
    """Whether a table is where `play_state` can say how it stands: while a game goes on.

    Before and after it, pages have more of who looks: links as they came here, their groups.
    """
    return access.table.has_started and not load(access).state.game.is_finished


class _Told(NamedTuple):
    """All that a page is told of a table, whatever of it the page has already."""

    rendered: Mapping[str, Rendered]
    stage: str
    state: Mapping[str, Any]


_lately: Final[TTLCache[Hashable, _Told]] = TTLCache(maxsize=256, ttl=1)
"""What pages were told by this process within the last second."""

_lock: Final = Lock()


def play_state(
    access: TableAccess,
    wishes: Wishes,
    known: Mapping[str, str] | None = None,
    *,
    is_now: bool = True,
) -> dict[str, Any]:
    """The state of a game that goes on, as a device sees it, with its fragments.

    ``sums`` has a sum for each fragment, ``parts`` the fragments but for those whose sums are
    ``known``. Unless it ``is_now``, a clock in it may be a second late: whoever taps is answered
    with what their stream tells them in the same moment.
    """
    who = access.seats, access.claims
    key = (access.table.code, access.table.revision, who, wishes, get_language())
    with _lock:
        told = None if is_now else _lately.get(key)
    if told is None:
        told = _tell(access, wishes)
        with _lock:
            _lately[key] = told
    known = known or {}
    return {
        "revision": access.table.revision,
        "stage": told.stage,
        "sums": {name: part.sum for name, part in told.rendered.items()},
        "parts": {
            name: part.html for name, part in told.rendered.items() if known.get(name) != part.sum
        },
        **told.state,
    }


def _tell(access: TableAccess, wishes: Wishes) -> _Told:
    page = family_of(access.table).play_page(access, wishes)
    place = (access.table.code, access.seats, access.claims, wishes)
    parts = render_once(place, page.fragments, objects_of(access, page), deep_in(page))
    rendered = dict(zip(map(_id_of, page.fragments), parts, strict=True))
    return _Told(rendered, page.stage, page.context["state"])


@cache
def _id_of(fragment: str) -> str:
    return PurePosixPath(fragment).stem


def wishes_in(asked: QueryDict, player: str = "") -> Wishes:
    """What the query of an address asks for; ``player`` is the seat where it names none."""
    seat = _whole(asked.get("seat", ""))
    return Wishes(
        _whole(player) if seat is None else seat,
        _whole(asked.get("show", "")),
        asked.get("at", ""),
        asked.get(WHY, ""),
    )


def _whole(text: str) -> int | None:
    return int(text) if len(text) == 1 and text.isdecimal() and text.isascii() else None


def objects_of(access: TableAccess, page: Page) -> dict[str, Any]:
    """All that the fragments of a page of play are rendered with."""
    family = family_of(access.table)
    return {
        "access": access,
        "table": access.table,
        "host": str(access.everybody[access.table.host]),
        "plays": family.title(access.table),
        "dice_words": family.dice_words(access.table),
        "view": page.context["view"],
        **PAGES_OWN,
    }


def deep_in(page: Page) -> tuple[type, ...]:
    """The types whose members fragments read one by one."""
    return (*DEEP, type(page.context["view"]))


def sums_in(header: str) -> dict[str, str]:
    """What a page has said it has; whatever else is said is not known to anybody."""
    return dict(part.split("=", 1) for part in header.split() if "=" in part)

"""What may leave the site, and with whom? The one rule, which docs/formats.md describes.

A sheet that somebody has bought and entered is for their own use: as a document it leaves the site
only with them. They are known by the link that edits it, which their device has opened. Who may
look, or plays along, takes along what there is to see.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, Protocol

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from sheets.access.keys import Access
from sheets.models import EmptySheet, WorkshopLevel

OWNED: Final = "owned"
"""Where a session keeps by which links that edit a bought sheet its device has come."""

MOST_OWNED: Final = 20
SHOWN: Final = 16
"""So many letters of a digest tell one from all others."""


class Leaving(Enum):
    """The kinds of what leaves the site."""

    DOCUMENT = "a document with the level inside, to be opened and handed on anywhere"
    COPY_LINK = "a link that gives such a document to whoever opens it"
    PICTURE = "a sheet as a picture or on paper; a photo of one is no more"
    SCORES = "names and numbers"


class Kept(Protocol):
    """A table or a scoring, which may be of a bought sheet."""

    is_bought: bool

    @property
    def bought_level(self) -> WorkshopLevel | None:
        """The bought sheet, None if that is gone."""


def may_leave(what: Leaving, *, is_bought: bool, is_owner: bool) -> bool:
    """The rule."""
    match what:
        case Leaving.DOCUMENT:
            return is_owner or not is_bought
        case Leaving.COPY_LINK:
            return not is_bought
        case Leaving.PICTURE | Leaving.SCORES:
            return True


def may_leave_workshop(what: Leaving, access: Access[WorkshopLevel]) -> bool:
    """Whether it may leave with who came by a link to a level of one's own."""
    return may_leave(what, is_bought=access.thing.is_bought, is_owner=access.can_edit)


def may_leave_game(what: Leaving, kept: Kept, session: Mapping[str, Any]) -> bool:
    """Whether it may leave a table or a scoring with the device of a session."""
    return may_leave(what, is_bought=kept.is_bought, is_owner=_is_owner(kept, session))


def own_empty_sheet(kept: Kept, session: Mapping[str, Any]) -> EmptySheet | None:
    """The empty sheet that a bought one was entered from, without its picture, for its owner's
    device alone: it is shown beside every place of a photo that is asked about."""
    if not _is_owner(kept, session):
        return None
    return EmptySheet.objects.filter(level=kept.bought_level).defer("picture").first()


def lacks_empty_sheet(kept: Kept, session: Mapping[str, Any]) -> bool:
    """Whether its owner's device could add the photo of an empty sheet to a bought one."""
    return _is_owner(kept, session) and own_empty_sheet(kept, session) is None


def refuse_unless(may: bool) -> None:
    """Raise PermissionDenied, with the sentence that says why, unless it may leave."""
    if not may:
        raise PermissionDenied(
            _(
                "This is a bought sheet, entered for private use: files with its layout are "
                "only for those who edit it. Pictures and scores can be taken along."
            )
        )


def note_owner(access: Access[WorkshopLevel], session: Any) -> None:
    """Remember on a device that it has come by the link that edits a bought sheet."""
    owned: list[str] = session.get(OWNED, [])
    shown = access.thing.key_digest[:SHOWN]
    if access.can_edit and access.thing.is_bought and shown not in owned:
        session[OWNED] = [*owned, shown][-MOST_OWNED:]


def _is_owner(kept: Kept, session: Mapping[str, Any]) -> bool:
    level = kept.bought_level if kept.is_bought else None
    return level is not None and level.key_digest[:SHOWN] in session.get(OWNED, [])

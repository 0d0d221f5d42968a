"""Export rules of levels that a user has bought on paper and entered into the site.

Such a level is for the private use of its owner: only the owner exports a document that contains
it. The owner's device is one that has opened the link that edits the level. Pictures, prints and
scores are free for all who see them. docs/formats.md describes the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from sheets.access.keys import Access
from sheets.models import EmptySheet, WorkshopLevel

OWNED: Final = "owned"
"""Key of the session's list of bought levels whose edit link the device has opened."""

MAX_OWNED: Final = 20
"""Maximum length of the list `OWNED`; the oldest entries are dropped."""

DIGEST_LENGTH: Final = 16
"""Number of characters of a key's digest in the list `OWNED`."""


class StoredGame(Protocol):
    """A table or a scoring, whose level may be that of a bought sheet."""

    is_bought: bool

    @property
    def bought_level(self) -> WorkshopLevel | None:
        """Level of the bought sheet; None if it was deleted."""


def may_export_level(access: Access[WorkshopLevel]) -> bool:
    """Return whether a device with this access to a level may export it as a document."""
    return access.can_edit or not access.resource.is_bought


def may_share_copies(access: Access[WorkshopLevel]) -> bool:
    """Return whether the site may offer links that contain the whole level."""
    return not access.resource.is_bought


def may_export_game(game: StoredGame, session: Mapping[str, Any]) -> bool:
    """Return whether a session's device may export a document of a table or a scoring."""
    return not game.is_bought or _is_owner(game, session)


def own_empty_sheet(game: StoredGame, session: Mapping[str, Any]) -> EmptySheet | None:
    """Return the empty sheet from which a bought level was entered, with its picture deferred.

    None if it is not stored, or if the device is not the owner's. The page of a photo shows the
    empty sheet next to each doubtful place on the filled one.
    """
    if not _is_owner(game, session):
        return None
    return EmptySheet.objects.filter(level=game.bought_level).defer("picture").first()


def lacks_empty_sheet(game: StoredGame, session: Mapping[str, Any]) -> bool:
    """Return whether this is the owner's device, and the bought level has no empty sheet yet."""
    return _is_owner(game, session) and own_empty_sheet(game, session) is None


def refuse_unless(may: bool) -> None:
    """Raise PermissionDenied with the reason if an export is not allowed."""
    if not may:
        raise PermissionDenied(
            _(
                "This is a bought sheet, entered for private use: files with its layout are only "
                "for those who edit it. You can still download pictures and scores."
            )
        )


def note_owner(access: Access[WorkshopLevel], session: Any) -> None:
    """Store in a device's session that it has opened the edit link of a bought sheet."""
    if not (access.can_edit and access.resource.is_bought):
        return
    before: list[str] = session.get(OWNED, [])
    short = access.resource.key_digest[:DIGEST_LENGTH]
    owned = [*(one for one in before if one != short), short][-MAX_OWNED:]
    if owned != before:
        session[OWNED] = owned


def _is_owner(game: StoredGame, session: Mapping[str, Any]) -> bool:
    level = game.bought_level if game.is_bought else None
    return level is not None and level.key_digest[:DIGEST_LENGTH] in session.get(OWNED, [])

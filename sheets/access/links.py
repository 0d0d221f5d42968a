"""Edit link and view link of a thing: show, renew and withdraw them."""

from __future__ import annotations

from typing import TypeVar

from django.http import HttpRequest
from django.urls import reverse

from sheets.access.keys import Access, renew_key, set_shared
from sheets.http.share_link import ShareLink, share_link
from sheets.models.keyed import Withdrawable

Lent = TypeVar("Lent", bound=Withdrawable)


def change_links(access: Access[Lent], do: str) -> str:
    """Carry out the act of a button on the page of links; return the edit key afterwards.

    Raises:
        NotAllowed: the key is a view key.
        ValueError: there is no such act.
    """
    match do:
        case "share":
            set_shared(access, True)
        case "unshare":
            set_shared(access, False)
        case "renew":
            return renew_key(access)
        case _:
            raise ValueError(do)
    return access.key


def shown_links(
    request: HttpRequest, access: Access[Lent], page: str
) -> dict[str, ShareLink | None]:
    """Return both links to a page, for ``_links.html``; None if there is no view link."""

    def link(key: str) -> ShareLink:
        return share_link(request, reverse(page, args=[key]))

    return {
        "edit_link": link(access.key),
        "show_link": link(access.share_key) if access.share_key else None,
    }

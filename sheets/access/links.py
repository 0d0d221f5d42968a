"""Edit link and view link of a resource: show, renew and withdraw them."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse

from sheets.access.keys import Access, AnyWithdrawable, renew_key, set_shared
from sheets.http.share_link import ShareLink, share_link


def change_links(access: Access[AnyWithdrawable], do: str) -> str:
    """Carry out the action of a button on the page of links; return the edit key afterwards.

    Raises:
        NotAllowed: the key is a view key.
        ValueError: there is no such action.
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
    request: HttpRequest, access: Access[AnyWithdrawable], page: str
) -> dict[str, ShareLink | None]:
    """Return the edit link and the view link to a page, the latter None if there is none."""

    def link(key: str) -> ShareLink:
        return share_link(request, reverse(page, args=[key]))

    return {
        "edit_link": link(access.key),
        "show_link": link(access.share_key) if access.share_key else None,
    }

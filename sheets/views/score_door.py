"""How does a request get to the scoring its link is the key of, and who is asking?"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from sheets.scoring import scorings
from sheets.scoring.scorings import Door

View = Callable[..., HttpResponse]


def with_door(view: View) -> View:
    """Give the view the scoring's door in place of the key in the address.

    Without a scoring the answer is 404, without the right to write it 403. Nobody else is told the
    address, and no search engine or cache keeps the page.
    """

    @wraps(view)
    def guarded(request: HttpRequest, key: str, **more: Any) -> HttpResponse:
        try:
            response = view(request, scorings.open_door(key), **more)
        except scorings.Unknown as unknown:
            raise Http404 from unknown
        except scorings.NotAllowed as refused:
            raise PermissionDenied from refused
        keep_private(response)
        return response

    return guarded


def keep_private(response: HttpResponse) -> None:
    """Keep a page whose address is a key out of search engines, caches and referrers."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers.setdefault("Cache-Control", "private, no-store")


def device_of(request: HttpRequest) -> str:
    """The random name of the device that asks, empty before its first change."""
    return str(request.session.get("device", ""))


def name_device(request: HttpRequest) -> str:
    """The random name of the device that asks, made now if it has none."""
    if not device_of(request):
        request.session["device"] = secrets.token_urlsafe(16)
    return device_of(request)


def only_editors(door: Door) -> None:
    """Let nobody pass who came by the link for looking only. Raises NotAllowed."""
    if not door.can_edit:
        raise scorings.NotAllowed

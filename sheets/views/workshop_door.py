"""How does a request get to the level its link is the key of?"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from sheets import leaving
from sheets.views.score_door import keep_private
from sheets.workshop import own_levels
from sheets.workshop.own_levels import Door

View = Callable[..., HttpResponse]


def with_level(view: View) -> View:
    """Give the view the level's door in place of the key in the address.

    Without a level the answer is 404, without the right to write it 403. No search engine and no
    cache keeps the page.
    """

    @wraps(view)
    def guarded(request: HttpRequest, key: str, **more: Any) -> HttpResponse:
        try:
            door = own_levels.open_door(key)
            leaving.note_owner(door, request.session)
            response = view(request, door, **more)
        except own_levels.Unknown as unknown:
            raise Http404 from unknown
        except own_levels.NotAllowed as refused:
            raise PermissionDenied from refused
        keep_private(response)
        return response

    return guarded


def only_editors(door: Door) -> None:
    """Let nobody pass who came by the link for looking only. Raises NotAllowed."""
    if not door.can_edit:
        raise own_levels.NotAllowed

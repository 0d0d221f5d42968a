"""How does a request get to its table, and which seats does the device hold that asks?"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from sheets import limits
from sheets.live import SEAT_COOKIE
from sheets.tables import doors, seating

View = Callable[..., HttpResponse]

YEAR_S: Final = 365 * 24 * 3600
TOKEN_LENGTH: Final = 43


def token_of(request: HttpRequest) -> str:
    """The device's secret, empty if it has none (or something else in its place)."""
    token = request.COOKIES.get(SEAT_COOKIE, "")
    return token if len(token) == TOKEN_LENGTH and token.isascii() else ""


def token_for(request: HttpRequest) -> str:
    """The device's secret, made now if it has none; to be given back by `give_token`."""
    return token_of(request) or seating.new_token()


def give_token(response: HttpResponse, token: str) -> HttpResponse:
    """Let the device keep its secret for a year."""
    response.set_cookie(
        SEAT_COOKIE,
        token,
        max_age=YEAR_S,
        secure=bool(settings.SITE_URL),
        httponly=True,
        samesite="Lax",
    )
    return response


def with_table(view: View) -> View:
    """Give the view the door of the table in place of the code in the address.

    Without a table the answer is 404; to somebody who lacks the seat for what they want, 403; to
    who has guessed too many codes, 429.
    """

    @wraps(view)
    def guarded(request: HttpRequest, code: str, **more: Any) -> HttpResponse:
        door = _look_for(code, token_of(request))
        is_seated = door is not None and bool(door.seats)
        if not limits.let_in(request, exists=door is not None, is_seated=is_seated):
            return limits.refuse(request)
        if door is None:
            raise Http404
        try:
            response = view(request, door, **more)
        except doors.UnknownTable as gone:
            raise Http404 from gone
        except doors.NotYours as refused:
            raise PermissionDenied from refused
        response.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
        response.headers["Cache-Control"] = "private, no-store"
        return response

    return guarded


def for_dizzle(view: View) -> View:
    """The view is about sheets: 404 for tables that play something without them."""

    @wraps(view)
    def guarded(request: HttpRequest, door: doors.Door, **more: Any) -> HttpResponse:
        if door.table.game:
            raise Http404
        return view(request, door, **more)

    return guarded


def _look_for(code: str, token: str) -> doors.Door | None:
    try:
        return doors.open_door(code, token)
    except doors.UnknownTable:
        return None

"""View decorators that load the table, or the opened game, of a request."""

from __future__ import annotations

from functools import wraps
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dizzle_site.errors import try_again_page
from sheets.access import codes
from sheets.access.devices import token_of
from sheets.access.keys import as_http_errors, by_key, keep_private
from sheets.http import rate_limits
from sheets.http.view_type import View
from sheets.rules.documents.game import Record
from sheets.tables import game_files
from sheets.tables.access import find_access


class OpenedGame(NamedTuple):
    """A game opened from a file, with the key in the URL of its pages."""

    key: str
    record: Record


def _find_game(_request: HttpRequest, key: str) -> OpenedGame:
    return OpenedGame(key, game_files.find(key))


with_opened_game = by_key(_find_game)
"""View decorator: pass the `OpenedGame` instead of the key in the address; 404 without a game."""


def with_table(view: View) -> View:
    """Decorate a view: pass it the device's `TableAccess` instead of the code in the address.

    A short code redirects to the same page at the table's own address. The status is 404 if there
    is no such table, 403 if the device lacks the seat that the view requires, and 429 after too
    many wrong codes.
    """

    @wraps(view)
    @as_http_errors()
    def wrapper(request: HttpRequest, code: str, **more: Any) -> HttpResponse:
        try:
            address = look_up(request, code)
        except codes.TooManyWrongCodes as refused:
            response = refuse_code(request, refused.seconds)
        else:
            if address == code:
                response = view(request, find_access(address, token_of(request)), **more)
            else:
                response = redirect(_here_at(request, address), preserve_request=True)
        keep_private(response)
        return response

    return wrapper


def look_up(request: HttpRequest, code: str) -> str:
    """Return the code in a table's own address for its long or short code, see `codes.look_up`."""
    customer_address = rate_limits.customer_address_of(request)
    return codes.look_up(code, token=token_of(request), customer_address=customer_address)


def refuse_code(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return status 429 after too many wrong codes, with the minutes to wait and alternatives."""
    minutes = -(-seconds // 60)
    again = ngettext(
        "Typed codes work again in %(minutes)d minute.",
        "Typed codes work again in %(minutes)d minutes.",
        minutes,
    ) % {"minutes": minutes}
    sentence = " ".join(
        (
            _("Many codes that lead to no table were typed, most likely in your network."),
            again,
            _("The link and the QR code of the table work at once."),
        )
    )
    title = _("Too many wrong codes")
    response = try_again_page(request, 429, title, sentence, after_seconds=seconds)
    keep_private(response)
    return response


def _here_at(request: HttpRequest, code: str) -> str:
    """Return the address of the request with another code of the same table."""
    match = request.resolver_match
    if match is None:
        raise ValueError("only a view knows its own address")
    url = reverse(match.view_name, kwargs=match.kwargs | {"code": code})
    return f"{url}?{request.GET.urlencode()}" if request.GET else url

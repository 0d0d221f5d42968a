"""How does a request get to its table or opened game, and which seats does its device hold?"""

from __future__ import annotations

from functools import wraps
from typing import Any, Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from sheets.access import guessing
from sheets.access.devices import token_of
from sheets.access.keys import by_key, keep_private, refused_as_pages
from sheets.http import rate_limits
from sheets.http.json_body import wants_json
from sheets.http.view import View
from sheets.rules.documents.game import Record
from sheets.tables import game_files
from sheets.tables.access import TableAccess, find_access
from sheets.tables.writing import look_after

TICKET: Final = "ticket"
"""Where an address has the ticket of `sheets.access.guessing`."""


class OpenedGame(NamedTuple):
    """A game that was opened from a file, and its key."""

    key: str
    record: Record


def _find_game(_request: HttpRequest, key: str) -> OpenedGame:
    return OpenedGame(key, game_files.find(key))


with_opened_game = by_key(_find_game)


def with_table(view: View) -> View:
    """Give the view the access of the table in place of the code in the address.

    A code that people type leads to the same page at the table's own address. Without a table the
    answer is 404, to somebody who lacks the seat for what they want 403, and where many wrong codes
    came from, the page that goes on by itself.
    """

    @wraps(view)
    @refused_as_pages()
    def guarded(request: HttpRequest, code: str, **more: Any) -> HttpResponse:
        try:
            address = look_up(request, code)
            if address != code:
                there = redirect(_here_with(request, code=address), preserve_request=True)
                keep_private(there)
                return there
            access = find_access(address, token_of(request))
            look_after(access)
            if not access.seats:
                guessing.note_let_in(request.session, code)
            response = view(request, access, **more)
        except guessing.Slowed as slowed:
            return ask_again(request, slowed, code, _here_with(request, ticket=slowed.ticket))
        keep_private(response)
        return response

    return guarded


def unless_known(view: View) -> View:
    """Answer 204 to a page that knows the table's revision already (``?known=``)."""

    @wraps(view)
    def guarded(request: HttpRequest, access: TableAccess, *more: Any) -> HttpResponse:
        if request.GET.get("known") == str(access.table.revision):
            return HttpResponse(status=204)
        return view(request, access, *more)

    return guarded


def look_up(request: HttpRequest, code: str) -> str:
    """The code in the address of the table to which a code leads for who asks.

    Raises:
        guessing.Slowed, UnknownTable: see `guessing.find_table`.
    """
    return guessing.find_table(
        code,
        token=token_of(request),
        guesser=rate_limits.guesser_of(request),
        ticket=request.GET.get(TICKET, ""),
        let_in=guessing.let_in(request.session),
    )


def ask_again(request: HttpRequest, slowed: guessing.Slowed, code: str, url: str) -> HttpResponse:
    """The page that asks again by itself after a while, without a script.

    202, because nothing is refused; a script, which would not come back, is told 429.

    Args:
        code: what somebody typed, to see whether it is the right one.
        url: where to ask again, with the ticket. Language and theme lead there, too.
    """
    status = 429 if wants_json(request) else 202
    context = {"seconds": slowed.seconds, "code": code, "next_page": url}
    response = render(request, "table/slowed.html", context, status=status)
    response["Refresh"] = f"{slowed.seconds}; url={url}"
    response["Retry-After"] = str(slowed.seconds)
    keep_private(response)
    return response


def _here_with(request: HttpRequest, *, code: str = "", ticket: str = "") -> str:
    """The address of the request for another code, or with a ticket."""
    match = request.resolver_match
    if match is None:
        raise ValueError("only a view knows its own address")
    kwargs = match.kwargs | ({"code": code} if code else {})
    query = request.GET.copy()
    query.pop(TICKET, None)
    if ticket:
        query[TICKET] = ticket
    url = reverse(match.view_name, kwargs=kwargs)
    return f"{url}?{query.urlencode()}" if query else url

"""The big screen: everything about a table for a television, nothing to tap."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from sheets.access import codes
from sheets.tables.access import TableAccess
from sheets.tables.family import Page
from sheets.tables.games import family_of
from sheets.tables.views.access import unless_known, with_table
from sheets.tables.views.page import context_of, fragments_of, stage_of, way_in


@require_safe
@with_table
def screen(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show the table to everybody in the room; the code is all that is needed.

    Where the same people play on at another table, the screen goes along.
    """
    if access.table.next_code:
        return redirect("table-screen", access.table.next_code)
    codes.note_visit(access.table)
    access, page = _page(request, access)
    return render(request, page.template, context_of(request, access, page))


@require_safe
@with_table
@unless_known
def screen_now(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """What it shows, if anything has changed since the revision it knows."""
    if access.table.next_code:  # another stage than any: the page loads itself anew
        return JsonResponse({"revision": access.table.revision, "stage": "next", "parts": {}})
    return JsonResponse(fragments_of(request, *_page(request, access)))


def _page(request: HttpRequest, access: TableAccess) -> tuple[TableAccess, Page]:
    """The screen, and the access it is seen through."""
    # Whoever holds the remote control acts for nobody, even if the device has a seat.
    access = access._replace(seats=frozenset())
    page = family_of(access.table).screen_page(access)
    context = {**page.context, **way_in(request, access)}
    return access, page._replace(stage=stage_of(access), context=context)

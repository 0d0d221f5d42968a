"""Read-only page of a table for a television."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from sheets.access import codes
from sheets.tables.access import TableAccess
from sheets.tables.family import Page, family_of
from sheets.tables.views.access import unless_known, with_table
from sheets.tables.views.page import context_of, fragments_of, stage_of, way_in


@require_safe
@with_table
def screen(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show the table to all people in the room; the code is the only access control.

    If the same people continue at another table, the screen redirects to it.
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
    """Return the fragments of the screen as JSON; 204 if nothing has changed since ``?known=``."""
    if access.table.next_code:  # no page has this stage, so the screen reloads
        return JsonResponse({"revision": access.table.revision, "stage": "next", "parts": {}})
    return JsonResponse(fragments_of(request, *_page(request, access)))


def _page(request: HttpRequest, access: TableAccess) -> tuple[TableAccess, Page]:
    """Return the access of the screen, which has no seats, and the page of the screen."""
    # The screen acts for no player, even if its device has a seat.
    access = access._replace(seats=frozenset())
    page = family_of(access.table).screen_page(access)
    context = {**page.context, **way_in(request, access)}
    return access, page._replace(stage=stage_of(access), context=context)

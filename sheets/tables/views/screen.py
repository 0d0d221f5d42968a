"""Read-only page of a table for a television."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from sheets.access import codes
from sheets.tables.access import TableAccess
from sheets.tables.family import Page, family_of
from sheets.tables.page_state import PageState
from sheets.tables.views.access import with_table
from sheets.tables.views.page import context_of, news, stage_of, state_of_page, way_in


@require_safe
@with_table
def screen(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show the table to all people in the room; the code is the only access control.

    If the same people continue at another table, the screen redirects to it.
    """
    if fragments := news(request, access, lambda: _state(request, access)):
        return fragments
    if access.table.next_code:
        return redirect("table-screen", access.table.next_code)
    codes.note_visit(access.table)
    access, page = _page(request, access)
    return render(request, page.template, context_of(request, access, page))


def _state(request: HttpRequest, access: TableAccess) -> PageState:
    if access.table.next_code:  # no page has this stage, so the screen reloads
        revision = access.table.revision
        return PageState(revision, {}, {"revision": revision, "stage": "next"})
    return state_of_page(request, *_page(request, access))


def _page(request: HttpRequest, access: TableAccess) -> tuple[TableAccess, Page]:
    """Return the access of the screen, which has no seats, and the page of the screen."""
    # The screen acts for no player, even if its device has a seat.
    access = access._replace(seats=frozenset())
    page = family_of(access.table).screen_page(access)
    context = {**page.context, **way_in(request, access)}
    return access, page._replace(stage=stage_of(access), context=context)

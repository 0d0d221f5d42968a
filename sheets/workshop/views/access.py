"""Access of requests to workshop levels by the key in their link."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from sheets.access import export_rules
from sheets.access.keys import Access, by_key
from sheets.http.view_type import View
from sheets.levels.legend import drawing_ids
from sheets.models import WorkshopLevel
from sheets.rules import DocumentError
from sheets.text.design_warnings import MAX_NAMED_FIELDS
from sheets.workshop import empty_sheets, store
from sheets.workshop.checks import find_errors
from sheets.workshop.draft import visible_level
from sheets.workshop.guide import needed_steps, steps_by_tool


def _find(request: HttpRequest, key: str) -> Access[WorkshopLevel]:
    access = store.find(key)
    export_rules.note_owner(access, request.session)
    return access


with_level = by_key(_find)
"""Decorator that finds a level by the key in the URL and passes its `Access` to the view."""


def with_finished(view: View) -> View:
    """Extend `with_level` by passing the finished `Level` to the view, too.

    If the level is unfinished, show its errors with status 409 instead.
    """
    return _with_finished(view, _show_errors)


def with_finished_or_fix(view: View) -> View:
    """Like `with_finished`, but redirect editors of an unfinished level to the tool to fix it."""
    return _with_finished(view, _lead_to_fix)


def _with_finished(
    view: View, refuse: Callable[[HttpRequest, Access[WorkshopLevel]], HttpResponse]
) -> View:
    @with_level
    @wraps(view)
    def wrapper(request: HttpRequest, access: Access[WorkshopLevel], **more: Any) -> HttpResponse:
        try:
            level = store.level_of(access)
        except DocumentError:
            return refuse(request, access)
        return view(request, access, level, **more)

    return wrapper


def _show_errors(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    errors = list(find_errors(access.resource.document))
    context: dict[str, Any] = {
        "access": access,
        "errors": [check.sentence for check in errors],
        "fix_url": _fix_url(access, errors[0].tool),
    }
    if drawn := visible_level(access.resource.document):
        # Ring the fields that the sentences name; for many fields they state the number.
        named = [check.fields for check in errors if len(check.fields) <= MAX_NAMED_FIELDS]
        ringed = drawn.index.keys() & set(chain.from_iterable(named))
        context |= {"level": drawn, "drawings": drawing_ids(drawn), "ringed": ringed}
    return render(request, "workshop/unfinished.html", context, status=409)


def _lead_to_fix(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    if not access.can_edit:
        return _show_errors(request, access)
    first = next(find_errors(access.resource.document))
    return redirect(_fix_url(access, first.tool))


def _fix_url(access: Access[WorkshopLevel], tool: str) -> str:
    """Return the address where an editor fixes an error: the editor, or a step of the guide."""
    if not (access.can_edit and access.resource.is_bought):
        return reverse("workshop-level", args=(access.key,)) + "?missing"
    has = empty_sheets.features_with_photo(access.resource, empty_sheets.find(access.resource))
    step = steps_by_tool(needed_steps(has), has).get(tool, "done")
    return reverse("workshop-guide", args=(access.key, step)) + "?missing"

"""Access of requests to workshop levels by the key in their link."""

from __future__ import annotations

from functools import wraps
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sheets.access import export_rules
from sheets.access.keys import Access, by_key
from sheets.http.view_type import View
from sheets.levels.legend import drawing_ids
from sheets.models import WorkshopLevel
from sheets.rules import DocumentError
from sheets.text.design_warnings import MAX_NAMED_FIELDS
from sheets.workshop import store
from sheets.workshop.checks import find_errors
from sheets.workshop.draft import visible_level


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

    @with_level
    @wraps(view)
    def wrapper(request: HttpRequest, access: Access[WorkshopLevel], **more: Any) -> HttpResponse:
        try:
            level = store.level_of(access)
        except DocumentError:
            errors = list(find_errors(access.resource.document))
            context: dict[str, Any] = {
                "access": access,
                "errors": [check.sentence for check in errors],
            }
            if drawn := visible_level(access.resource.document):
                # Ring the fields that the sentences name; for many fields they state the number.
                named = [check.fields for check in errors if len(check.fields) <= MAX_NAMED_FIELDS]
                ringed = drawn.index.keys() & set(chain.from_iterable(named))
                context |= {"level": drawn, "drawings": drawing_ids(drawn), "ringed": ringed}
            return render(request, "workshop/unfinished.html", context, status=409)
        return view(request, access, level, **more)

    return wrapper

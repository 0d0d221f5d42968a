"""Filter of games in the query string of a page, with one canonical form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode

from sheets.access.keys import Access
from sheets.groups.filters import GameFilter, filter_options_of, parse_filter
from sheets.http.view_type import View
from sheets.models import Group

MAX_PAGE_DIGITS = 6
"""Maximum number of digits of a page number."""


def with_filter(*, but: str = "", has_pages: bool = False) -> Callable[[View], View]:
    """Return a decorator that passes a group's view the filter in its query string, as ``choice``.

    A query string that is not canonical is redirected to the canonical one, unless the request is
    a POST.

    Args:
        but: the part of the filter that the page does not offer, if any.
        has_pages: pass the number of the ``page`` as well.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def chosen(
            request: HttpRequest, access: Access[Group], *args: Any, **more: Any
        ) -> HttpResponse:
            choice = parse_filter({**request.GET.dict(), **({but: ""} if but else {})})
            page = _page(request.GET.get("page", "")) if has_pages else 1
            asked = f"?{query}" if (query := page_query(choice, page)) else ""
            if request.GET.urlencode() != asked[1:] and request.method != "POST":
                return redirect(request.path + asked)
            if has_pages:
                more["page"] = page
            return view(request, access, *args, choice=choice, **more)

        return chosen

    return decorate


def page_query(choice: GameFilter, page: int) -> str:
    """Return the query string of a filter and a page number; the first page has none."""
    numbered = urlencode({"page": page}) if page > 1 else ""
    return "&".join(filter(None, (choice.query, numbered)))


def filter_context(
    request: HttpRequest, group: Group, choice: GameFilter, names: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the context of `groups/_filter.html`; ``names`` are as in `filter_options_of`."""
    options = filter_options_of(group, names)
    return {
        "choice": choice,
        "filter_options": options,
        "parts": options.parts(choice),
        "here": request.path,
    }


def _page(text: str) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_PAGE_DIGITS
    return max(1, int(text)) if is_number else 1

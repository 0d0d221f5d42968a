"""Redirect a GET on a POST-only URL to its page."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import reverse

from sheets.http.view_type import View


def posted_or_to(page: str, *, without: str = "") -> Callable[[View], View]:
    """Allow only POST for a view, and redirect a GET to a page: ``@posted_or_to("table")``.

    The page with a refused form has such a URL. The language button returns to it, and a phone that
    has discarded the tab loads it again.

    Args:
        page: URL name of the page. Its URL has the same arguments as the URL of the view.
        without: name of an argument that only the URL of the view has.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, *args, **more)
            match = request.resolver_match
            if match is None or request.method not in ("GET", "HEAD"):
                return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
            parts = {name: part for name, part in match.kwargs.items() if name != without}
            return HttpResponseRedirect(reverse(page, kwargs=parts))

        return wrapper

    return decorate

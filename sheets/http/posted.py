"""Where does somebody get to who loads an address anew that only takes forms?"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import reverse

from sheets.http.view import View


def posted_or_to(page: str, *, without: str = "") -> Callable[[View], View]:
    """Let a view only be posted to, and lead who looks there to a page: ``@posted_or_to("table")``.

    After a form that was refused, a page stands at such an address. The language button leads back
    to it, and a phone that has thrown the tab away loads it again.

    Args:
        page: the name of a page whose address is made of the same as the view's.
        without: what of that is not in the page's address, if anything.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, *args, **more)
            match = request.resolver_match
            if match is None or request.method not in ("GET", "HEAD"):
                return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
            parts = {name: part for name, part in match.kwargs.items() if name != without}
            return HttpResponseRedirect(reverse(page, kwargs=parts))

        return guarded

    return decorate

"""URLs of the site, with one whose view fails."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

handler500 = "dizzle_site.errors.server_error"


def broken(request: HttpRequest, rest: str = "") -> HttpResponse:
    raise RuntimeError("on purpose")


class BreakViews:
    """Middleware that raises an error instead of calling the view."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, words: Any, named: Any) -> None:
        facts = (request.get_full_path(), request.headers, request.COOKIES, words, named)
        raise RuntimeError("on purpose", *facts)


urlpatterns = [
    path("", include("dizzle_site.urls")),
    path("broken/", broken),
    path("broken/<path:rest>", broken),
]

"""Responses to htmx: the part of a page that changes, or the whole page for other requests."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request after django-htmx's middleware: `htmx` is true if htmx sent it."""

    htmx: HtmxDetails


def is_from_script(request: HttpRequest) -> bool:
    """Return whether a page's script sent the request, by htmx or with the same header."""
    return bool(cast(HtmxHttpRequest, request).htmx)


def render_part(
    request: HttpRequest, page: str, part: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Render the template ``page``, or only ``part`` for a request with the header ``HX-Request``.

    The Vary header makes caches store both responses separately.
    """
    response = render(request, part if is_from_script(request) else page, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response

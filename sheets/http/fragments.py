"""What does a page answer that htmx asked: itself, or only the part that changes?

The server chooses, so the two are drawn from one context and one template.
"""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request after django-htmx's middleware: `htmx` is true if a page's htmx has asked."""

    htmx: HtmxDetails


def render_part(
    request: HttpRequest, page: str, part: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The template ``page``, or ``part`` of it for a page of ours that has the rest already.

    One address has two answers, so whatever keeps answers is told what they depend on (Vary).
    """
    is_part = cast(HtmxHttpRequest, request).htmx
    response = render(request, part if is_part else page, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response

"""Requests with a JSON body."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, UnreadablePostError

from dizzle_site.errors import JSON
from sheets.http.view_type import View


def takes_json(view: View) -> View:
    """Pass a JSON body to the view as the argument ``body``, in bytes.

    Other content types get 415: Django's middleware reads the body of a form before the view, and
    the view could not read it again.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        if request.content_type not in ("", JSON):
            sentence = f"What is sent to this address is sent as {JSON}."
            return HttpResponse(sentence, status=415, content_type="text/plain")
        try:
            body = request.body
        except UnreadablePostError as gone:
            raise BadRequest("The body broke off.") from gone
        return view(request, *args, body=body, **more)

    wrapper.takes_json = True  # type: ignore[attr-defined]
    return wrapper

"""Requests with a JSON body, and those whose response should be JSON."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, UnreadablePostError

from dizzle_site.errors import JSON
from dizzle_site.errors import wants_json as wants_json
from sheets.http.view import View


def takes_json(view: View) -> View:
    """Pass the body to the view as bytes, ``body=``; answer 415 to another content type.

    Django reads the bodies of forms before the view, and they cannot be read again.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        if request.content_type not in ("", JSON):
            sentence = f"What is sent to this address is sent as {JSON}."
            return HttpResponse(sentence, status=415, content_type="text/plain")
        try:
            body = request.body
        except UnreadablePostError as gone:
            raise BadRequest("The body broke off.") from gone
        return view(request, *args, body=body, **more)

    guarded.takes_json = True  # type: ignore[attr-defined]
    return guarded

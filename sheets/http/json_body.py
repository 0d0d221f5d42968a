"""Requests with JSON: the body of one, and whether its answer should be JSON."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, UnreadablePostError

from dizzle_site.errors import JSON
from dizzle_site.errors import wants_json as wants_json
from sheets.http.view import View


def takes_json(view: View) -> View:
    """Give the view the body as bytes, ``body=``; 415 for a body that says it is no JSON.

    Only a form's body is read by Django before a view sees it, and then it cannot be read again.
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

"""How does a view get the JSON that a script sends, and does one want an answer in JSON?"""

from __future__ import annotations

from functools import wraps
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, UnreadablePostError

from sheets.http.view import View

JSON: Final = "application/json"


def wants_json(request: HttpRequest) -> bool:
    """Whether our script asks, and takes no page."""
    return request.headers.get("Accept", "").startswith(JSON)


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

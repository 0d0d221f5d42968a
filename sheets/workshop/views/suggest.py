"""Wish for a level, look at what comes of it, and take it into the editor."""

from __future__ import annotations

from functools import partial
from random import SystemRandom
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from sheets.http import drawing, works
from sheets.http.fragments import render_part
from sheets.http.limits import UPLOADS, limited
from sheets.levels.legend import drawings_of
from sheets.rules import parse_level
from sheets.workshop import store
from sheets.workshop.suggest.forms import WishForm, describe_refusal
from sheets.workshop.suggest.suggestion import LIMITS, CannotSuggest


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def suggest_level(request: HttpRequest) -> HttpResponse:
    """Show the level for the wish in the address; posted, it becomes a level of one's own."""
    is_sent = request.method == "POST"
    form = WishForm(request.POST if is_sent else request.GET)
    context: dict[str, Any] = {"form": form, "other_seed": SystemRandom().randint(*LIMITS["seed"])}
    if not form.is_valid():
        context["refusal"] = form.refusal
        return _answer(request, context, 400)
    wanted = form.wanted

    def respond(drawn: bytes) -> HttpResponse:
        try:
            document = works.suggestion_of(drawn)
        except CannotSuggest as refused:
            context["refusal"] = describe_refusal(refused)
            return _answer(request, context, 400)
        if is_sent:
            return redirect("workshop-level", key=store.create(document | {"id": store.new_id()}))
        level = parse_level(document)
        shown = {"level": level, "drawings": drawings_of(level)}
        return _answer(request, context | shown)

    return drawing.page(
        request, ("suggestion", wanted), lambda: partial(works.suggestion, wanted), respond
    )


def _answer(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    part = "workshop/_suggestion.html"
    return render_part(request, "workshop/suggest.html", part, context, status)

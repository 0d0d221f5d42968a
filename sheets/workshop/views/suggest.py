"""Page that suggests a level for a wish, and opens it in the editor."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import SystemRandom
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from sheets.http import render_tasks, rendering
from sheets.http.fragments import render_part
from sheets.http.rate_limits import UPLOADS, limited
from sheets.levels.legend import drawing_ids
from sheets.rules import parse_level
from sheets.text.form_errors import NO_FIELD
from sheets.workshop import store
from sheets.workshop.suggest.forms import WishForm, describe_refusal
from sheets.workshop.suggest.suggestion import LIMITS, CannotSuggest


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def suggest_level(request: HttpRequest) -> HttpResponse:
    """Show a suggested level for the wish in the query; a POST creates a workshop level of it."""
    is_sent = request.method == "POST"
    form = WishForm(request.POST if is_sent else request.GET)
    if not form.is_valid():
        return _answer(request, form, {"wrong": form.wrong}, 400)
    wanted = form.wanted

    def respond(document: dict[str, Any]) -> HttpResponse:
        return _take(document) if is_sent else _show(request, form, document)

    try:
        return rendering.page_response(
            request,
            ("suggestion", wanted),
            lambda: partial(render_tasks.suggestion, wanted),
            respond,
            has_words=False,
        )
    except CannotSuggest as refused:
        field = refused.key if refused.key in form.fields else NO_FIELD
        return _answer(request, form, {"wrong": {field: describe_refusal(refused)}}, 400)


def _take(document: Mapping[str, Any]) -> HttpResponse:
    return redirect("workshop-level", key=store.create({**document, "id": store.new_id()}))


def _show(request: HttpRequest, form: WishForm, document: Mapping[str, Any]) -> HttpResponse:
    level = parse_level(document)
    return _answer(request, form, {"level": level, "drawings": drawing_ids(level)})


def _answer(
    request: HttpRequest, form: WishForm, more: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    other_seed = SystemRandom().randint(*LIMITS["seed"])
    context = {"form": form, "other_seed": other_seed, **more}
    part = "workshop/_wish.html"
    return render_part(request, "workshop/suggest.html", part, context, status)

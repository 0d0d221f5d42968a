"""Wish for levels, look at what comes of it, and take one into the editor."""

from __future__ import annotations

from functools import partial
from random import SystemRandom
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import retarget

from sheets.charts.numbers import percent
from sheets.http import render_tasks, rendering
from sheets.http.fragments import render_part
from sheets.http.rate_limits import UPLOADS, limited
from sheets.http.render_pool import SUGGESTIONS
from sheets.levels.legend import drawings_of
from sheets.rules import parse_level
from sheets.texts.wrong import NO_FIELD
from sheets.workshop import store
from sheets.workshop.suggest.forms import WishForm, describe_refusal
from sheets.workshop.suggest.suggestion import LIMITS, CannotSuggest
from sheets.workshop.suggest.trying import SHOWN, games_for, set_beside
from sheets.workshop.suggest.words import describe_beside


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def suggest_level(request: HttpRequest) -> HttpResponse:
    """Show the levels for the wish in the address; posted, one becomes a level of one's own."""
    is_sent = request.method == "POST"
    form = WishForm(request.POST if is_sent else request.GET)
    if not form.is_valid():
        return _answer(request, form, {"wrong": form.wrong}, 400)
    wanted = form.wanted
    if is_sent:
        return rendering.page(
            request,
            ("suggestion", wanted),
            lambda: partial(render_tasks.suggestion, wanted),
            lambda drawn: _taken(request, form, drawn),
            has_words=False,
        )
    return rendering.page(
        request,
        ("suggestions", wanted),
        lambda: partial(render_tasks.tried_suggestions, wanted),
        lambda drawn: _shown(request, form, drawn),
        kind=SUGGESTIONS,
        has_words=False,
        busy=lambda: _busy(request, form),
    )


def _taken(request: HttpRequest, form: WishForm, drawn: bytes) -> HttpResponse:
    try:
        document = render_tasks.suggestion_of(drawn)
    except CannotSuggest as refused:
        return _refuse(request, form, refused)
    return redirect("workshop-level", key=store.create(document | {"id": store.new_id()}))


def _shown(request: HttpRequest, form: WishForm, drawn: bytes) -> HttpResponse:
    try:
        found = render_tasks.tried_suggestions_of(drawn)
    except CannotSuggest as refused:
        return _refuse(request, form, refused)
    levels = [parse_level(one.document) for one in found]
    suggestions: list[dict[str, Any]] = [
        {
            "level": level,
            "seed": one.seed,
            "figures": [describe_beside(figure, one.played) for figure in set_beside(one.played)],
            "crossed": percent(one.played.crossed),
        }
        for level, one in zip(levels, found, strict=True)
    ]
    drawings = sorted({name for level in levels for name in drawings_of(level)})
    shown = {
        "suggestions": suggestions,
        "drawings": drawings,
        "games": games_for(form.wanted),
        "has_outside": any(figure.off for one in suggestions for figure in one["figures"]),
        "is_short": len(suggestions) < SHOWN,
    }
    return _answer(request, form, shown)


def _busy(request: HttpRequest, form: WishForm) -> HttpResponse:
    """Bots try one wish at a time: the page with its button, or for a page that is open what it
    is to say, so that what it shows stays."""
    sentence = _("Bots are trying somebody else’s wish just now. Try again in ten seconds.")
    context = {"form": form, "busy": sentence}
    part = "workshop/_wish_said.html"
    return retarget(render_part(request, "workshop/suggest.html", part, context, 503), "#wish-said")


def _refuse(request: HttpRequest, form: WishForm, refused: CannotSuggest) -> HttpResponse:
    field = refused.key if refused.key in form.fields else NO_FIELD
    return _answer(request, form, {"wrong": {field: describe_refusal(refused)}}, 400)


def _answer(
    request: HttpRequest, form: WishForm, more: dict[str, Any], status: int = 200
) -> HttpResponse:
    other_seed = SystemRandom().randint(*LIMITS["seed"])
    context = {"form": form, "other_seed": other_seed, **more}
    part = "workshop/_wish.html"
    return render_part(request, "workshop/suggest.html", part, context, status)

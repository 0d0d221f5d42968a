"""What the moves are measured against: a plain view that stores the same and does nothing else.

Also the views of the storing alone. All three are served without any middleware.
"""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path

from bench._site import TOKEN
from sheets.models import Entry, Table
from sheets.tables import play
from sheets.tables.access import find_access
from sheets.tables.forms import DizzleActForm


def bare(request: HttpRequest, code: str) -> HttpResponse:
    """Read the revision, move it if nobody else did, and insert an entry."""
    pk, revision, length = Table.objects.values_list("pk", "revision", "length").get(code=code)
    sent = request.POST
    action = {"do": sent["do"], "player": sent.get("player"), "at": sent.get("at")}
    with transaction.atomic():
        moved = Table.objects.filter(pk=pk, revision=revision).update(
            revision=revision + 1, length=length + 1
        )
        if not moved:
            return HttpResponse(status=409)
        Entry.objects.create(
            table_id=pk, number=length + 1, action=action, seat=0, request=sent["request"]
        )
    return HttpResponse(b"stored")


def stored(request: HttpRequest, code: str) -> HttpResponse:
    """Store a move as the site does: form, seat, rules, log and all, but without an answer."""
    form = DizzleActForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=400)
    sent = form.cleaned_data
    play.act(find_access(code, TOKEN), form.action, moment=sent["moment"], request=sent["request"])
    return HttpResponse(b"stored")


urlpatterns = [path("bare/<str:code>/", bare), path("stored/<str:code>/", stored)]

"""Baseline for moves: a plain view that stores the same rows, served without middleware."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path

from sheets.models import Entry, Table


def bare(request: HttpRequest, code: str) -> HttpResponse:
    """Read the revision, increase it unless it has changed meanwhile, and insert an entry."""
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


urlpatterns = [path("bare/<str:code>/", bare)]

"""Offline scoring of paper sheets of a workshop level on the device, and its import."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets.access.keys import Access, digest
from sheets.documents.structure import read_sheets
from sheets.groups.choice import keep_as_wished
from sheets.http.rate_limits import NEW_SCORINGS, limited
from sheets.http.uploads import sent_file
from sheets.models import WorkshopLevel
from sheets.rules import DocumentError, Level
from sheets.scoring import store
from sheets.scoring.forms import idempotency_key
from sheets.scoring.here import here_context
from sheets.texts.faults import describe_fault
from sheets.workshop import store as workshop_store
from sheets.workshop.views.access import with_finished

KEPT_LETTERS: Final = 12
"""Length of the digest in the key of the browser's storage."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_SCORINGS)
@with_finished
def here(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Show sheets to mark and add up without network; a POST scores them on this level.

    The document only names the level, which may not leave the site.
    """
    if request.method != "POST":
        # The device stores sheets under a digest, from which nobody can derive the key.
        kept = f"own-{digest(access.key)[:KEPT_LETTERS]}"
        context = here_context(level, kept) | {
            "own_url": reverse("workshop-level", args=(access.key,)),
            "send_url": reverse("workshop-here", args=(access.key,)),
            "stored_url": reverse("workshop-score", args=(access.key,)),
        }
        return render(request, "score/here.html", context)
    try:
        text = sent_file(request, "document")
        paper = read_sheets(text, lambda _id: level)
    except DocumentError as error:
        context = {"wrong": {"document": describe_fault(error)}}
        return render(request, "score/import.html", context, status=400)
    if paper.level is not level:
        return HttpResponseBadRequest("sheets of another level")
    paper = paper._replace(level_id="")
    once = idempotency_key(request.POST.get("request", ""), text)
    key = store.create_from_paper(paper, workshop_store.bought(access), once=once)
    keep_as_wished(request, store.find(key).thing)
    return redirect("score-results", key=key)

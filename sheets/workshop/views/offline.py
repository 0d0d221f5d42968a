"""Offline scoring of paper sheets of a workshop level in the browser, and import of the result."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from sheets.access.keys import Access, digest, idempotency_key_of
from sheets.documents.structure import read_sheets
from sheets.groups.group_choice import add_to_chosen_group
from sheets.http.rate_limits import NEW_SCORINGS, limited
from sheets.http.uploads import sent_file
from sheets.models import WorkshopLevel
from sheets.rules import DocumentError, Level
from sheets.scoring import store
from sheets.scoring.offline import offline_context
from sheets.text.faults import describe_fault
from sheets.workshop import store as workshop_store
from sheets.workshop.views.access import with_finished

STORAGE_KEY_LENGTH: Final = 12
"""Length of the digest in the key of the browser's storage."""


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_SCORINGS)
@with_finished
def here(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    """Show paper sheets to score without a network; a POST begins a scoring with them.

    The document of a POST contains only the level's id, because the level may not leave the site.
    """
    if request.method != "POST":
        # The device stores sheets under a digest, from which nobody can derive the key.
        kept = f"own-{digest(access.key)[:STORAGE_KEY_LENGTH]}"
        context = offline_context(level, kept) | {
            "own_url": reverse("workshop-level", args=(access.key,)),
            "send_url": reverse("workshop-here", args=(access.key,)),
            "stored_url": reverse("workshop-score", args=(access.key,)),
        }
        return render(request, "score/offline.html", context)
    try:
        text = sent_file(request, "document")
        paper = read_sheets(text, lambda _id: level)
    except DocumentError as error:
        context = {"wrong": {"document": describe_fault(error)}}
        return render(request, "score/import.html", context, status=400)
    if paper.level is not level:
        return HttpResponseBadRequest("sheets of another level")
    paper = paper._replace(level_id="")
    idempotency_key = idempotency_key_of(request.POST.get("request", ""), text)
    key = store.create_from_paper(
        paper, workshop_store.bought(access), idempotency_key=idempotency_key
    )
    add_to_chosen_group(request, store.find(key).resource)
    return redirect("score-results", key=key)

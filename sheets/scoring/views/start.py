"""Pages that begin a scoring: with a level and players, or with an uploaded document."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import keep_private_if_known
from sheets.access.keys import idempotency_key_of
from sheets.documents.opened import refuse_other_files
from sheets.documents.structure import read_sheets
from sheets.groups.group_choice import add_to_chosen_group
from sheets.http.rate_limits import NEW_SCORINGS, UPLOADS, limited
from sheets.http.uploads import sent_file
from sheets.levels import find_level, shipped_levels
from sheets.rules import DocumentError, Level
from sheets.scoring import store
from sheets.scoring.forms import PlayersForm
from sheets.text.faults import describe_fault
from sheets.text.form_errors import first_errors


@require_safe
def choose_level(request: HttpRequest) -> HttpResponse:
    """Show the levels to choose from."""
    context = {"levels": shipped_levels().values()}
    return keep_private_if_known(request, render(request, "score/choose_level.html", context))


@require_http_methods(["GET", "HEAD", "POST"])
@limited(NEW_SCORINGS)
def begin(request: HttpRequest, level_id: str) -> HttpResponse:
    """Ask for the players, then begin a scoring."""
    level = _level_or_404(level_id)
    form = PlayersForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        key = store.create(level, form.names)
        add_to_chosen_group(request, store.find(key).resource)
        return redirect("score-sheet", key=key, number=1)
    context = {
        "level": level,
        "form": form,
        "photos_url": f"{reverse('photos')}?level={level.id}",
        "here_url": reverse("score-here-level", args=(level.id,)),
        "wrong": first_errors(form),
    }
    return render(request, "score/begin.html", context, status=400 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def import_document(request: HttpRequest) -> HttpResponse:
    """Begin a scoring with the sheets of a document."""
    if request.method != "POST":
        return render(request, "score/import.html")
    try:
        text = sent_file(request, "document")
        refuse_other_files(text)
        paper = read_sheets(text, find_level)
    except DocumentError as error:
        context = {"wrong": {"document": describe_fault(error)}}
        return render(request, "score/import.html", context, status=400)
    idempotency_key = idempotency_key_of(request.POST.get("request", ""), text)
    key = store.create_from_paper(paper, idempotency_key=idempotency_key)
    add_to_chosen_group(request, store.find(key).resource)
    return redirect("score-results", key=key)


def _level_or_404(level_id: str) -> Level:
    try:
        return find_level(level_id)
    except DocumentError as error:
        raise Http404 from error

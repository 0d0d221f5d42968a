"""Download of a level that was entered from a photo, with or without its empty sheet."""

from __future__ import annotations

import io
from zipfile import ZipFile, ZipInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from sheets.access.keys import Access, only_editors
from sheets.http.downloads import attach_of, document_bytes
from sheets.http.rate_limits import READS, limited
from sheets.models import WorkshopLevel
from sheets.rules import Level
from sheets.workshop import empty_sheets
from sheets.workshop.views.access import with_finished, with_level
from sheets.workshop.views.uses import file_document


@require_safe
@limited(READS, "GET")
@conditional_page
@with_level
@only_editors
def empty_sheet(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Return the rectified picture of the empty sheet that the level is entered from."""
    picture = empty_sheets.find_picture(access)
    if picture is None:
        raise Http404
    response = HttpResponse(picture, content_type="image/webp")
    response["Cache-Control"] = "private, no-cache"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@with_level
@only_editors
def download(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Ask whether to include the empty sheet, then return the file."""
    return _download(request, key=access.key)


@with_finished
def _download(request: HttpRequest, access: Access[WorkshopLevel], level: Level) -> HttpResponse:
    picture = empty_sheets.find_picture(access)
    if picture is None:
        return redirect("workshop-document", key=access.key)
    if request.method != "POST":
        return render(request, "workshop/file.html", {"access": access, "level": level})
    content = document_bytes(file_document(access))
    if "empty-sheet" not in request.POST:
        return attach_of(level, content, "application/json", ".json")
    file = io.BytesIO()
    with ZipFile(file, "w") as packed:
        for name, part in ((f"{level.id}.json", content), (f"{level.id}.webp", picture)):
            packed.writestr(ZipInfo(name), part)
    return attach_of(level, file.getvalue(), "application/zip", ".zip")

"""Who has won, and what of it can be taken along?"""

from __future__ import annotations

import csv
import json
from functools import lru_cache

import segno
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.levels import shipped_levels
from sheets.models import Scoring
from sheets.phone_address import phone_url, public_url
from sheets.rules.paper import format_sheets
from sheets.scoring.picture import draw_picture
from sheets.scoring.scored import comparison_rows, score
from sheets.scoring.scorings import Door, export_level, note_visit
from sheets.views.downloads import attach_of
from sheets.views.score_door import with_door
from sheets.views.score_sheet import position_of


@require_safe
@with_door
def results(request: HttpRequest, door: Door) -> HttpResponse:
    """Show the comparison of all sheets, the winner or the grade."""
    scored = score(door.scoring)
    note_visit(door)
    rows = comparison_rows(scored.level, scored.result.scores)
    path = _share_path(request, door)
    phones = phone_url(request, path)
    context = {
        "door": door,
        "scored": scored,
        "level": scored.level,
        "rows": rows,
        "doubts": [sentence for _position, sentence in scored.doubts],
        "signs": {row.sign for row in rows},
        "share_url": public_url(request, path),
        "share_code": segno.make(phones, micro=False) if phones else None,
    }
    return render(request, "score/results.html", context)


@require_safe
@with_door
def news(request: HttpRequest, door: Door) -> HttpResponse:
    """Tell the page of results whether anything has changed since it was made."""
    return JsonResponse({"revision": door.scoring.revision})


def _share_path(request: HttpRequest, door: Door) -> str:
    return request.path.replace(door.key, door.share_key)


@require_safe
@with_door
def sheet_picture(request: HttpRequest, door: Door, number: int) -> HttpResponse:
    """One sheet with its score as a picture to share."""
    scoring = door.scoring
    picture = _picture(scoring.key_digest, scoring.revision, number, get_language() or "")
    return HttpResponse(picture, content_type="image/png")


@lru_cache(maxsize=32)
def _picture(key_digest: str, revision: int, number: int, language: str) -> bytes:
    """The picture, drawn once for each state of the sheets: a large one takes a second."""
    scored = score(Scoring.objects.get(key_digest=key_digest))
    position = position_of(scored, number)
    return draw_picture(
        scored.level,
        scored.marks[position],
        scored.names[position],
        scored.result.scores[position],
    )


@require_safe
@with_door
def export_document(request: HttpRequest, door: Door) -> HttpResponse:
    """The sheets as a ``dizzle-sheets/1`` document."""
    scored = score(door.scoring)
    document = format_sheets(scored.paper)
    document["level"] = export_level(door.scoring, shipped_levels())
    if len(scored.sheets) > 1:
        del document["solo"]
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    return attach_of(scored.level, text.encode(), "application/json", ".json")


@require_safe
@with_door
def export_scores(request: HttpRequest, door: Door) -> HttpResponse:
    """The scores as a table for a spreadsheet."""
    scored = score(door.scoring)
    response = attach_of(scored.level, b"\xef\xbb\xbf", "text/csv; charset=utf-8", ".csv")
    writer = csv.writer(response)
    rows = comparison_rows(scored.level, scored.result.scores)
    writer.writerow([_("Player"), *(row.name for row in rows), _("Total"), _("Crosses")])
    for position, (name, result) in enumerate(zip(scored.names, scored.result.scores, strict=True)):
        amounts = [row.amounts[position] for row in rows]
        writer.writerow([_as_text(name), *amounts, result.total, result.marks])
    return response


def _as_text(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name

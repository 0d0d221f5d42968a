"""Who has won, and what of it can be taken along?"""

from __future__ import annotations

from functools import partial

import segno
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access.keys import Access, note_visit
from sheets.access.leaving import Leaving, may_leave_game, refuse_unless
from sheets.http import drawing, works
from sheets.http.downloads import attach_of, document_bytes
from sheets.http.phone_address import phone_url, public_url
from sheets.http.processes import Work
from sheets.levels import shipped_levels
from sheets.models import Scoring
from sheets.rules.documents.sheets import format_sheets
from sheets.scoring.marks import field_marks
from sheets.scoring.score_view import comparison_rows, score
from sheets.scoring.spreadsheet import format_table
from sheets.scoring.store import export_level
from sheets.scoring.views.access import with_scoring
from sheets.scoring.views.sheet import position_of


@require_safe
@with_scoring
def results(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Show the comparison of all sheets, the winner or the grade."""
    scored = score(access.thing)
    note_visit(access.thing)
    rows = comparison_rows(scored.level, scored.result.scores)
    path = _share_path(request, access)
    phones = phone_url(request, path)
    context = {
        "access": access,
        "scored": scored,
        "level": scored.level,
        "rows": rows,
        "doubts": [sentence for _position, sentence in scored.doubts],
        "signs": {row.sign for row in rows},
        "share_url": public_url(request, path),
        "may_take_file": may_leave_game(Leaving.DOCUMENT, access.thing, request.session),
        "share_code": segno.make(phones, micro=False) if phones else None,
    }
    return render(request, "score/results.html", context)


@require_safe
@with_scoring
def news(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """Tell the page of results whether anything has changed since it was made."""
    return JsonResponse({"revision": access.thing.revision})


def _share_path(request: HttpRequest, access: Access[Scoring]) -> str:
    return request.path.replace(access.key, access.share_key)


@require_safe
@with_scoring
def sheet_picture(request: HttpRequest, access: Access[Scoring], number: int) -> HttpResponse:
    """One sheet with its score as a picture to share."""

    def prepare() -> Work:
        scored = score(access.thing)
        position = position_of(scored, number)
        return partial(
            works.scored_picture,
            scored.level,
            field_marks(scored.level, scored.marks[position]),
            scored.names[position],
            scored.result.scores[position],
        )

    return drawing.answer(
        request,
        ("score-picture", access.thing.key_digest, access.thing.revision, number),
        prepare,
        lambda picture: HttpResponse(picture, content_type="image/png"),
    )


@require_safe
@with_scoring
def export_document(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """The sheets as a ``dizzle-sheets/1`` document."""
    refuse_unless(may_leave_game(Leaving.DOCUMENT, access.thing, request.session))
    scored = score(access.thing)
    document = format_sheets(scored.paper)
    document["level"] = export_level(access.thing, shipped_levels())
    return attach_of(scored.level, document_bytes(document), "application/json", ".json")


@require_safe
@with_scoring
def export_scores(request: HttpRequest, access: Access[Scoring]) -> HttpResponse:
    """The scores as a table for a spreadsheet."""
    scored = score(access.thing)
    rows = comparison_rows(scored.level, scored.result.scores)
    table: list[list[str | int]] = [
        [_("Player"), *(str(row.name) for row in rows), _("Total"), _("Crosses")]
    ]
    for position, (name, result) in enumerate(zip(scored.names, scored.result.scores, strict=True)):
        amounts = [row.amounts[position] for row in rows]
        table.append([name, *amounts, result.total, result.marks])
    content = format_table(table).encode("utf-8-sig")
    return attach_of(scored.level, content, "text/csv; charset=utf-8", ".csv")

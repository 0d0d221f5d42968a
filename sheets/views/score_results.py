"""Who has won, and what of it can be taken along?"""

from __future__ import annotations

import json
from functools import partial

import segno
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.http import drawing, works
from sheets.http.processes import Work
from sheets.leaving import Leaving, may_leave_game, refuse_unless
from sheets.levels import shipped_levels
from sheets.phone_address import phone_url, public_url
from sheets.rules.paper import format_sheets
from sheets.scoring.marks import field_marks
from sheets.scoring.scored import comparison_rows, score
from sheets.scoring.scorings import Door, export_level, note_visit
from sheets.scoring.spreadsheet import format_table
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
        "may_take_file": may_leave_game(Leaving.DOCUMENT, door.scoring, request.session),
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

    def prepare() -> Work:
        scored = score(door.scoring)
        position = position_of(scored, number)
        return partial(
            works.scored_picture,
            scored.level,
            field_marks(scored.marks[position]),
            scored.names[position],
            scored.result.scores[position],
        )

    return drawing.answer(
        request,
        ("score-picture", door.scoring.key_digest, door.scoring.revision, number),
        prepare,
        lambda picture: HttpResponse(picture, content_type="image/png"),
    )


@require_safe
@with_door
def export_document(request: HttpRequest, door: Door) -> HttpResponse:
    """The sheets as a ``dizzle-sheets/1`` document."""
    refuse_unless(may_leave_game(Leaving.DOCUMENT, door.scoring, request.session))
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
    rows = comparison_rows(scored.level, scored.result.scores)
    table: list[list[str | int]] = [
        [_("Player"), *(str(row.name) for row in rows), _("Total"), _("Crosses")]
    ]
    for position, (name, result) in enumerate(zip(scored.names, scored.result.scores, strict=True)):
        amounts = [row.amounts[position] for row in rows]
        table.append([name, *amounts, result.total, result.marks])
    content = format_table(table).encode("utf-8-sig")
    return attach_of(scored.level, content, "text/csv; charset=utf-8", ".csv")

"""What the result pages of scorings and tallies have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from sheets.access.keys import Access
from sheets.groups.game_store import day_of
from sheets.http.link_preview import link_preview
from sheets.http.share_link import share_link
from sheets.models import Scoring, Tally
from sheets.rules import Level
from sheets.scoring.ranking import Standing
from sheets.scoring.result import MOMENT_DRAWINGS, describe_result, picture_size, preview_words
from sheets.scoring.score_view import ComparisonRow
from sheets.text.dates import format_day


def result_context(
    request: HttpRequest,
    access: Access[Scoring] | Access[Tally],
    title: str,
    standing: Standing,
    rows: Sequence[ComparisonRow],
    level: Level | None = None,
) -> dict[str, Any]:
    """Return the context for both pages; with a ``level``, the picture of the result has sheets."""
    kind = "score" if isinstance(access.resource, Scoring) else "tally"
    picture = {"score": "score-result-picture", "tally": "tally-picture"}[kind]
    day = format_day(day_of(access.resource))
    return {
        "access": access,
        "kept_kind": kind,
        "news_url": reverse(f"{kind}-news", args=(access.key,)),
        "standing": standing,
        "details": describe_result(standing, rows),
        "title": title,
        "played_on": day,
        "link_preview": link_preview(
            request,
            *preview_words(standing, title, day),
            reverse(picture, args=(access.share_key,)) if standing.is_settled else "",
            picture_size(standing, rows, level),
        ),
        "drawings": {row.sign for row in rows} | MOMENT_DRAWINGS,
        "link": share_link(request, reverse(f"{kind}-results", args=(access.share_key,))),
    }

"""Page with the statistics of a group on one level, compared with bots."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sheets.access.keys import Access
from sheets.art.svg import sheet_ids
from sheets.groups.filters import GameFilter
from sheets.groups.game_titles import games_words
from sheets.groups.level_statistics import NoSuchLevel, on_level
from sheets.groups.views.access import with_group
from sheets.groups.views.filter import filter_context, with_filter
from sheets.http.link_preview import link_preview
from sheets.http.rate_limits import READS, limited
from sheets.models import Group


@require_safe
@limited(READS, "GET")
@with_group
@with_filter(but="level")
def page(
    request: HttpRequest, access: Access[Group], digest: str, *, choice: GameFilter
) -> HttpResponse:
    """Show totals, crosses, records, and the longest and the shortest game on a level."""
    try:
        found = on_level(access.resource, digest, choice)
    except NoSuchLevel as unknown:
        raise Http404 from unknown
    context = {
        **filter_context(request, access.resource, choice, {}),
        "access": access,
        "link_preview": link_preview(
            request, f"{found.title} · {access.resource.name}", games_words(found.games)
        ),
        "level": found,
        "drawings": sheet_ids(found.crossed.level) if found.crossed else (),
    }
    return render(request, "groups/level.html", context)

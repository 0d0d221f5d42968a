"""Page of a group's standings, which can be printed and shared."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access.keys import Access
from sheets.groups.game_store import update_changed_games
from sheets.groups.standings import standings_of
from sheets.groups.views.access import with_group
from sheets.http.link_preview import link_preview
from sheets.http.rate_limits import READS, limited
from sheets.http.share_link import share_link
from sheets.models import Group
from sheets.text.labels import with_label
from sheets.text.player_names import join_names


@require_safe
@limited(READS, "GET")
@with_group
def page(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Show the tables of the latest year, of all time and of each level, and the champions."""
    update_changed_games(access.resource)
    found = standings_of(access.resource)
    key = access.share_key
    leaders = [with_label(str(one.year), join_names(one.winners)) for one in found.champions]
    context = {
        "access": access,
        "link_preview": link_preview(
            request,
            f"{_('Standings')} · {access.resource.name}",
            " · ".join(leaders[:3]) or _("No game with others yet."),
        ),
        "standings": found,
        "this_year": timezone.localdate().year,
        "today": timezone.localdate(),
        "drawings": {row.sign for row in (*found.all_time, *found.of_year)},
        "link": share_link(request, reverse("group-standings", args=[key])) if key else None,
    }
    return render(request, "groups/standings.html", context)

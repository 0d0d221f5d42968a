"""Yearly review of a group or of one of its players, as a page and as a picture to share."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from sheets.access.keys import Access
from sheets.art.svg import sheet_ids
from sheets.groups import players
from sheets.groups.game_titles import games_words
from sheets.groups.views.access import with_group
from sheets.groups.year import Favourite, NoSuchYear, Tile, Year, year_of
from sheets.http import render_tasks, rendering
from sheets.http.downloads import show_picture
from sheets.http.link_preview import link_preview
from sheets.http.process_pool import Work
from sheets.http.rate_limits import READS, limited
from sheets.models import Group, GroupPlayer
from sheets.printing.pictures.sizes import YEAR_SIZE
from sheets.text.player_names import join_names


@require_safe
@limited(READS, "GET")
@with_group
def page(
    request: HttpRequest, access: Access[Group], year: int, number: int | None = None
) -> HttpResponse:
    """Show the review of a year."""
    player = _player(access.resource, number)
    found = _year(access.resource, year, player)
    favourite = found.favourite
    drawings = {tile.sign for tile in found.tiles}
    if favourite and favourite.crossed:
        drawings |= sheet_ids(
            favourite.crossed.level, {mark for marks in favourite.usual.values() for mark in marks}
        )

    def picture_url(key: str) -> str:
        if player:
            return reverse("group-player-year-picture", args=[key, player.number, year])
        return reverse("group-year-picture", args=[key, year])

    context = {
        "access": access,
        "player": player,
        "people": found.people,
        "year": found,
        "headline": headline_of(found),
        "most_played": favourite and played_words(favourite),
        "as_often": favourite and as_often_words(favourite),
        "drawings": drawings,
        "picture_url": picture_url(access.key),
        "link_preview": link_preview(
            request,
            f"{year} · {found.name}",
            headline_of(found),
            picture_url(access.share_key) if found.tiles and access.share_key else "",
            YEAR_SIZE,
        ),
    }
    return render(request, "groups/year.html", context)


@require_safe
@with_group
def picture(
    request: HttpRequest, access: Access[Group], year: int, number: int | None = None
) -> HttpResponse:
    """Return the review of a year as a picture."""
    found = _year(access.resource, year, _player(access.resource, number))
    if not found.tiles:
        raise Http404
    favourite = found.favourite
    crossed = favourite and favourite.crossed
    tiles = found.tiles
    if favourite and not crossed:  # a tile replaces the drawing of the sheet
        words = games_words(favourite.games)
        often = Tile("sign-line", favourite.title, words, as_often_words(favourite))
        tiles = [often, *tiles]

    def prepare() -> Work:
        return partial(
            render_tasks.year_picture,
            found.year,
            found.name,
            headline_of(found),
            tiles,
            played_words(favourite) if favourite else "",
            crossed.level if crossed else None,
            favourite.usual if favourite else {},
        )

    numbers = (found.year, found.name, found.games, found.evenings, tuple(tiles))
    shown = (
        favourite and (played_words(favourite), tuple(favourite.usual)),
        crossed and rendering.level_cache_key(crossed.level),
    )
    return rendering.file_response(
        request,
        ("group-year", numbers, shown),
        prepare,
        lambda drawn: show_picture(drawn, str(found.year), "year", found.name),
    )


def headline_of(found: Year) -> str:
    """Return the numbers of games and evenings in words."""
    evenings = ngettext("%(count)d evening", "%(count)d evenings", found.evenings)
    words = ngettext(
        "%(count)d game on %(evenings)s", "%(count)d games on %(evenings)s", found.games
    )
    return words % {"count": found.games, "evenings": evenings % {"count": found.evenings}}


def played_words(favourite: Favourite) -> str:
    """Return the title of the level that was played most, with its number of games, in words."""
    words = ngettext("%(level)s, %(count)d game", "%(level)s, %(count)d games", favourite.games)
    return words % {"level": favourite.title, "count": favourite.games}


def as_often_words(favourite: Favourite) -> str:
    """Return a sentence on other levels that were played as often."""
    if favourite.as_often:
        return _("As often: %(levels)s.") % {"levels": join_names(favourite.as_often)}
    return _("Nothing was played more often.")


def _player(group: Group, number: int | None) -> GroupPlayer | None:
    if number is None:
        return None
    try:
        found = players.find(group, number)
    except players.NoSuchPlayer as unknown:
        raise Http404 from unknown
    return found.merged_into or found


def _year(group: Group, year: int, player: GroupPlayer | None) -> Year:
    try:
        return year_of(group, year, player)
    except NoSuchYear as unknown:
        raise Http404 from unknown

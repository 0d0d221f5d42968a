"""Page about the dice of a table, and the contributions of the players' devices to them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from sheets.access.export_rules import may_export_game
from sheets.http.post_redirect import posted_or_to
from sheets.tables import dice_seeds
from sheets.tables.access import TableAccess
from sheets.tables.dice_page import dice_page, dice_page_of_file
from sheets.tables.forms import ContributionForm
from sheets.tables.page_state import game_context
from sheets.tables.views.access import OpenedGame, with_opened_game, with_table


@require_safe
@with_table
def dice(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Show what is known about the dice of a table."""
    page = dice_page(access)
    context = {
        **game_context(access),
        "page": page,
        "dice": access.table.dice,
        "back": reverse("table", args=[access.table.code]),
        "may_take_file": page.proof and may_export_game(access.table, request.session),
    }
    return render(request, "table/dice.html", context)


@require_safe
@with_opened_game
def file_dice(request: HttpRequest, opened: OpenedGame) -> HttpResponse:
    """Show what a game from a file says about its dice."""
    context = {
        "page": dice_page_of_file(opened.record),
        "dice": "file" if opened.record.is_tracked else "table",
        "back": reverse("table-file", args=[opened.key]),
    }
    return render(request, "table/dice.html", context)


@with_table
@posted_or_to("table-dice")
def contribute(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """Store the contribution of a device, which its script sends before the first throw."""
    form = ContributionForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("malformed contribution")
    dice_seeds.contribute(access, form.cleaned_data["contribution"])
    return HttpResponse(status=204)

"""Pages that lead to a table: join one by its code, or open a new one."""

from __future__ import annotations

import re
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from sheets.access import codes
from sheets.access.devices import keep_private_if_known, set_token_cookie, token_for, token_of
from sheets.groups.group_choice import add_to_chosen_group
from sheets.http import rate_limits
from sheets.levels import find_level, shipped_levels
from sheets.rules import DocumentError
from sheets.rules.level import MAX_PLAYERS
from sheets.tables import acts, seating
from sheets.tables.access import UnknownTable, find_access
from sheets.tables.forms import HouseRulesForm, OpenForm
from sheets.tables.table_settings import MIRRORED, ROLLED
from sheets.tables.views.access import look_up, refuse_code
from sheets.text.form_errors import first_errors
from sheets.text.player_names import player_name
from sheets.text.table_codes import not_a_code_sentence

PERSONAL_LINK: Final = re.compile(r"/(?:my/device|table/\w+/seat)/[\w-]+/")
"""Path of a link for another device, or of the personal link of a seat. An app on the home screen
has no address bar, so people paste such a link into the field for a code."""

MAX_SHOWN_LENGTH: Final = 1000
"""Maximum number of typed characters that the field for a code shows again."""


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Redirect to the table with a typed code, or to a pasted personal link."""
    sent = request.POST if request.method == "POST" else request.GET
    typed = sent.get("code", "")
    wrong: dict[str, str] = {}
    status = 200
    if link := PERSONAL_LINK.search(typed):
        return redirect(link[0])
    if "code" in sent:
        try:
            code = codes.parse_code(typed)
            address = find_access(look_up(request, code)).table.code
            return redirect("table", code=address)
        except codes.NotACode as fault:
            status = 404
            wrong["code"] = not_a_code_sentence(fault.fault, **fault.facts)
        except codes.TooManyWrongCodes as refused:
            return refuse_code(request, refused.seconds)
        except UnknownTable:
            status = 404
            wrong["code"] = _(
                "There is no table with this code. A code works only while the table is in "
                "use; its link always works."
            )
    context = {"wrong": wrong, "typed": typed[:MAX_SHOWN_LENGTH]}
    return render(request, "table/join.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@rate_limits.limited(rate_limits.NEW_TABLES)
def new(request: HttpRequest) -> HttpResponse:
    """Show the form for a new table; on POST, open the table and seat the user."""
    is_sent = request.method == "POST"
    form = OpenForm(request.POST) if is_sent else OpenForm()
    wrong: dict[str, str] = {}
    if is_sent and form.is_valid():
        sent = form.cleaned_data
        token = token_for(request)
        try:
            code = seating.open_table(
                form.apply_to(find_level(sent["level"]), sent["players"]),
                sent["level"],
                players=sent["players"],
                dice=sent["dice"],
                name=player_name(sent["name"], 1),
                token=token,
                bots=form.strength,
                has_hints=sent["hints"],
            )
        except DocumentError:
            wrong["level"] = str(form.fields["level"].error_messages["required"])
        else:
            add_to_chosen_group(request, find_access(code).table)
            if sent["players"] == 1 or form.strength:  # no other person takes a seat
                acts.start(find_access(code, token))
            return set_token_cookie(redirect("table", code=code), token)
    elif is_sent:
        wrong = first_errors(form)
    levels = list(shipped_levels().values())
    context = {
        "levels": levels,
        "counts": range(1, MAX_PLAYERS + 1),
        "most_without_house_rule": min(max(level.player_counts) for level in levels),
        "wrong": wrong,
        "chosen": {
            "level": request.POST.get("level") or request.GET.get("level") or levels[0].id,
            "players": request.POST.get("players", "2"),
            "dice": request.POST.get("dice", ROLLED if "bots" in request.GET else MIRRORED),
            "bots": request.POST.get("bots") or request.GET.get("bots", ""),
            "hints": request.POST.get("hints", ""),
            "name": request.POST.get("name") or seating.last_name(token_of(request)),
            **{name: request.POST.get(name, "") for name in HouseRulesForm.base_fields},
        },
    }
    response = render(request, "table/new.html", context, status=400 if is_sent else 200)
    return keep_private_if_known(request, response)

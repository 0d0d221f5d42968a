"""Enter games of old paper: a table is pasted, read, looked at, and only then kept."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from sheets.access.keys import Access, only_editors
from sheets.groups import entering
from sheets.groups.forms import KeptForm
from sheets.groups.keeping import GroupFull
from sheets.groups.views.access import with_group
from sheets.http.limits import UPLOADS, limited
from sheets.models import Group
from sheets.texts.wrong import NO_FIELD


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
@with_group
@only_editors
def enter(request: HttpRequest, access: Access[Group]) -> HttpResponse:
    """Say what was understood of a table, and keep it if that is right."""
    text = request.POST.get("table", "")
    wrong: dict[str, str] = {}
    read = entering.Understood([], [])
    if request.method == "POST":
        read = entering.read_table(text)
        if not read.games:
            wrong = {"table": _("No game was found in this. The first line has the names.")}
        elif "keep" in request.POST:
            try:
                kept = entering.enter(access, read.games)
            except GroupFull:
                wrong = {NO_FIELD: _("This group has as many games as a group can have.")}
            else:
                there = reverse("group-enter", args=[access.key])
                return redirect(f"{there}?{urlencode(kept._asdict())}")
    told = KeptForm(request.GET)
    context = {
        "access": access,
        "wrong": wrong,
        "table": text,
        "games": read.games,
        "strange": read.strange,
        "twice": read.twice,
        "left": read.left,
        "kept": told.cleaned_data if request.method != "POST" and told.is_valid() else None,
    }
    return render(request, "groups/enter.html", context, status=400 if wrong else 200)

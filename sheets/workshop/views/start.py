"""Views that begin a workshop level: enter a bought sheet, invent a level, or copy one."""

from __future__ import annotations

from itertools import chain, count
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from sheets.access.devices import keep_private_if_known, opened_by, token_of
from sheets.documents.opened import read_any
from sheets.http.inline_picture_csp import allow_data_pictures
from sheets.http.rate_limits import UPLOADS, limited
from sheets.http.uploads import sent_file
from sheets.levels import find_level, shipped_levels
from sheets.names.cleaning import clean_name
from sheets.rules import DocumentError, format_level
from sheets.rules.documents.level import MAX_SIDE
from sheets.text.faults import describe_fault
from sheets.text.form_errors import first_errors
from sheets.text.languages import in_every_language
from sheets.text.photos import REFUSALS
from sheets.workshop import store
from sheets.workshop.draft import new_draft
from sheets.workshop.forms import CopyForm, SizeForm
from sheets.workshop.guide import FEATURES
from sheets.workshop.level_copy import copy_document


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Show the links to the pages that begin a level."""
    return keep_private_if_known(request, render(request, "workshop/start.html"))


@allow_data_pictures
@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def begin_bought(request: HttpRequest) -> HttpResponse:
    """Ask for the size of a bought sheet, then open the guide for entering it."""
    return _begin(request, is_bought=True)


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def begin_invented(request: HttpRequest) -> HttpResponse:
    """Ask for the size of a new sheet, then open the editor."""
    return _begin(request, is_bought=False)


def show_bought_form(request: HttpRequest, *, refusal: str, status: int) -> HttpResponse:
    """Show the page that begins a bought sheet, with the reason why a photo was refused."""
    return _show_size_form(request, SizeForm(), is_bought=True, refusal=refusal, status=status)


def _begin(request: HttpRequest, *, is_bought: bool) -> HttpResponse:
    form = SizeForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        sent = form.cleaned_data
        name = localized_name(sent["name"] or default_name(request, is_bought=is_bought))
        has = sent["sheet_has"] if is_bought else ()
        key = store.create_blank(
            name, sent["columns"], sent["rows"], is_bought=is_bought, sheet_has=has
        )
        if is_bought:
            return redirect("workshop-guide", key=key, step="numbers")
        return redirect("workshop-level", key=key)
    return _show_size_form(request, form, is_bought=is_bought, status=400 if form.is_bound else 200)


def is_default_name(name: str) -> bool:
    """Return whether the name of a bought sheet is a default name, as of `default_name`."""
    default, _space, number = name.rpartition(" ")
    return _("My sheet") in (name, default if number.isdecimal() else name)


def default_name(request: HttpRequest, *, is_bought: bool) -> str:
    """Return the default name of a new level, which no other level of the device has."""
    default = _("My sheet") if is_bought else _("My level")
    taken = store.names([has.key for has in opened_by(token_of(request), "workshop")])
    numbered = (f"{default} {number}" for number in count(2))
    return next(name for name in chain([default], numbered) if name not in taken)


def _show_size_form(
    request: HttpRequest, form: SizeForm, *, is_bought: bool, status: int, refusal: str = ""
) -> HttpResponse:
    ticked = request.POST.getlist("sheet_has")
    context = {
        "form": form,
        "wrong": first_errors(form),
        "refusal": refusal,
        "large": REFUSALS["too-large"],
        "busy": REFUSALS["busy"],
        "is_bought": is_bought,
        "title": _("Enter a pad you own") if is_bought else _("Invent a level"),
        "default_name": default_name(request, is_bought=is_bought),
        "most_side": MAX_SIDE,
        "features": [(name, label, name in ticked) for name, label in FEATURES.items()],
    }
    page = render(request, "workshop/size.html", context, status=status)
    return keep_private_if_known(request, page)


@require_http_methods(["GET", "HEAD", "POST"])
@limited(UPLOADS)
def begin_copy(request: HttpRequest) -> HttpResponse:
    """Create a workshop level from a shipped level, a level file or pasted rows."""
    is_sent = request.method == "POST"
    form = CopyForm(request.POST) if is_sent else CopyForm()
    wrong = first_errors(form)
    if is_sent and form.is_valid():
        try:
            document = _document(request, form.cleaned_data)
        except DocumentError as error:
            wrong = {form.cleaned_data["source"]: describe_fault(error)}
        else:
            return redirect("workshop-level", key=store.create(document))
    context = {
        "form": form,
        "wrong": wrong,
        "levels": shipped_levels().values(),
        "chosen": request.POST.get("level") or request.GET.get("level", ""),
    }
    return render(request, "workshop/copy.html", context, status=400 if is_sent else 200)


def _document(request: HttpRequest, sent: dict[str, Any]) -> dict[str, Any]:
    """Return the draft that a form describes. Raises DocumentError."""
    if sent["source"] == "rows":
        draft = new_draft(localized_name(_("My level")), store.new_id(), 1, 1)
        return draft | {"grid": sent["rows"]}
    if sent["source"] == "file":
        return dict(format_level(read_any(sent_file(request, "file")).level))
    return copy_document(find_level(sent["level"]))


def localized_name(text: str) -> dict[str, str]:
    """Return a user's name for a level, the same in every language; empty for a blank one."""
    plain = clean_name(text)
    return in_every_language(plain) if plain else {}

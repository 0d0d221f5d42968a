"""Workbench of a level: the whole editor, or one step of the guide."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access.devices import noted
from sheets.access.keys import Access, note_visit, only_editors
from sheets.http import render_tasks, rendering
from sheets.http.json_body import takes_json
from sheets.http.posted import posted_or_to
from sheets.http.rate_limits import READS, SAVES, limited
from sheets.models import EmptySheet, WorkshopLevel
from sheets.prints.pages import drawn_page
from sheets.prints.request import Refusal
from sheets.rules import DocumentError, format_level
from sheets.rules.documents.level import MAX_SIDE
from sheets.rules.level import MOST_PLAYERS, RATINGS
from sheets.simulation.balance import jobs
from sheets.simulation.balance.report import plays_alike
from sheets.simulation.balance.trial import Trial, reported_trial
from sheets.simulation.balance.words import describe_trial
from sheets.texts.languages import own_first
from sheets.workshop import empty_sheets, store
from sheets.workshop.acts import read_batch
from sheets.workshop.checks import find_checks, find_errors, find_unsaid
from sheets.workshop.comparing import Thing, find_things
from sheets.workshop.draft import ORDER, Document, Draft, in_language_or_blank, visible_level
from sheets.workshop.guide import FEATURES, PHOTO, STEPS, features_of, is_needed, steps_by_tool
from sheets.workshop.history import OthersContinued, find_turnable
from sheets.workshop.history_words import describe_others, describe_turned
from sheets.workshop.views.access import with_level
from sheets.workshop.views.start import is_usual_name
from sheets.workshop.views.use import show, uses_of, wanted_print
from sheets.workshop.words import TOOLS, editor_words, refusal_sentence

SCRIPTS: Final[Mapping[str, tuple[str, ...]]] = {
    "numbers": ("numbers",),
    "gather": ("gather",),
    "fields": ("symbols", "volcano", "crosses", "pairs"),
    "lines": ("lines", "areas"),
    "rows": ("grid", "shifts"),
    "forms": ("points", "counts"),
    "names": ("names",),
    "features": ("features",),
    "compare": ("check",),
}
"""Tools of each script of the workbench; a step loads only the scripts that it needs."""

LINES_ROOM, ARROW_ROOM, EDGE_ROOM = 0.6, 0.5, 0.04
"""Space that ``bench.js`` leaves at the right and the bottom of a sheet, in fields: for arrows that
are being made, for arrows, for none."""


@require_safe
@with_level
@noted("workshop")
def page(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Show the editor, or the level itself if the link is read-only.

    While a bought sheet is unfinished, redirect to the step of the guide that was opened last,
    unless the editor is requested (``?whole``).
    """
    note_visit(access.thing)
    if not access.can_edit:
        return show(request, access)
    step = access.thing.guide_step
    is_left_off = step in STEPS and (step != "done" or any(find_errors(access.thing.document)))
    if access.thing.is_bought and is_left_off and "whole" not in request.GET:
        return redirect("workshop-guide", key=access.key, step=step)
    context = _context(access, *TOOLS, empty=empty_sheets.find(access.thing))
    first, *later = context["scripts"]
    has_photo = context["empty"] is not None
    context |= {"tools": TOOLS, "scripts": [first], "later": later, "has_photo": has_photo}
    return render(request, "workshop/editor.html", context)


@require_safe
@with_level
@only_editors
@noted("workshop")
def guide(request: HttpRequest, access: Access[WorkshopLevel], step: str) -> HttpResponse:
    """Show one step of the guide; each has its own address, so that the user can return to it."""
    if step not in STEPS:
        raise Http404
    empty = empty_sheets.find(access.thing)
    if STEPS[step].needs == PHOTO and not empty:
        return redirect("workshop-guide", key=access.key, step="symbols")
    note_visit(access.thing)
    store.note_step(access, step)
    has = {*access.thing.sheet_has, *features_of(access.thing.document)}
    has |= {PHOTO} if empty else set()
    # The requested step counts as needed: the user has something to do there.
    names = [name for name, one in STEPS.items() if name == step or is_needed(one, has)]
    at = names.index(step)
    reached = _reached(names, step, is_mending="mend" in request.GET)
    ways = _ways_on(access, steps_by_tool(names, has), step, reached)
    context = _context(access, *STEPS[step].tools, reached=reached, empty=empty, ways=ways)
    checks = context["state"]["checks"]
    is_bare = step == "arrows" and _is_bare(context["empty"], access.thing.document)
    at_next = names.index("areas") + 1 if is_bare else at + 1
    context |= {
        "step": STEPS[step],
        "step_name": step,
        "has_photo": step != "done",
        "may_turn": step == "size" and empty is not None and not access.thing.revision,
        "reached": reached,
        "is_finished": not any(check["isError"] for check in checks),
        "has_advice": bool(checks),
        "number": at + 1,
        "count": len(names),
        "steps": [(name, one, name in names) for name, one in STEPS.items()],
        "features": [(name, label, name in has) for name, label in FEATURES.items()],
        "is_new": not access.thing.revision,
        "is_mending": "mend" in request.GET,
        "mended": _mended(access, request.GET.get("mend", "")),
        "back": names[at - 1] if at else "",
        "next": names[at_next] if at_next < len(names) else "",
        "is_bare": is_bare,
        "is_unnamed": is_usual_name(in_language_or_blank(access.thing.document.get("name", {}))),
    }
    return render(request, "workshop/guide.html", context)


def _is_bare(empty: Mapping[str, Any] | None, document: Document) -> bool:
    """Return whether a photo shows neither arrows nor areas, and none have been entered."""
    if empty is None:
        return False
    return not (empty["areas"] or empty["arrows"] or {"lines", "areas"} & document.keys())


def _reached(names: list[str], step: str, *, is_mending: bool) -> list[str]:
    """Return the tools of the steps up to this one: only their checks are shown.

    Empty from the comparison on, and on corrections from there: then all checks are shown.
    """
    if is_mending or step in ("check", "done"):
        return []
    before = names[: names.index(step) + 1]
    return sorted({tool for name in before for tool in STEPS[name].tools})


def _ways_on(
    access: Access[WorkshopLevel], steps: Mapping[str, str], here: str, reached: Collection[str]
) -> dict[str, dict[str, str]]:
    """Return address and title of the step of each tool that checks name and this step lacks.

    ``reached`` is the result of `_reached`; if it is empty, the other step leads back (``?mend``).
    """
    back = "" if reached else "?mend"
    return {
        tool: {
            "url": reverse("workshop-guide", args=(access.key, name)) + back,
            "title": str(STEPS[name].title),
        }
        for tool, name in steps.items()
        if tool not in STEPS[here].tools and (not reached or tool in reached)
    }


def _mended(access: Access[WorkshopLevel], key: str) -> Thing | None:
    """Return the thing to correct from the comparison; None without one, or if it is gone."""
    if not key:
        return None
    return next((thing for thing in find_things(access.thing.document) if thing.key == key), None)


@posted_or_to("workshop-level")
@limited(SAVES)
@takes_json
@with_level
@only_editors
def acts(request: HttpRequest, access: Access[WorkshopLevel], body: bytes) -> HttpResponse:
    """Apply the acts of a page and return the state of the level, with messages about them.

    After a 400 for several acts the page sends them one by one.
    """
    try:
        batch = read_batch(body)
    except ValueError:
        return HttpResponseBadRequest("malformed acts")
    try:
        outcome = store.act(access, batch.acts)
    except store.BatchTooLarge:
        return HttpResponseBadRequest("too many acts at once for so large a level")
    answer = _state(access._replace(thing=outcome.level), "things" in request.GET)
    if outcome.turned:
        answer["told"] = describe_turned(outcome.turned[-1])
    match outcome.refusals:
        case [OthersContinued(latest=latest), *_]:
            answer["told"] = describe_others(latest)
        case [refused, *_]:
            answer["refusal"] = refusal_sentence(refused.reason)
    return JsonResponse(answer, status=409 if outcome.refusals else 200)


@require_safe
@with_level
@only_editors
def state(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Return the state of the level; empty (204) if the page knows its revision."""
    if request.GET.get("revision") == str(access.thing.revision):
        return HttpResponse(status=204)
    return JsonResponse(_state(access, "things" in request.GET))


@require_safe
@with_level
@only_editors
def trial(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Return how bots play the level: from its report, or from a few games played now.

    Empty (204) if the level cannot be played, or is a bought sheet, which nobody can change.
    """
    try:
        level = store.level_of(access)
    except DocumentError:
        return HttpResponse(status=204)
    if access.thing.is_bought:
        return HttpResponse(status=204)
    made = jobs.finished(access.thing)
    if made and made.report and plays_alike(made.document, format_level(level)):
        return _told(access, reported_trial(made.report))
    return rendering.page(
        request,
        ("trial", rendering.content_of(level)),
        lambda: partial(render_tasks.trial, level),
        lambda tried: _told(access, tried),
        has_words=False,
    )


def _told(access: Access[WorkshopLevel], tried: Trial | None) -> HttpResponse:
    if tried is None:
        return HttpResponse(status=204)
    said = {"sentence": describe_trial(tried), "isFar": tried.is_far}
    return JsonResponse(said | {"revision": access.thing.revision})


@require_safe
@limited(READS, "GET")
@with_level
def phone_sheet(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Return the sheet as a phone shows it, a fragment of the page."""
    level = visible_level(access.thing.document)
    return render(request, "workshop/_phone.html", {"level": level})


@require_safe
@with_level
def printed_page(request: HttpRequest, access: Access[WorkshopLevel], number: int) -> HttpResponse:
    """Return a page as it will be printed, as SVG; also of an unfinished level."""
    level = visible_level(access.thing.document)
    if not level:
        raise Http404
    try:
        wanted = wanted_print(request, level)
    except Refusal as refusal:
        raise Http404 from refusal
    return drawn_page(request, wanted, number)


def _script(name: str) -> str:
    return f"sheets/workshop/{name}.js"


def _context(
    access: Access[WorkshopLevel],
    *tools: str,
    reached: Collection[str] = (),
    empty: EmptySheet | None = None,
    ways: Mapping[str, Mapping[str, str]] = {},
) -> dict[str, Any]:
    state = _state(access, "check" in tools)
    return {
        "shown_tools": [f"workshop/tools/{tool}.html" for tool in tools],
        "access": access,
        **uses_of(access),
        "empty": empty_sheets.shown(empty) if empty else None,
        "state": state,
        "ways_on": ways,
        "first_checks": _first_checks(state["checks"], reached, ways),
        "is_more_later": any(check["isError"] for check in state["checks"]),
        "drawn": _drawn(access.thing.document, tools),
        "has_things": "check" in tools,
        "scripts": [
            _script(name)
            for name, its_tools in SCRIPTS.items()
            if not set(its_tools).isdisjoint(tools)
        ],
        "words": editor_words(tools, has_photo=empty is not None),
        "own_languages": own_first(),
        "most_side": MAX_SIDE,
        "player_counts": range(1, MOST_PLAYERS + 1),
        "grades": range(1, len(RATINGS) + 1),
        "name": in_language_or_blank(access.thing.document.get("name", {})),
    }


def _first_checks(
    checks: list[dict[str, Any]],
    reached: Collection[str],
    ways: Mapping[str, Mapping[str, str]],
) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """Return the checks on the page before its script runs, by kind: title, class, checks."""
    said = [
        one | {"way": ways.get(one["tool"])}
        for one in checks
        if not reached or not one["tool"] or one["tool"] in reached
    ]
    kinds = ((_("To fix first"), "errors", True), (_("Worth a look"), "advice", False))
    found = [
        (title, kind, [c for c in said if c["isError"] == is_so]) for title, kind, is_so in kinds
    ]
    return [one for one in found if one[2]]


def _drawn(document: Document, tools: Collection[str]) -> dict[str, str]:
    """Return the size of the script's drawing: its maximum width in pixels, and its view box."""
    draft = Draft(document)
    shifts = [0, *draft.parts.get("shifts", ())]
    has_arrows = any("fields" not in line for line in draft.parts.get("lines", ()))
    room = LINES_ROOM if list(tools) == ["lines"] else ARROW_ROOM if has_arrows else EDGE_ROOM
    width = draft.columns + max(shifts) - min(shifts) + room
    height = draft.rows + room
    box = f"-4 -4 {round(width * 100 + 8)} {round(height * 100 + 8)}"
    return {"width": str(round(width * 64)), "box": box}


def _mend_url(access: Access[WorkshopLevel], thing: Thing) -> str:
    return reverse("workshop-guide", args=(access.key, thing.step)) + f"?mend={thing.key}"


def _state(access: Access[WorkshopLevel], has_things: bool) -> dict[str, Any]:
    """Return the state of a level for its page, with the things to compare if it shows them."""
    document = access.thing.document
    turnable = find_turnable(access.thing)
    gathering = empty_sheets.gathering(access.thing)
    checks = find_checks(document, is_bought=access.thing.is_bought)
    if gathering:
        checks += find_unsaid(gathering.unsaid)
    state: dict[str, Any] = {
        "revision": access.thing.revision,
        "document": {key: document[key] for key in ORDER if key in document},
        "hasUndo": turnable.has_undo,
        "hasRedo": turnable.has_redo,
        "checks": [
            {
                "isError": check.is_error,
                "sentence": check.sentence,
                "fields": check.fields,
                "tool": check.tool,
            }
            for check in checks
        ],
    }
    if gathering:
        state |= {"moved": gathering.moved, "compared": access.thing.compared}
    if has_things:
        state["things"] = [
            thing._asdict() | {"group": thing.group, "mendUrl": _mend_url(access, thing)}
            for thing in find_things(document)
        ]
        state["compared"] = access.thing.compared
    return state

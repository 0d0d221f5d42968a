"""The workbench of a level: the whole editor, or one step of the guided way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from sheets import workshop
from sheets.limits import LOOKS, limited
from sheets.print_request import Refusal
from sheets.printing.booklet import draw_booklet, sheet_address
from sheets.printing.svg import draw_svg
from sheets.rules import Level
from sheets.views.workshop_door import only_editors, with_level
from sheets.views.workshop_use import show, wanted_print
from sheets.words import in_language
from sheets.workshop import Door
from sheets.workshop_acts import read_batch
from sheets.workshop_checks import find_checks, find_errors
from sheets.workshop_draft import ORDER, visible_level
from sheets.workshop_words import STEPS, TOOLS, editor_words, refusal_sentence


@require_safe
@with_level
def page(request: HttpRequest, door: Door) -> HttpResponse:
    """The editor, or for who may only look the level itself.

    Who has not yet copied the whole of a sheet they own goes on where they were, unless they ask
    for the editor (``?whole``).
    """
    workshop.note_visit(door)
    if not door.can_edit:
        return show(request, door)
    step = door.level.guide_step
    if door.level.is_bought and step in STEPS and step != "done" and "whole" not in request.GET:
        return redirect("workshop-guide", key=door.key, step=step)
    return render(request, "workshop/editor.html", _context(door, *TOOLS) | {"tools": TOOLS})


@require_safe
@with_level
def guide(request: HttpRequest, door: Door, step: str) -> HttpResponse:
    """One step of entering a sheet; each has its own address to come back to."""
    only_editors(door)
    names = list(STEPS)
    if step not in STEPS:
        raise Http404
    workshop.note_visit(door)
    workshop.note_step(door, step)
    at = names.index(step)
    context = _context(door, *STEPS[step].tools) | {
        "step": STEPS[step],
        "step_name": step,
        "is_finished": not any(find_errors(door.level.document)),
        "number": at + 1,
        "count": len(names),
        "steps": STEPS.items(),
        "back": names[at - 1] if at else "",
        "next": names[at + 1] if at + 1 < len(names) else "",
    }
    return render(request, "workshop/guide.html", context)


@require_POST
@with_level
def acts(request: HttpRequest, door: Door) -> HttpResponse:
    """Carry out what a page did, in its order, and say how the level stands now."""
    only_editors(door)
    try:
        batch = read_batch(request.body)
    except ValueError:
        return HttpResponseBadRequest("malformed acts")
    level, refusals = workshop.act(door, batch.acts)
    answer = _state(Door(level, door.key, True))
    if refusals:
        answer["refusal"] = refusal_sentence(refusals[0].reason)
    return JsonResponse(answer, status=409 if refusals else 200)


@require_safe
@with_level
def state(request: HttpRequest, door: Door) -> HttpResponse:
    """The level as it is, if it has changed since the revision the page knows."""
    only_editors(door)
    if request.GET.get("revision") == str(door.level.revision):
        return HttpResponse(status=204)
    return JsonResponse(_state(door))


@require_safe
@limited(LOOKS, "GET")
@with_level
def phone_sheet(request: HttpRequest, door: Door) -> HttpResponse:
    """The sheet as a phone shows it, to be put into the page."""
    level = visible_level(door.level.document)
    return render(request, "workshop/_phone.html", {"level": level})


@require_safe
@limited(LOOKS, "GET")
@with_level
def printed_page(request: HttpRequest, door: Door) -> HttpResponse:
    """The first page as it will be printed, as a drawing."""
    level = _visible_or_404(door)
    try:
        wanted = wanted_print(request, level)
    except Refusal as refusal:
        raise Http404 from refusal
    options = replace(wanted.options, copies=1)
    drawn = next(draw_booklet([level], options, address=sheet_address(settings.SITE_URL)))
    return HttpResponse(draw_svg(drawn, in_language(level.name)), content_type="image/svg+xml")


def _visible_or_404(door: Door) -> Level:
    level = visible_level(door.level.document)
    if not level:
        raise Http404
    return level


def _context(door: Door, *tools: str) -> dict[str, Any]:
    return {
        "shown_tools": [f"workshop/tools/{tool}.html" for tool in tools],
        "door": door,
        "state": _state(door),
        "words": editor_words(),
        "name": in_language_or_blank(door.level.document.get("name", {})),
    }


def in_language_or_blank(name: str | dict[str, str]) -> str:
    """A draft's name, which may be a text, texts by language, or missing."""
    return name if isinstance(name, str) else in_language(name)


def _state(door: Door) -> dict[str, Any]:
    document = door.level.document
    return {
        "revision": door.level.revision,
        "document": {key: document[key] for key in ORDER if key in document},
        "canUndo": door.level.position > 0,
        "canRedo": workshop.can_redo(door.level),
        "checks": [
            {
                "isError": check.is_error,
                "sentence": check.sentence,
                "fields": check.fields,
                "tool": check.tool,
            }
            for check in find_checks(document)
        ],
    }

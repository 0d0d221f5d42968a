"""Pages that edit a level: the whole editor, and the steps of the guide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.access.devices import noted
from sheets.access.keys import Access, note_visit, only_editors, unless_current
from sheets.http import render_tasks, rendering
from sheets.http.json_body import takes_json
from sheets.http.post_redirect import posted_or_to
from sheets.http.rate_limits import READS, SAVES, limited
from sheets.models import EmptySheet, WorkshopLevel
from sheets.printing.web.pages import preview_page
from sheets.printing.web.request import PrintRefused
from sheets.rules import DocumentError, format_level
from sheets.rules.documents.level import MAX_SIDE
from sheets.rules.level import MAX_PLAYERS, RATINGS
from sheets.simulation.balance import jobs
from sheets.simulation.balance.report import plays_alike
from sheets.simulation.balance.sentences import describe_trial
from sheets.simulation.balance.trial import Trial, reported_trial
from sheets.text.languages import languages_active_first
from sheets.workshop import empty_sheets, store
from sheets.workshop.acts import read_batch
from sheets.workshop.checks import Check, find_checks, find_errors, find_missing_kinds
from sheets.workshop.draft import ORDER, Document, Draft, in_language_or_blank, visible_level
from sheets.workshop.guide import FEATURES, NO_GOALS, PHOTO, STEPS, needed_steps, steps_by_tool
from sheets.workshop.history import ChangedElsewhere, find_undo_state
from sheets.workshop.history_sentences import describe_change_elsewhere, describe_undo
from sheets.workshop.paper_checklist import ChecklistItem, find_checklist_items
from sheets.workshop.sentences import TOOLS, editor_words, refusal_sentence
from sheets.workshop.views.access import with_level
from sheets.workshop.views.start import is_default_name
from sheets.workshop.views.uses import show, uses_of, wanted_print

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
"""Tools that each script implements; a page loads only the scripts that its tools need."""

LINES_ROOM, ARROW_ROOM, EDGE_ROOM = 0.6, 0.5, 0.04
"""Space that ``bench.js`` leaves at the right and the bottom of a sheet, in fields: with the tool
for arrows, else on a sheet with arrows, and on a sheet without arrows."""


@require_safe
@with_level
@noted("workshop")
def page(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Show the editor, or the level itself if the link is read-only.

    While a bought sheet is unfinished, redirect to the step of the guide that was opened last,
    unless the editor is requested (``?whole``).
    """
    note_visit(access.resource)
    if not access.can_edit:
        return show(request, access)
    step = access.resource.guide_step
    is_left_off = step in STEPS and (step != "done" or any(find_errors(access.resource.document)))
    if access.resource.is_bought and is_left_off and "whole" not in request.GET:
        return redirect("workshop-guide", key=access.key, step=step)
    checks = _checks(access)
    context = _context(access, checks, *TOOLS, empty=empty_sheets.find(access.resource))
    first, *later = context["scripts"]
    has_photo = context["empty"] is not None
    context |= {"tools": TOOLS, "scripts": [first], "later": later, "has_photo": has_photo}
    context["missing"] = _missing(request, checks, TOOLS)
    return render(request, "workshop/editor.html", context)


@require_safe
@with_level
@only_editors
@noted("workshop")
def guide(request: HttpRequest, access: Access[WorkshopLevel], step: str) -> HttpResponse:
    """Show one step of the guide; each step has its own URL, so that the user can go back."""
    if step not in STEPS:
        raise Http404
    empty = empty_sheets.find(access.resource)
    if STEPS[step].needs == PHOTO and not empty:
        return redirect("workshop-guide", key=access.key, step="symbols")
    if step in ("crosses", "tracks"):  # their tool prints what the level's players draw
        printed = "tracks" if Draft(access.resource.document).is_rails else "crosses"
        if step != printed:
            return redirect("workshop-guide", key=access.key, step=printed)
    note_visit(access.resource)
    store.note_step(access, step)
    place = _find_place(request, access, step)
    has, names, comes_back = place.has, place.names, place.comes_back
    at = names.index(step)
    checks = _checks(access)
    context = _context(access, checks, *STEPS[step].tools, place=place, empty=empty)
    context |= {
        "step": STEPS[step],
        "step_name": step,
        "has_photo": step != "done",
        "may_turn": step == "size" and empty is not None and not access.resource.revision,
        "is_finished": not any(check.is_error for check in checks),
        "has_checks": bool(checks),
        "missing": _missing(request, checks, STEPS[step].tools),
        "number": at + 1,
        "count": len(names),
        "steps": [(name, one, name in names, one.is_left_out(has)) for name, one in STEPS.items()],
        "features": [(name, label, name in has) for name, label in FEATURES.items()],
        "is_new": not access.resource.revision,
        "comes_back": comes_back,
        "mended": _item_to_correct(access, request.GET.get("mend", "")),
        "back": names[at - 1] if at else "",
        "next": names[at + 1] if at + 1 < len(names) else "",
        "is_bare": step == "arrows" and NO_GOALS in has,
        "is_unnamed": is_default_name(
            in_language_or_blank(access.resource.document.get("name", {}))
        ),
    }
    return render(request, "workshop/guide.html", context)


def _missing(request: HttpRequest, checks: Iterable[Check], tools: Collection[str]) -> str:
    """Return the sentence of the first error that the tools fix, for a page that was opened to fix
    it (``?missing``); else empty.
    """
    if "missing" not in request.GET:
        return ""
    errors = (check for check in checks if check.is_error and check.tool in tools)
    return next((check.sentence for check in errors), "")


class _Place(NamedTuple):
    """The place in the guide of the page that is open; in the editor, all is empty.

    ``comes_back`` is ``mend`` or ``missing`` if the step was opened to fix something. ``has`` are
    the features of the sheet, ``names`` the steps that it needs.
    """

    step: str = ""
    comes_back: str = ""
    has: Collection[str] = ()
    names: Sequence[str] = ()

    @property
    def reached(self) -> Collection[str]:
        """Tools of the steps up to this one; the page shows only checks for these tools.

        Empty if all checks are shown: from the comparison with the paper on, and for a step that
        was opened from there.
        """
        if self.comes_back or self.step in ("", "check", "done"):
            return ()
        before = self.names[: self.names.index(self.step) + 1]
        return {tool for name in before for tool in STEPS[name].tools}

    @property
    def has_things(self) -> bool:
        """Whether the page shows the checklist of everything but the squares."""
        return self.step == "check"

    @property
    def query(self) -> str:
        """Query of the addresses from which the page's script gets the state."""
        query = f"step={self.step}&" if self.step else ""
        return query + (f"{self.comes_back}&" if self.comes_back else "")


WHOLE_EDITOR: Final = _Place()


def _find_place(request: HttpRequest, access: Access[WorkshopLevel], step: str) -> _Place:
    """Return the place of a step, which counts as needed: the user has something to do there."""
    if step not in STEPS:
        return WHOLE_EDITOR
    comes_back = next((one for one in ("mend", "missing") if one in request.GET), "")
    empty = empty_sheets.find(access.resource)
    has = empty_sheets.features_with_photo(access.resource, empty)
    return _Place(step, comes_back, has, needed_steps(has, step))


def _step_links(access: Access[WorkshopLevel], place: _Place) -> dict[str, dict[str, str]]:
    """Return URL and title of a step for each tool that is not on the page, for links in checks.

    If all checks are shown, the linked step leads back: to the comparison (``?mend``) or to the
    last step (``?missing``).
    """
    if not place.step:
        return {}
    here, reached = place.step, place.reached
    back = "" if reached else "?mend" if here == "check" else "?missing"
    return {
        tool: {
            "url": reverse("workshop-guide", args=(access.key, name)) + back,
            "title": str(STEPS[name].title),
        }
        for tool, name in steps_by_tool(place.names, place.has).items()
        if tool not in STEPS[here].tools and (not reached or tool in reached)
    }


def _item_to_correct(access: Access[WorkshopLevel], key: str) -> ChecklistItem | None:
    """Return the checklist item to correct, by its key; None if there is no such item."""
    if not key:
        return None
    return next(
        (thing for thing in find_checklist_items(access.resource.document) if thing.key == key),
        None,
    )


@posted_or_to("workshop-level")
@limited(SAVES)
@takes_json
@with_level
@only_editors
def acts(request: HttpRequest, access: Access[WorkshopLevel], body: bytes) -> HttpResponse:
    """Apply the acts of a page and return the state of the level, with messages about the acts.

    If several acts result in a 400, the page sends them again one by one.
    """
    try:
        batch = read_batch(body)
    except ValueError:
        return HttpResponseBadRequest("malformed acts")
    try:
        outcome = store.act(access, batch.acts)
    except store.BatchTooLarge:
        return HttpResponseBadRequest("too many acts at once for so large a level")
    access = access._replace(resource=outcome.level)
    answer = _state_for(request, access)
    if outcome.undo_results:
        answer["told"] = describe_undo(outcome.undo_results[-1])
    match outcome.refusals:
        case [ChangedElsewhere(latest=latest), *_]:
            answer["told"] = describe_change_elsewhere(latest)
        case [refused, *_]:
            answer["refusal"] = refusal_sentence(refused.reason)
    return JsonResponse(answer, status=409 if outcome.refusals else 200)


@require_safe
@with_level
@only_editors
@unless_current
def state(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Return the state of the level."""
    return JsonResponse(_state_for(request, access))


@require_safe
@with_level
@only_editors
def trial(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Return a summary of bot games on the level, from its report or from a few games played now.

    If the level is far out of the usual range, the answer also has the list of checks with it.
    Empty (204) if the level cannot be played, or is a bought sheet, which nobody can change.
    """
    try:
        level = store.level_of(access)
    except DocumentError:
        return HttpResponse(status=204)
    if access.resource.is_bought:
        return HttpResponse(status=204)
    made = jobs.finished_report(access.resource)
    if made and made.report and plays_alike(made.document, format_level(level)):
        return _trial_response(access, reported_trial(made.report))
    return rendering.page_response(
        request,
        ("trial", rendering.level_cache_key(level)),
        lambda: partial(render_tasks.trial, level),
        lambda tried: _trial_response(access, tried),
        has_words=False,
    )


def _trial_response(access: Access[WorkshopLevel], tried: Trial | None) -> HttpResponse:
    if tried is None:
        return HttpResponse(status=204)
    sentence = describe_trial(tried)
    said: dict[str, Any] = {"revision": access.resource.revision, "sentence": sentence}
    if tried.is_far:
        checks = [*_checks(access), Check(False, sentence)]
        said["checks"] = _list_checks(access, checks, WHOLE_EDITOR)
    return JsonResponse(said)


@require_safe
@limited(READS, "GET")
@with_level
def phone_sheet(request: HttpRequest, access: Access[WorkshopLevel]) -> HttpResponse:
    """Return the preview of the sheet on a phone, as a fragment."""
    level = visible_level(access.resource.document)
    return render(request, "workshop/_phone_preview.html", {"level": level})


@require_safe
@with_level
def printed_page(request: HttpRequest, access: Access[WorkshopLevel], number: int) -> HttpResponse:
    """Return a page of the printed level as SVG; the level may be unfinished."""
    level = visible_level(access.resource.document)
    if not level:
        raise Http404
    try:
        wanted = wanted_print(request, level)
    except PrintRefused as refusal:
        raise Http404 from refusal
    return preview_page(request, wanted, number)


def _script(name: str) -> str:
    return f"sheets/workshop/{name}.js"


def _context(
    access: Access[WorkshopLevel],
    checks: Collection[Check],
    *tools: str,
    place: _Place = WHOLE_EDITOR,
    empty: EmptySheet | None = None,
) -> dict[str, Any]:
    state = _state(access, checks, place)
    return {
        "shown_tools": [f"workshop/tools/{tool}.html" for tool in tools],
        "access": access,
        **uses_of(access),
        "empty": empty_sheets.reading_for_page(empty) if empty else None,
        # The lists are in the page already.
        "checks": state.pop("checks"),
        "things": state.pop("things", None),
        "state": state,
        "query": place.query,
        "drawn": _drawings(access.resource.document, tools),
        "has_things": place.has_things,
        "scripts": [
            _script(name)
            for name, its_tools in SCRIPTS.items()
            if not set(its_tools).isdisjoint(tools)
        ],
        "words": editor_words(tools, has_photo=empty is not None),
        "own_languages": languages_active_first(),
        "most_side": MAX_SIDE,
        "player_counts": range(1, MAX_PLAYERS + 1),
        "grades": range(1, len(RATINGS) + 1),
        "name": in_language_or_blank(access.resource.document.get("name", {})),
    }


def _checks(access: Access[WorkshopLevel]) -> list[Check]:
    """Return the checks of the level, and of the photo from which it is entered."""
    gathering = empty_sheets.find_gathering(access.resource)
    checks = find_checks(access.resource.document, is_bought=access.resource.is_bought)
    return checks + (find_missing_kinds(gathering.missing_kinds) if gathering else [])


def _list_checks(access: Access[WorkshopLevel], checks: Iterable[Check], place: _Place) -> str:
    """Return the list of checks that a page shows, as HTML: errors, then warnings."""
    ways, reached = _step_links(access, place), place.reached
    shown = [
        (check, ways.get(check.tool))
        for check in checks
        if not reached or not check.tool or check.tool in reached
    ]
    kinds = ((_("To fix first"), "errors", True), (_("Worth a look"), "advice", False))
    groups = [
        (title, kind, some)
        for title, kind, is_error in kinds
        if (some := [one for one in shown if one[0].is_error == is_error])
    ]
    is_more_later = any(check.is_error for check in checks)
    context = {"groups": groups, "reached": reached, "is_more_later": is_more_later}
    return render_to_string("workshop/_checks.html", context)


def _drawings(document: Document, tools: Collection[str]) -> dict[str, str]:
    """Return the maximum width in pixels and the view box of the drawing that the script makes.

    The page reserves this space, so that it does not move when the script starts.
    """
    draft = Draft(document)
    shifts = [0, *draft.parts.get("shifts", ())]
    has_arrows = any("fields" not in line for line in draft.parts.get("lines", ()))
    room = LINES_ROOM if list(tools) == ["lines"] else ARROW_ROOM if has_arrows else EDGE_ROOM
    width = draft.columns + max(shifts) - min(shifts) + room
    height = draft.rows + room
    box = f"-4 -4 {round(width * 100 + 8)} {round(height * 100 + 8)}"
    return {"width": str(round(width * 64)), "box": box}


def _correction_url(access: Access[WorkshopLevel], thing: ChecklistItem) -> str:
    return reverse("workshop-guide", args=(access.key, thing.step)) + f"?mend={thing.key}"


def _state_for(request: HttpRequest, access: Access[WorkshopLevel]) -> dict[str, Any]:
    """Return the state of a level for the page whose script asks, which names its ``?step=``."""
    place = _find_place(request, access, request.GET.get("step", ""))
    return _state(access, _checks(access), place)


def _state(
    access: Access[WorkshopLevel], checks: Collection[Check], place: _Place
) -> dict[str, Any]:
    """Return the state of a level for the page at this place."""
    document = access.resource.document
    undo_state = find_undo_state(access.resource)
    gathering = empty_sheets.find_gathering(access.resource)
    state: dict[str, Any] = {
        "revision": access.resource.revision,
        "document": {key: document[key] for key in ORDER if key in document},
        "hasUndo": undo_state.has_undo,
        "hasRedo": undo_state.has_redo,
        "checks": _list_checks(access, checks, place),
    }
    if gathering:
        state["moved"] = gathering.moved
    if place.has_things:
        things = [
            thing._asdict() | {"group": thing.group, "mend_url": _correction_url(access, thing)}
            for thing in find_checklist_items(document)
        ]
        state["things"] = render_to_string("workshop/_things.html", {"things": things})
    if gathering or place.has_things:
        state["compared"] = access.resource.compared
    return state

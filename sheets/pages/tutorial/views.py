"""Pages of the tutorial: its start page, and one page for each step.

The buttons of a step send a GET form, because a tap changes nothing on the server but the cookie
with the progress. The page also has the answers to all taps, for its script.
"""

from __future__ import annotations

import re
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from sheets.pages.tutorial.positions import OPPONENT, OPPONENT_NAME, OWN, tutorial_level
from sheets.pages.tutorial.progress import progress_of, set_progress
from sheets.pages.tutorial.steps import (
    SCORE_STEP,
    STEPS,
    Answer,
    acts_to_choose,
    answer_to,
    asked_die,
    done_sentence,
    meanwhile_sentence,
    offered_taps,
    pass_end,
    paying_fields,
    point_choices,
    position,
    prices,
    right_tap,
    score_rows,
    task_sentence,
    title_of,
)
from sheets.rules.marks import marks_of
from sheets.tables.taps import STRONG

TAPS: Final = {"at": "[a-z][1-9][0-9]?", "do": "reroll|drop", "points": "[1-9]?[0-9]"}
"""Pattern of the value of each parameter: a field, an act, or a total."""


@require_safe
def tutorial(request: HttpRequest) -> HttpResponse:
    """Show the steps, and where the device goes on."""
    titles = [(number, step.title) for number, step in enumerate(STEPS, start=1)]
    context = {"progress": progress_of(request), "titles": titles}
    return render(request, "tutorial/tutorial.html", context)


@require_safe
def step(request: HttpRequest, number: int) -> HttpResponse:
    """Show a step, or the answer to a tap: a parameter ``at``, ``do`` or ``points``."""
    if not 1 <= number <= SCORE_STEP:
        raise Http404
    try:
        tap = _read_tap(request, number)
    except ValueError:
        sentence = _("This was no button of the page: tap a field or a button.")
        return _step_page(request, number, Answer(is_refused=True, sentence=sentence), 400)
    answer = answer_to(number, *tap) if tap else Answer()
    response = _step_page(request, number, answer, 422 if answer.is_refused else 200)
    if answer.is_done:
        # A step that somebody repeats takes no later one back.
        set_progress(response, max(number, progress_of(request).done))
    return response


def _read_tap(request: HttpRequest, number: int) -> tuple[str, str] | None:
    """Return the parameter of the tapped button and its value; None without a tap.

    The value may be a field that the sheet does not have: the rules refuse it.

    Raises:
        ValueError: no button can have this value.
    """
    for name in ("points",) if number == SCORE_STEP else ("at", "do"):
        if name in request.GET:
            if not re.fullmatch(TAPS[name], request.GET[name]):
                raise ValueError(name)
            return name, request.GET[name]
    return None


def _step_page(request: HttpRequest, number: int, answer: Answer, status: int) -> HttpResponse:
    context: dict[str, Any] = {
        "number": number,
        "step_count": len(STEPS),
        "title": title_of(number),
        "task": task_sentence(number),
        "level": tutorial_level(),
        "refusal": answer.sentence if answer.is_refused else "",
        "shown": _shown(number, answer),
    }
    if not answer.is_done:
        context["answers"] = _answers(number)
    return render(request, "tutorial/step.html", context, status=status)


def _shown(number: int, answer: Answer) -> dict[str, Any]:
    """Return the context of the part of a step that a tap changes."""
    game = position(number, is_done=answer.is_done)
    name, value = right_tap(number)
    hinted = {value: STRONG} if answer.sentence and name == "at" else {}
    shown: dict[str, Any] = {
        "number": number,
        "is_done": answer.is_done,
        "is_off": answer.is_done or number == SCORE_STEP,
        "sentence": done_sentence(number) if answer.is_done else answer.sentence,
        "level": tutorial_level(),
        "marks": marks_of(game.sheets[OWN]),
        "hinted": hinted,
        "opponent": OPPONENT_NAME,
    }
    if number == SCORE_STEP:
        own, other = (score.total for score in game.scores())
        shown |= {"asks_points": True, "prices": prices(), "choices": point_choices()}
        shown |= {"rows": score_rows(), "own": own, "other": other}
    else:
        shown |= {"pool": game.pool, "meanwhile": meanwhile_sentence(number)}
        shown |= {"acts": acts_to_choose(number)}
    if answer.is_done:
        shown["next"] = number + 1 if number < SCORE_STEP else 0
        shown["lit"] = [value] if name == "at" else []
        shown["paying"] = paying_fields() if number == SCORE_STEP else ()
        if ended := pass_end(number):
            shown |= {"ended": ended, "other_marks": marks_of(game.sheets[OPPONENT])}
    elif number < SCORE_STEP:
        shown["asked"] = game.pool.index(asked_die(number))
    return shown


def _answers(number: int) -> dict[str, Any]:
    """Return the answers to all taps of a step as JSON-compatible values, for the script."""
    name, value = right_tap(number)
    sentences = {
        f"{tapped}={at}": answer.sentence
        for tapped, at in offered_taps(number)
        if not (answer := answer_to(number, tapped, at)).is_done
    }
    done = {"shown": _shown(number, Answer(is_done=True))}
    return {
        "number": number,
        "right": f"{name}={value}",
        "sentences": sentences,
        "done": render_to_string("tutorial/_step.html", done),
    }

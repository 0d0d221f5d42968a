"""Page with the rules of all games."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sheets.art import svg
from sheets.rules.level import RATINGS
from sheets.scoring.sentences import grades_from
from sheets.text.rulebook import DICE2_CHAPTERS, DIZZLE_CHAPTERS
from sheets.text.rulebook.examples import EXAMPLES, example_level

_CHAPTERS = (*DIZZLE_CHAPTERS, *DICE2_CHAPTERS)
"""Chapters of the page, in order."""


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show all rules; the name of a rule is its anchor in the page."""
    context: dict[str, Any] = {
        "chapters": _CHAPTERS,
        "drawings": _drawings(),
        "grades": grades_from(RATINGS),
    }
    return render(request, "rules/rules.html", context)


def _drawings() -> set[str]:
    """Return the ids of all drawings in the chapters and their examples."""
    ids = {chapter.drawing for chapter in _CHAPTERS}
    for name, example in EXAMPLES.items():
        marks = (mark for stack in example.marks.values() for mark in stack)
        ids |= svg.sheet_ids(example_level(name), marks)
    return ids

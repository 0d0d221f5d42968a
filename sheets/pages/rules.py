"""How is the game played, in our own words?"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sheets.texts.rulebook import DICE2_CHAPTERS, DIZZLE_CHAPTERS


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show every rule, each with an anchor of its name."""
    chapters = (*DIZZLE_CHAPTERS, *DICE2_CHAPTERS)
    context = {"chapters": chapters, "drawings": {chapter.drawing for chapter in chapters}}
    return render(request, "rules/rules.html", context)

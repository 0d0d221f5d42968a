"""How is the game played, in our own words?"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sheets.rulebook import CHAPTERS


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show every rule, each with an anchor of its name."""
    context = {"chapters": CHAPTERS, "drawings": {chapter.drawing for chapter in CHAPTERS}}
    return render(request, "rules/rules.html", context)

"""How is the game played, in our own words?"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show every rule with an anchor of its name."""
    return render(request, "rules/rules.html")

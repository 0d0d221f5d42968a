"""How is a pad scored whose layout nobody has entered?"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def tally(request: HttpRequest) -> HttpResponse:
    """Add up what the players counted on their sheets."""
    return render(request, "tally/tally.html")

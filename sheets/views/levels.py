"""Which sheets are there, and what is on each?"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def levels(request: HttpRequest) -> HttpResponse:
    """Show every shipped sheet as a small drawing."""
    return render(request, "levels/gallery.html")

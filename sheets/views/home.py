"""What does the start page show, and what belongs to every page's frame?"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

THEMES = ("auto", "light", "dark")
_YEAR_S = 365 * 24 * 3600


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what one can do here, and what was scored on this device."""
    return render(request, "home.html")


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Remember on this device whether pages are light, dark, or as the device has it."""
    chosen = request.POST.get("theme", "")
    if chosen not in THEMES:
        return HttpResponseBadRequest("malformed theme")
    response = HttpResponseRedirect(_way_back(request))
    if chosen == "auto":
        response.delete_cookie("theme", samesite="Lax")
    else:
        response.set_cookie(
            "theme",
            chosen,
            max_age=_YEAR_S,
            secure=bool(settings.SITE_URL),
            httponly=True,
            samesite="Lax",
        )
    return response


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Tell phones how to keep the site on their home screen."""
    return render(request, "manifest.webmanifest", content_type="application/manifest+json")


def _way_back(request: HttpRequest) -> str:
    """The page the form stands on, if it is one of ours."""
    wanted = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if ours else reverse("home")

"""The site's addresses, and one whose view breaks."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

handler500 = "dizzle_site.errors.server_error"


def broken(request: HttpRequest, rest: str = "") -> HttpResponse:
    raise RuntimeError("on purpose")


urlpatterns = [
    path("", include("dizzle_site.urls")),
    path("broken/", broken),
    path("broken/<path:rest>", broken),
]

"""The whole site with one more address, whose view does nothing."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.urls import include, path


def empty(request: HttpRequest) -> JsonResponse:
    """Nothing."""
    return JsonResponse({})


urlpatterns = [path("empty/", empty), path("", include("dizzle_site.urls"))]

"""How does a request get to the scoring its link is the key of, and which device is asking?"""

from __future__ import annotations

import secrets

from django.http import HttpRequest

from sheets.access.keys import Access, by_key
from sheets.models import Scoring
from sheets.scoring import store


def _find(_request: HttpRequest, key: str) -> Access[Scoring]:
    return store.find(key)


with_scoring = by_key(_find)


def device_of(request: HttpRequest) -> str:
    """The random name of the device that asks, empty before its first change."""
    return str(request.session.get("device", ""))


def name_device(request: HttpRequest) -> str:
    """The random name of the device that asks, made now if it has none."""
    if not device_of(request):
        request.session["device"] = secrets.token_urlsafe(16)
    return device_of(request)

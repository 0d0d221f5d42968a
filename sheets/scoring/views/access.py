"""Access of a request to a scoring by its key, and the id of the requesting device."""

from __future__ import annotations

import secrets

from django.http import HttpRequest

from sheets.access.keys import Access, by_key
from sheets.models import Scoring
from sheets.scoring import store


def _find(_request: HttpRequest, key: str) -> Access[Scoring]:
    return store.find(key)


with_scoring = by_key(_find)
"""Decorator that finds a scoring by the key in the URL and passes its `Access` to the view."""


def device_id(request: HttpRequest) -> str:
    """Return the random id of the requesting device; empty before the device's first change."""
    return str(request.session.get("device", ""))


def ensure_device_id(request: HttpRequest) -> str:
    """Return the random id of the requesting device; create one if the device has none."""
    if not device_id(request):
        request.session["device"] = secrets.token_urlsafe(16)
    return device_id(request)

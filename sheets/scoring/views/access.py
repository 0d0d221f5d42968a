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
"""Decorator that passes a view the `Access` to the scoring of the URL's key."""


def device_of(request: HttpRequest) -> str:
    """Return the random id of the requesting device; empty before its first change."""
    return str(request.session.get("device", ""))


def name_device(request: HttpRequest) -> str:
    """Return the random id of the requesting device, which is created if it has none."""
    if not device_of(request):
        request.session["device"] = secrets.token_urlsafe(16)
    return device_of(request)

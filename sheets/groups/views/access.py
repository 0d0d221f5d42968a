"""Decorator that finds the group by the key in a URL."""

from __future__ import annotations

from django.http import HttpRequest

from sheets.access.keys import Access, by_key
from sheets.groups import store
from sheets.models import Group


def _find(_request: HttpRequest, key: str) -> Access[Group]:
    return store.find(key)


with_group = by_key(_find)
"""Decorator that passes a view the `Access` to a group, found by the key in the URL."""

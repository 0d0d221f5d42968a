"""How does a request get to the level of one's own that its link is the key of?"""

from __future__ import annotations

from django.http import HttpRequest

from sheets import leaving
from sheets.access import Access, by_key
from sheets.models import WorkshopLevel
from sheets.workshop import own_levels


def _find(request: HttpRequest, key: str) -> Access[WorkshopLevel]:
    access = own_levels.find(key)
    leaving.note_owner(access, request.session)
    return access


with_level = by_key(_find)

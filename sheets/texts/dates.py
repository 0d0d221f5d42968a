"""Dates in words."""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import pgettext


def day_in_words(day: date | None) -> str:
    """Return a day with its weekday, in the language of the page; empty for None."""
    # A date format of Django, as in "Saturday, 28 November 2026".
    return date_format(day, pgettext("date format", "l, j F Y")) if day else ""

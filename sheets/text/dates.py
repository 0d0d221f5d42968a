"""Dates written out in the active language."""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import pgettext


def format_day(day: date | None) -> str:
    """Return a date with its weekday in the active language, empty for None."""
    # The format, in Django's syntax, of dates such as "Saturday, 28 November 2026".
    return date_format(day, pgettext("date format", "l, j F Y")) if day else ""

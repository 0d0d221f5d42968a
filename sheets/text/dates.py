"""Dates written out in the active language."""

from __future__ import annotations

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import pgettext


def format_day(day: date | None) -> str:
    """Return a date with its weekday in the active language, empty for None."""
    if not day:
        return ""
    # The format, in Django's syntax, of dates such as "Saturday, 28 November 2026".
    usual = pgettext("date format", "l, j F Y")
    # The same for the first of a month, which has an ordinal number in French.
    first = pgettext("date format of the first of a month", "l, j F Y")
    return date_format(day, first if day.day == 1 else usual)


def format_date(day: date | None) -> str:
    """Return a date without its weekday in the active language, empty for None."""
    if not day:
        return ""
    # The format, in Django's syntax, of the first of a month, such as "1 November 2026".
    first = pgettext("date format of the first of a month, without weekday", "DATE_FORMAT")
    return date_format(day, first if day.day == 1 else "DATE_FORMAT")

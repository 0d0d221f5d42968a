"""Template filter for dates."""

from __future__ import annotations

from django import template

from sheets.text.dates import format_date

register = template.Library()
register.filter("date_in_words", format_date)

"""Amounts of points in words."""

from __future__ import annotations

from django.utils.translation import ngettext

from sheets.art.layout import format_amount


def format_points(amount: int) -> str:
    """Return an amount of points in words: “3 points”."""
    return ngettext("%(count)s point", "%(count)s points", abs(amount)) % {
        "count": format_amount(amount)
    }

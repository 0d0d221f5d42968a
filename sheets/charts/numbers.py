"""Number formats of charts and their tables, in the active language."""

from __future__ import annotations

from django.template.defaultfilters import floatformat
from django.utils.formats import number_format
from django.utils.translation import gettext as _


def one_decimal(value: float) -> str:
    """Format a number with one decimal and a typographic minus sign."""
    return floatformat(value, 1).replace("-", "−")


def shortest_number(value: float) -> str:
    """Format a number with one decimal, or with none if it is whole."""
    return floatformat(value, -1).replace("-", "−")


def percent(share: float, *, is_rough: bool = False) -> str:
    """Format a share as a percentage without a line break, such as "26%" or "0.4%".

    Shares below 10 % have one decimal, unless the share ``is_rough`` because it is of few games.
    """
    decimals = 1 if 0 < share < 0.0995 and not is_rough else 0
    # `number_format` cuts decimals off instead of rounding.
    figure = number_format(round(share * 100, decimals), decimal_pos=decimals)
    return _("%(figure)s%%") % {"figure": figure}

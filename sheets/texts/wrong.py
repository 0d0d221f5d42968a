"""What is said of the fields of a form in which something wrong stands?"""

from __future__ import annotations

from typing import Any, Final

from django.forms import BaseForm

NO_FIELD: Final = ""
"""Stands in place of a field's name where none of the form can be named."""

_CODES: Final = (
    *("required", "invalid", "invalid_choice", "invalid_list"),
    *("min_value", "max_value", "max_length"),
)


def only(sentence: Any) -> dict[str, Any]:
    """The error messages of a field of which one sentence says all that may stand there."""
    return dict.fromkeys(_CODES, sentence)


def wrong_in(*forms: BaseForm) -> dict[str, str]:
    """The first sentence on each wrong field, by the field's name on the page, in its order.

    Pages show them with `sheets.templatetags.wrong_tags`; the first field takes the focus.
    """
    found: dict[str, str] = {}
    for form in forms:
        for name, errors in form.errors.items():
            is_seen = name in form.fields and not form[name].is_hidden
            found[form[name].html_name if is_seen else NO_FIELD] = str(errors[0])
    return found

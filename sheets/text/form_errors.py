"""Error messages of forms, by field."""

from __future__ import annotations

from typing import Any, Final

from django.forms import BaseForm

NO_FIELD: Final = ""
"""Key of errors that belong to no visible field."""

_CODES: Final = (
    *("required", "invalid", "invalid_choice", "invalid_list"),
    *("min_value", "max_value", "max_length"),
)
"""Codes of all errors that the fields of our forms raise."""


def same_message(sentence: Any) -> dict[str, Any]:
    """Return a field's error messages: the same sentence for each possible error."""
    return dict.fromkeys(_CODES, sentence)


def first_errors(*forms: BaseForm) -> dict[str, str]:
    """Return the first error of each invalid field, by the field's HTML name, in page order.

    Pages show them with `sheets.templatetags.form_error_tags`; the first field takes the focus.
    """
    found: dict[str, str] = {}
    for form in forms:
        for name, errors in form.errors.items():
            is_visible = name in form.fields and not form[name].is_hidden
            found[form[name].html_name if is_visible else NO_FIELD] = str(errors[0])
    return found

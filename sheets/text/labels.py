"""A label with its text, in the active language's punctuation."""

from __future__ import annotations

from django.utils.translation import pgettext


def with_label(label: str, text: object) -> str:
    """Return “label: text”."""
    return pgettext("a label and its text", "%(label)s: %(text)s") % {"label": label, "text": text}

"""What is asked before a level of one's own begins?"""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from sheets.rules.documents.level import HOLE, MAX_SIDE
from sheets.workshop.draft import format_squares, parse_squares
from sheets.workshop.guide import FEATURES


class SizeForm(forms.Form):
    """A name, a size, and for a bought sheet what it has."""

    name = forms.CharField(max_length=80, required=False)
    columns = forms.IntegerField(min_value=1, max_value=MAX_SIDE)
    rows = forms.IntegerField(min_value=1, max_value=MAX_SIDE)
    sheet_has = forms.MultipleChoiceField(choices=FEATURES.items(), required=False)


class CopyForm(forms.Form):
    """What a level begins as: a shipped level, a file, or pasted rows."""

    source = forms.ChoiceField(
        choices=[(name, "") for name in ("level", "file", "rows")],
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), _("Choose what to start from.")
        ),
    )
    level = forms.CharField(max_length=40, required=False)
    rows = forms.CharField(max_length=MAX_SIDE * 500, required=False)

    def clean_rows(self) -> list[str]:
        """The rows as a draft's grid; short ones are filled up with holes."""
        text: str = self.cleaned_data["rows"]
        lines = [line for line in text.splitlines() if line.strip()]
        if not lines:
            return []
        if len(lines) > MAX_SIDE:
            raise forms.ValidationError(_("A sheet has 26 rows and 26 columns at most."))
        squares = []
        for number, line in enumerate(lines, start=1):
            try:
                squares += parse_squares([line])
            except ValueError as error:
                sentence = _(
                    "Row %(row)d: “%(word)s” is not a field. A field is written like 3 or 5Gy."
                )
                values = {"row": number, "word": str(error)[:20]}
                raise forms.ValidationError(sentence % values) from None
        width = max(map(len, squares))
        if width > MAX_SIDE:
            raise forms.ValidationError(_("A sheet has 26 rows and 26 columns at most."))
        rows = [
            " ".join([format_squares([row])[0], *[HOLE] * (width - len(row))]) for row in squares
        ]
        return format_squares(parse_squares(rows))

    def clean(self) -> dict[str, Any]:
        """Rows that were chosen must be there; the file is no matter of the form."""
        sent: dict[str, Any] = super().clean() or self.cleaned_data
        if sent.get("source") == "rows" and not sent.get("rows") and "rows" not in self.errors:
            raise forms.ValidationError(_("Paste some rows first."))
        return sent

    @property
    def refusal(self) -> str:
        """The first thing that is wrong, as a sentence."""
        for errors in self.errors.values():
            return str(errors[0])
        return ""

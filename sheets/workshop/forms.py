"""Forms that begin a workshop level."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from sheets.rules.documents.level import HOLE, MAX_SIDE
from sheets.text.form_errors import same_message
from sheets.workshop.draft import format_squares, parse_squares
from sheets.workshop.guide import FEATURES


class SizeForm(forms.Form):
    """Name and size of a new level, and the features of a bought sheet."""

    name = forms.CharField(
        max_length=80,
        required=False,
        error_messages=same_message(_("A name has at most 80 letters.")),
    )
    columns = forms.IntegerField(
        min_value=1,
        max_value=MAX_SIDE,
        error_messages=same_message(_("A sheet has 1 to 26 columns.")),
    )
    rows = forms.IntegerField(
        min_value=1, max_value=MAX_SIDE, error_messages=same_message(_("A sheet has 1 to 26 rows."))
    )
    sheet_has = forms.MultipleChoiceField(
        choices=FEATURES.items(),
        required=False,
        error_messages=same_message(_("Tick what is in this list only.")),
    )


class CopyForm(forms.Form):
    """Source of a new level: a shipped level, a file, or pasted rows."""

    source = forms.ChoiceField(
        widget=forms.HiddenInput,
        choices=[(name, "") for name in ("level", "file", "rows")],
        error_messages=same_message(_("Choose what to start from.")),
    )
    level = forms.CharField(
        max_length=40, required=False, error_messages=same_message(_("Choose a level."))
    )
    rows = forms.CharField(
        max_length=MAX_SIDE * 500,
        required=False,
        error_messages=same_message(_("A sheet has 26 rows and 26 columns at most.")),
    )

    def clean_rows(self) -> list[str]:
        """Return the rows as a draft's grid; holes are appended to short rows."""
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
        """Require rows if they are the chosen source; the view checks the file."""
        sent: dict[str, Any] = super().clean() or self.cleaned_data
        if sent.get("source") == "rows" and not sent.get("rows") and "rows" not in self.errors:
            self.add_error("rows", _("Paste some rows first."))
        return sent

"""Forms of scoring: player names, marks, undo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.core.validators import ProhibitNullCharactersValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

from sheets.documents.decoding import ACT_ID
from sheets.names.cleaning import NAME_LENGTH, clean_name
from sheets.rules.level import MAX_PLAYERS
from sheets.text.form_errors import same_message


class PlayerName(forms.CharField):
    """Optional name of a player; the length limit applies to the cleaned name."""

    def __init__(self, **more: Any) -> None:
        too_long = _("A name has at most 40 letters.")
        super().__init__(
            required=False, max_length=NAME_LENGTH, error_messages=same_message(too_long), **more
        )

    def to_python(self, value: Any) -> str:
        """Return the cleaned name, see `clean_name`."""
        typed = super().to_python(value) or ""
        ProhibitNullCharactersValidator()(typed)
        return clean_name(typed)


PLAYER_COUNTS: Final = range(1, MAX_PLAYERS + 1)
"""Numbers of players that a game can have."""


class PlayersForm(forms.Form):
    """Number and names of the players: ``count`` and ``name-1`` to ``name-6``.

    Args:
        data: the submitted form, if any.
        counts: the allowed numbers of players, in ascending order.
    """

    count = forms.IntegerField(
        error_messages=same_message(_("Choose how many players there were."))
    )

    def __init__(self, data: Any = None, counts: Sequence[int] = PLAYER_COUNTS) -> None:
        self.counts = counts
        super().__init__(data, initial={"count": 2 if 2 in counts else counts[0]})
        for number in range(1, max(counts) + 1):
            self.fields[f"name-{number}"] = PlayerName()

    def clean_count(self) -> int:
        """Return the number of players, which must be an allowed one."""
        count = int(self.cleaned_data["count"])
        if count not in self.counts:
            raise forms.ValidationError(self.fields["count"].error_messages["invalid"])
        return count

    @property
    def names(self) -> list[str]:
        """Names of the players, as many as ``count``."""
        count = self.cleaned_data["count"]
        return [self.cleaned_data[f"name-{number}"] for number in range(1, count + 1)]


class ActId(forms.CharField):
    """Optional id of an act, chosen by the device: its idempotency key."""

    def __init__(self) -> None:
        super().__init__(required=False, validators=[RegexValidator(ACT_ID)])


class MarkForm(forms.Form):
    """Form of a tap on one place of a sheet.

    Without a value (`has_value`), the tap sets the field's next value, which depends on the
    ``pen``: cross or lava. ``request`` is the idempotency key.
    """

    at = forms.CharField(max_length=16)
    value = forms.CharField(max_length=16, required=False)
    pen = forms.ChoiceField(choices=[("cross", ""), ("lava", "")], required=False)
    request = ActId()

    @property
    def has_value(self) -> bool:
        """Whether the form contains a value."""
        return "value" in self.data


class UndoForm(forms.Form):
    """Form that undoes or redoes one act."""

    do = forms.ChoiceField(choices=[("undo", ""), ("redo", "")])
    request = ActId()

"""Is what a form sent well-formed?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.core.validators import ProhibitNullCharactersValidator, RegexValidator
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from sheets.documents.decoding import ACT_ID
from sheets.people.names import NAME_LENGTH, clean_name
from sheets.rules.level import MOST_PLAYERS
from sheets.texts.wrong import only


class PlayerName(forms.CharField):
    """A player's name, which may stay empty; its length counts once it is clean."""

    def __init__(self, **more: Any) -> None:
        too_long = _("A name has at most 40 letters.")
        super().__init__(
            required=False, max_length=NAME_LENGTH, error_messages=only(too_long), **more
        )

    def to_python(self, value: Any) -> str:
        """The name as `clean_name` leaves it."""
        typed = super().to_python(value) or ""
        ProhibitNullCharactersValidator()(typed)
        return clean_name(typed)


ALL_COUNTS: Final = range(1, MOST_PLAYERS + 1)


class PlayersForm(forms.Form):
    """How many play, and what they are called: ``count`` and ``name-1`` to ``name-6``.

    Args:
        data: what was sent, if anything.
        counts: how many may play, rising.
    """

    count = forms.IntegerField(error_messages=only(_("Choose how many players there were.")))

    def __init__(self, data: Any = None, counts: Sequence[int] = ALL_COUNTS) -> None:
        self.counts = counts
        super().__init__(data, initial={"count": 2 if 2 in counts else counts[0]})
        for number in range(1, max(counts) + 1):
            self.fields[f"name-{number}"] = PlayerName()

    def clean_count(self) -> int:
        """One of the counts."""
        count = int(self.cleaned_data["count"])
        if count not in self.counts:
            raise forms.ValidationError(self.fields["count"].error_messages["invalid"])
        return count

    @property
    def names(self) -> list[str]:
        """The names of those who play."""
        count = self.cleaned_data["count"]
        return [self.cleaned_data[f"name-{number}"] for number in range(1, count + 1)]


class ActId(forms.CharField):
    """The device's id of an act, by which the same one sent again is known; it may lack."""

    def __init__(self) -> None:
        super().__init__(required=False, validators=[RegexValidator(ACT_ID)])


class MarkForm(forms.Form):
    """A tap on one place of a sheet.

    Without ``has_value`` the tap goes one step on in the place's cycle, with lava if the ``pen`` is
    lava. ``request`` tells a repeated request from a new one.
    """

    at = forms.CharField(max_length=16)
    value = forms.CharField(max_length=16, required=False)
    pen = forms.ChoiceField(choices=[("cross", ""), ("lava", "")], required=False)
    request = ActId()

    @property
    def has_value(self) -> bool:
        """Whether the value itself was sent."""
        return "value" in self.data


class TurnBackForm(forms.Form):
    """Undo or redo."""

    do = forms.ChoiceField(choices=[("undo", ""), ("redo", "")])
    request = ActId()


def once_of(named: str, content: bytes) -> str:
    """What is the same if a page sends the same file once more; empty where it names no id."""
    if not re.fullmatch(ACT_ID, named):
        return ""
    return str(salted_hmac(f"{__name__} {named}", content, algorithm="sha256").hexdigest())

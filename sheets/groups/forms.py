"""Forms of groups, with their validation errors."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.translation import gettext_lazy as _

from sheets.groups.game_store import MAX_GAMES
from sheets.groups.store import MAX_NAME_LENGTH
from sheets.names.cleaning import clean_name
from sheets.scoring.forms import PlayerName
from sheets.text.form_errors import same_message


class Line(forms.CharField):
    """Field for one line of text, without invisible characters."""

    def to_python(self, value: Any) -> str:
        """Return the text as `clean_name` does; refuse null characters."""
        typed = super().to_python(value) or ""
        ProhibitNullCharactersValidator()(typed)
        return clean_name(typed)


class GroupForm(forms.Form):
    """Name of a group."""

    name = Line(
        max_length=MAX_NAME_LENGTH,
        error_messages=same_message(_("Give the group a name of at most 60 letters.")),
    )


class EveningForm(forms.Form):
    """Place and note of an evening."""

    day = forms.DateField(input_formats=["%Y-%m-%d"])
    place = Line(
        max_length=60, required=False, error_messages=same_message(_("At most 60 letters, please."))
    )
    note = Line(
        max_length=300,
        required=False,
        error_messages=same_message(_("At most 300 letters, please.")),
    )


class PlayerForm(forms.Form):
    """Action on a player; ``into`` is the number of the player to merge into."""

    number = forms.IntegerField(min_value=1, max_value=32_000)
    do = forms.ChoiceField(
        choices=[(do, "") for do in ("rename", "retire", "return", "merge", "apart")]
    )
    name = PlayerName()
    into = forms.IntegerField(min_value=1, max_value=32_000, required=False)


class ImportCountsForm(forms.Form):
    """Query string after an import: numbers of games new to the group, and that it had already.

    ``day`` and ``level`` of the game that was typed prefill the form for the next game.
    """

    new = forms.IntegerField(min_value=0, max_value=MAX_GAMES)
    known = forms.IntegerField(min_value=0, max_value=MAX_GAMES)
    day = forms.DateField(input_formats=["%Y-%m-%d"], required=False)
    level = Line(max_length=60, required=False)

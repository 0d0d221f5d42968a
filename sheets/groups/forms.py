"""Is what a form of a group sent well-formed?"""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.translation import gettext_lazy as _

from sheets.groups.keeping import MOST_GAMES
from sheets.groups.store import LONGEST_NAME
from sheets.people.names import clean_name
from sheets.scoring.forms import PlayerName
from sheets.texts.wrong import only


class Line(forms.CharField):
    """One line of text, without what nobody sees."""

    def to_python(self, value: Any) -> str:
        """The text as `clean_name` leaves it."""
        typed = super().to_python(value) or ""
        ProhibitNullCharactersValidator()(typed)
        return clean_name(typed)


class GroupForm(forms.Form):
    """What a group is called."""

    name = Line(
        max_length=LONGEST_NAME,
        error_messages=only(_("Give the group a name of at most 60 letters.")),
    )


class EveningForm(forms.Form):
    """Where an evening was, and what there is to remember."""

    day = forms.DateField(input_formats=["%Y-%m-%d"])
    place = Line(
        max_length=60, required=False, error_messages=only(_("At most 60 letters, please."))
    )
    note = Line(
        max_length=300, required=False, error_messages=only(_("At most 300 letters, please."))
    )


class PlayerForm(forms.Form):
    """What becomes of a player."""

    number = forms.IntegerField(min_value=1, max_value=32_000)
    do = forms.ChoiceField(
        choices=[(do, "") for do in ("rename", "retire", "return", "merge", "apart")]
    )
    name = PlayerName()
    into = forms.IntegerField(min_value=1, max_value=32_000, required=False)


class KeptForm(forms.Form):
    """How many games were new to a group, and how many it had, as an address says it.

    ``day`` and ``level`` are those of the game that was typed.
    """

    new = forms.IntegerField(min_value=0, max_value=MOST_GAMES)
    known = forms.IntegerField(min_value=0, max_value=MOST_GAMES)
    day = forms.DateField(input_formats=["%Y-%m-%d"], required=False)
    level = Line(max_length=60, required=False)

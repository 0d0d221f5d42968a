"""Is what a table's page sent well-formed?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from sheets.rules import Action
from sheets.rules.dice2 import KINDS
from sheets.rules.level import MOST_PLAYERS, SHAPES
from sheets.scoring.forms import ActId, PlayerName
from sheets.tables.playing import DICE, ROLLED
from sheets.tables.strengths import STRENGTHS
from sheets.texts.wrong import only

MAX_DICE: Final = 30

WHY: Final = "why"
"""What is sent in place of a number by who asks about a field of a board."""


class BotsField(forms.ChoiceField):
    """How strong the bots are that take all other seats; empty for none."""

    def __init__(self) -> None:
        super().__init__(choices=[(name, name) for name in STRENGTHS], required=False)


def bots_in(sent: Mapping[str, Any]) -> str:
    """What was chosen there; bots play with the app's dice alone."""
    return str(sent["bots"]) if sent["dice"] == ROLLED else ""


class OpenForm(forms.Form):
    """A new table."""

    level = forms.CharField(max_length=40, error_messages=only(_("Choose a level.")))
    players = forms.IntegerField(
        min_value=1, max_value=MOST_PLAYERS, error_messages=only(_("Choose how many play."))
    )
    dice = forms.ChoiceField(
        choices=[(dice, dice) for dice in DICE], error_messages=only(_("Choose which dice."))
    )
    bots = BotsField()
    hints = forms.BooleanField(required=False)
    name = PlayerName()

    @property
    def strength(self) -> str:
        """How strong the bots on all other seats are, empty where people sit there."""
        return bots_in(self.cleaned_data)


class NameForm(forms.Form):
    """Somebody's name."""

    name = PlayerName()


class SeatForm(forms.Form):
    """One seat of the table."""

    number = forms.IntegerField(min_value=0, max_value=MOST_PLAYERS - 1)
    bot = forms.CharField(max_length=16, required=False)


class ClaimAnswerForm(forms.Form):
    """Yes or no to the claim to a seat that has this stamp."""

    number = forms.IntegerField(min_value=0, max_value=MOST_PLAYERS - 1)
    stamp = forms.CharField(max_length=20)
    answer = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])


class AdviceForm(forms.Form):
    """Whether players may ask what an expert would do."""

    allow = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])


class PauseForm(forms.Form):
    """Whether the game is paused until another day."""

    pause = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])


class StarterForm(forms.Form):
    """Which seat starts the game, where that is asked."""

    starter = forms.IntegerField(min_value=0, max_value=MOST_PLAYERS - 1, required=False)


class OrderForm(StarterForm):
    """A seat that moves one place up or down in the order of the seats, and who shall start."""

    step = forms.TypedChoiceField(choices=[(-1, "up"), (1, "down")], coerce=int)


class ActForm(forms.Form):
    """One act in a game; which there are is the game's matter."""

    player = forms.IntegerField(min_value=0, max_value=MOST_PLAYERS - 1, required=False)
    at = forms.RegexField(r"\A[a-z][1-9][0-9]?\Z", required=False)
    moment = forms.CharField(max_length=40, required=False)
    request = ActId()

    @property
    def action(self) -> Action:
        """The action it stands for."""
        raise NotImplementedError


class DizzleActForm(ActForm):
    """One act in a game of Dizzle; ``tap`` is whatever tapping the field means at the moment."""

    OF_NOBODY = ("roll", "extra", "erupt", "end_pass")
    ON_A_FIELD = ("tap", "place", "return", "lava", "rocket", "track")

    do = forms.ChoiceField(choices=[(do, do) for do in (*OF_NOBODY, *ON_A_FIELD, "drop", "reroll")])
    die = forms.IntegerField(min_value=1, max_value=6, required=False)
    dice = forms.RegexField(
        r"\A[1-6 ,]*\Z",
        max_length=3 * MAX_DICE,
        required=False,
        error_messages=only(_("Type numbers from 1 to 6, such as 3 5 6.")),
    )
    shape = forms.ChoiceField(choices=[(shape, shape) for shape in SHAPES], required=False)

    @property
    def action(self) -> Action:
        """The action of the rules it stands for."""
        sent = self.cleaned_data
        do = sent["do"]
        dice = tuple(int(digit) for digit in re.sub(r"\D", "", sent["dice"]))
        return Action(
            do,
            -1 if do in self.OF_NOBODY else sent["player"],
            sent["at"] if do in self.ON_A_FIELD else "",
            (sent["die"] or 0) if do in ("place", "erupt") else 0,
            dice if do in ("roll", "reroll", "extra") else (),
            sent["shape"] if do == "track" else "",
        )

    def clean(self) -> dict[str, Any]:
        """Acts that somebody does must say who; those on a field where; a track which."""
        sent = super().clean() or {}
        do = sent.get("do")
        if do not in self.OF_NOBODY and sent.get("player") is None:
            raise forms.ValidationError("player")
        if do in self.ON_A_FIELD and not sent.get("at"):
            raise forms.ValidationError("at")
        if bool(sent.get("shape")) != (do == "track"):
            raise forms.ValidationError("shape")
        return sent


class Dice2ActForm(ActForm):
    """One act at a table with Dice²; with `WHY` as ``die`` it only asks about the field."""

    do = forms.ChoiceField(choices=[(do, do) for do in ("place", "skip", "begin")], required=False)
    die = forms.RegexField(rf"\A([1-6]|{WHY})\Z", required=False)
    shape = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS], required=False)

    @property
    def action(self) -> Action:
        """The action of the sitting it stands for, or one that asks."""
        sent = self.cleaned_data
        do, die = sent["do"], sent["die"]
        if die == WHY:
            return Action(WHY, at=sent["at"])
        return Action(
            do,
            sent["player"],
            sent["at"] if do == "place" else "",
            int(die or 0) if do != "begin" else 0,
            shape=sent["shape"] if do == "begin" else "",
        )

    def clean(self) -> dict[str, Any]:
        """Acts must say who; a die placed where; the begin of a game which. Who asks need not."""
        sent = super().clean() or {}
        do = sent.get("do")
        if sent.get("die") == WHY:
            return sent
        if not do:
            raise forms.ValidationError("do")
        if sent.get("player") is None:
            raise forms.ValidationError("player")
        if do == "place" and not sent.get("at"):
            raise forms.ValidationError("at")
        if bool(sent.get("shape")) != (do == "begin"):
            raise forms.ValidationError("shape")
        return sent


class PlayerForm(forms.Form):
    """Something a player says about the pass: done, not done, all are done, undo.

    An undo names the ``entry`` it takes back, or where that is on its way still, the id ``of``
    its request; neither where it waits on a phone since before an update.
    """

    player = forms.IntegerField(min_value=0, max_value=MOST_PLAYERS - 1)
    done = forms.ChoiceField(choices=[(do, do) for do in ("yes", "no", "all")], required=False)
    moment = forms.CharField(max_length=40, required=False)
    entry = forms.IntegerField(min_value=1, required=False)
    of = ActId()
    request = ActId()


class HurryForm(forms.Form):
    """The host counts down; with ``is_here`` somebody is there.

    It may be to free a seat ``number``, or for an answer to the ``proposal`` with that number. With
    ``for_host`` the player of the seat ``number`` counts down for the host.
    """

    is_here = forms.BooleanField(required=False)
    for_host = forms.BooleanField(required=False)
    number = forms.IntegerField(min_value=0, max_value=MOST_PLAYERS - 1, required=False)
    proposal = forms.IntegerField(min_value=1, required=False)
    moment = forms.CharField(max_length=40, required=False)
    request = ActId()


class ProposalForm(forms.Form):
    """Back to before an entry of the log, or ``forward`` again from where an entry led back."""

    player = forms.IntegerField(min_value=0, max_value=MOST_PLAYERS - 1)
    to = forms.IntegerField(min_value=1)
    forward = forms.BooleanField(required=False)
    request = ActId()


class CorrectionForm(forms.Form):
    """A tap on a field of a sheet that is corrected, or with ``propose`` the whole correction.

    ``value`` is the chosen track, empty for none; what is only tapped has none (`has_value`).
    """

    at = forms.CharField(max_length=3, required=False)
    value = forms.CharField(max_length=20, required=False)
    pen = forms.ChoiceField(choices=[("lava", "lava")], required=False)
    propose = forms.BooleanField(required=False)
    moment = forms.CharField(max_length=40, required=False)
    request = ActId()

    @property
    def has_value(self) -> bool:
        """Whether it says what is on the field."""
        return "value" in self.data


class AnswerForm(forms.Form):
    """Yes or no to the ``proposal`` with that number, or the host's decision alone."""

    answer = forms.ChoiceField(choices=[(word, word) for word in ("yes", "no", "alone")])
    # Not required: an answer that waits on a phone since before an update does not name it.
    proposal = forms.IntegerField(min_value=1, required=False)
    request = ActId()

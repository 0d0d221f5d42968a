"""Forms for what the pages of a table send."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from sheets.rules import Action, Level
from sheets.rules.dice2 import KINDS
from sheets.rules.documents.level import with_house_rules
from sheets.rules.house_rules import STARTERS, HouseRules
from sheets.rules.level import MAX_DICE, MAX_PLAYERS, MAX_ROUNDS, SHAPES
from sheets.scoring.forms import ActId, PlayerName
from sheets.tables.bots import STRENGTHS
from sheets.tables.table_settings import DICE, ROLLED
from sheets.text.form_errors import same_message

CONTRIBUTION: Final = r"\A[0-9a-f]{32}\Z"
"""Pattern of a contribution: 16 random bytes in hexadecimal digits."""

WHY: Final = "why"
"""Name of a query parameter, and value of ``die``, to ask what may go on a field in Dice²."""


class BotsField(forms.ChoiceField):
    """Strength of the bots on all other seats; empty for none."""

    def __init__(self) -> None:
        super().__init__(choices=[(name, name) for name in STRENGTHS], required=False)


def bots_in(sent: Mapping[str, Any]) -> str:
    """Return the chosen strength of the bots; empty if the app does not roll the dice."""
    return str(sent["bots"]) if sent["dice"] == ROLLED else ""


class HouseRulesForm(forms.Form):
    """The house rules of a new table; ``more_players`` follows from the number of players."""

    keep_dice = forms.BooleanField(required=False)
    play_on = forms.BooleanField(required=False)
    starter = forms.ChoiceField(
        choices=[(name, name) for name in STARTERS[1:]],
        required=False,
        error_messages=same_message(_("Choose who starts the next pass.")),
    )
    no_bombs = forms.BooleanField(required=False)
    house_dice = forms.IntegerField(
        min_value=1,
        max_value=MAX_DICE,
        required=False,
        error_messages=same_message(
            format_lazy(_("The number of dice must be from 1 to {most}."), most=MAX_DICE)
        ),
    )
    house_rounds = forms.IntegerField(
        min_value=1,
        max_value=MAX_ROUNDS,
        required=False,
        error_messages=same_message(
            format_lazy(_("The number of rounds must be from 1 to {most}."), most=MAX_ROUNDS)
        ),
    )

    @staticmethod
    def of_level(level: Level) -> dict[str, Any]:
        """Return the form's data for a level's own house rules."""
        house = level.house_rules
        return {
            "keep_dice": house.keep_dice,
            "play_on": house.play_on,
            "starter": house.starter,
            "no_bombs": house.no_bombs,
            "house_dice": house.dice or "",
            "house_rounds": house.rounds or "",
        }

    def apply_to(self, level: Level, players: int) -> Level:
        """Return the level with the chosen house rules instead of its own.

        `more-players` stays, and is added if the level lacks dice and rounds for this number of
        players.
        """
        sent = self.cleaned_data
        chosen = HouseRules(
            keep_dice=sent["keep_dice"],
            play_on=sent["play_on"],
            starter=sent["starter"] or STARTERS[0],
            no_bombs=sent["no_bombs"],
            more_players=level.house_rules.more_players or players not in level.player_counts,
            dice=sent["house_dice"] or 0,
            rounds=sent["house_rounds"] or 0,
        )
        return with_house_rules(level, chosen)


class OpenForm(HouseRulesForm):
    """A new table."""

    level = forms.CharField(max_length=40, error_messages=same_message(_("Choose a level.")))
    players = forms.IntegerField(
        min_value=1, max_value=MAX_PLAYERS, error_messages=same_message(_("Choose how many play."))
    )
    dice = forms.ChoiceField(
        choices=[(dice, dice) for dice in DICE],
        error_messages=same_message(_("Choose which dice.")),
    )
    name = PlayerName()
    bots = BotsField()
    hints = forms.BooleanField(required=False)

    @property
    def strength(self) -> str:
        """Strength of the bots on all other seats; empty if people sit there."""
        return bots_in(self.cleaned_data)


class NameForm(forms.Form):
    """The name of a player."""

    name = PlayerName()


class SeatForm(forms.Form):
    """One seat of the table; ``bot`` is a strength if the request is for a bot there."""

    number = forms.IntegerField(min_value=0, max_value=MAX_PLAYERS - 1)
    bot = forms.CharField(max_length=16, required=False)


class ClaimAnswerForm(forms.Form):
    """A yes or no to a claim: ``number`` is the claimed seat, ``stamp`` identifies the claim."""

    number = forms.IntegerField(min_value=0, max_value=MAX_PLAYERS - 1)
    stamp = forms.CharField(max_length=20)
    answer = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])


class HintsForm(forms.Form):
    """Whether players may ask for hints."""

    allow = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])


class PauseForm(forms.Form):
    """Whether the game is paused until another day."""

    pause = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])


class StarterForm(forms.Form):
    """The seat that starts the game, if the host can choose it."""

    starter = forms.IntegerField(min_value=0, max_value=MAX_PLAYERS - 1, required=False)


class OrderForm(StarterForm):
    """A move of a seat up or down in the order of the seats, with the chosen starter."""

    step = forms.TypedChoiceField(choices=[(-1, "up"), (1, "down")], coerce=int)


class ContributionForm(forms.Form):
    """The contribution of a device to the app's dice."""

    contribution = forms.RegexField(CONTRIBUTION)


class ActForm(forms.Form):
    """One act in a game; each game adds its own acts."""

    player = forms.IntegerField(min_value=0, max_value=MAX_PLAYERS - 1, required=False)
    at = forms.RegexField(r"\A[a-z][1-9][0-9]?\Z", required=False)
    moment = forms.CharField(max_length=40, required=False)
    request = ActId()

    @property
    def action(self) -> Action:
        """The action of the game that was sent."""
        raise NotImplementedError


class DizzleActForm(ActForm):
    """One act in a game of Dizzle; the state of the game defines what ``tap`` on a field means."""

    WITHOUT_PLAYER = ("roll", "extra", "erupt", "end_pass")
    """Acts that a request sends without a player."""
    ON_A_FIELD = ("tap", "place", "return", "lava", "rocket", "track")
    """Acts that need a field."""

    do = forms.ChoiceField(
        choices=[(do, do) for do in (*WITHOUT_PLAYER, *ON_A_FIELD, "drop", "reroll")]
    )
    die = forms.IntegerField(min_value=1, max_value=6, required=False)
    dice = forms.RegexField(
        r"\A[1-6 ,]*\Z",
        max_length=3 * MAX_DICE,
        required=False,
        error_messages=same_message(_("Type numbers from 1 to 6, such as 3 5 6.")),
    )
    shape = forms.ChoiceField(choices=[(shape, shape) for shape in SHAPES], required=False)

    @property
    def action(self) -> Action:
        """The action of the rules that was sent."""
        sent = self.cleaned_data
        do = sent["do"]
        dice = tuple(int(digit) for digit in re.sub(r"\D", "", sent["dice"]))
        return Action(
            do,
            -1 if do in self.WITHOUT_PLAYER else sent["player"],
            sent["at"] if do in self.ON_A_FIELD else "",
            (sent["die"] or 0) if do in ("place", "erupt") else 0,
            dice if do in ("roll", "reroll", "extra") else (),
            sent["shape"] if do == "track" else "",
        )

    def clean(self) -> dict[str, Any]:
        """Require the player of an act, the field of an act on a field, the shape of a track."""
        sent = super().clean() or {}
        do = sent.get("do")
        if do not in self.WITHOUT_PLAYER and sent.get("player") is None:
            raise forms.ValidationError("player")
        if do in self.ON_A_FIELD and not sent.get("at"):
            raise forms.ValidationError("at")
        if bool(sent.get("shape")) != (do == "track"):
            raise forms.ValidationError("shape")
        return sent


class Dice2ActForm(ActForm):
    """One act at a table with Dice²; with `WHY` as ``die`` only a question about the field."""

    do = forms.ChoiceField(choices=[(do, do) for do in ("place", "skip", "begin")], required=False)
    die = forms.RegexField(rf"\A([1-6]|{WHY})\Z", required=False)
    shape = forms.ChoiceField(choices=[(kind, kind) for kind in KINDS], required=False)

    @property
    def action(self) -> Action:
        """The action of the sitting that was sent, or a question with `WHY`."""
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
        """Require the player of an act, the field of a placed die, and the game that begins.

        A question with `WHY` needs none of them.
        """
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
    """A player's statement about the pass: done, not done, all are done; or an undo.

    An undo names the ``entry`` that it takes back, or ``of``, the request id of an act that is
    still on its way. It names neither if it was queued on a phone before an update of the site.
    """

    player = forms.IntegerField(min_value=0, max_value=MAX_PLAYERS - 1)
    done = forms.ChoiceField(choices=[(do, do) for do in ("yes", "no", "all")], required=False)
    moment = forms.CharField(max_length=40, required=False)
    entry = forms.IntegerField(min_value=1, required=False)
    of = ActId()
    request = ActId()


class CountdownForm(forms.Form):
    """The host's request to start a countdown; with ``is_here`` a player reports being present.

    With ``number`` the countdown is to free that seat; with ``proposal`` it is for answers to the
    proposal with that number. With ``for_host`` the player of the seat ``number`` starts a
    countdown for the host.
    """

    is_here = forms.BooleanField(required=False)
    for_host = forms.BooleanField(required=False)
    number = forms.IntegerField(min_value=0, max_value=MAX_PLAYERS - 1, required=False)
    proposal = forms.IntegerField(min_value=1, required=False)
    moment = forms.CharField(max_length=40, required=False)
    request = ActId()


class ProposalForm(forms.Form):
    """A proposal to go back to before the entry ``to`` of the log.

    With ``forward`` the entry ``to`` is a rewind, and the proposal is to restore what it struck.
    """

    player = forms.IntegerField(min_value=0, max_value=MAX_PLAYERS - 1)
    to = forms.IntegerField(min_value=1)
    forward = forms.BooleanField(required=False)
    request = ActId()


class CorrectionForm(forms.Form):
    """A tap on a field of the draft of a correction; with ``propose`` the draft is proposed.

    ``value`` is the track that the player chose for the field, empty for no track. A mere tap sends
    no value (`has_value`).
    """

    at = forms.CharField(max_length=3, required=False)
    value = forms.CharField(max_length=20, required=False)
    pen = forms.ChoiceField(choices=[("lava", "lava")], required=False)
    propose = forms.BooleanField(required=False)
    moment = forms.CharField(max_length=40, required=False)
    request = ActId()

    @property
    def has_value(self) -> bool:
        """Whether the request has a ``value``, which may be empty."""
        return "value" in self.data


class AnswerForm(forms.Form):
    """A yes or no to the proposal with the number ``proposal``, or the host's decision alone."""

    answer = forms.ChoiceField(choices=[(word, word) for word in ("yes", "no", "alone")])
    # Not required: an answer queued on a phone before an update of the site does not name it.
    proposal = forms.IntegerField(min_value=1, required=False)
    request = ActId()

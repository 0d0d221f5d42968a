"""Introduction of the games of Dice², with the form for a new table."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from sheets.access.devices import set_token_cookie, token_for
from sheets.groups.group_choice import add_to_chosen_group
from sheets.http import rate_limits
from sheets.rules.dice2.relay import PLAYER_COUNTS, TARGETS
from sheets.scoring.forms import PlayerName
from sheets.tables import acts, seating
from sheets.tables.access import find_access
from sheets.tables.forms import BotsField, bots_in
from sheets.tables.table_settings import ROLLED, TYPED, player_counts
from sheets.text.form_errors import first_errors, same_message
from sheets.text.player_names import player_name
from sheets.text.rulebook.games import GAME_AIMS, GAME_NAMES


class OpenForm(forms.Form):
    """Form for a new table; ``players`` is ignored by games for a fixed number of players."""

    game = forms.ChoiceField(
        choices=[(name, name) for name in GAME_NAMES],
        error_messages=same_message(gettext_lazy("Choose a game.")),
    )
    players = forms.TypedChoiceField(
        choices=[(count, str(count)) for count in PLAYER_COUNTS],
        coerce=int,
        required=False,
        error_messages=same_message(gettext_lazy("Choose how many play.")),
    )
    target = forms.TypedChoiceField(
        choices=[(target, str(target)) for target in TARGETS],
        coerce=int,
        required=False,
        error_messages=same_message(gettext_lazy("Choose the points to win the relay.")),
    )
    handicap = forms.BooleanField(required=False)
    dice = forms.ChoiceField(
        choices=[(dice, dice) for dice in (TYPED, ROLLED)],
        error_messages=same_message(gettext_lazy("Choose which dice.")),
    )
    name = PlayerName()
    bots = BotsField()

    @property
    def strength(self) -> str:
        """Strength of the bots on all other seats; empty if people take these seats."""
        return bots_in(self.cleaned_data)

    @property
    def players_for(self) -> int:
        """Number of players: fixed by the game, or the chosen one, by default the lowest."""
        counts = player_counts(self.cleaned_data["game"])
        return counts[0] if len(counts) == 1 else self.cleaned_data["players"] or counts[0]


@require_http_methods(["GET", "HEAD", "POST"])
@rate_limits.limited(rate_limits.NEW_TABLES)
def dice2(request: HttpRequest) -> HttpResponse:
    """Show the form for a new table; on POST, open the table and seat the user."""
    is_sent = request.method == "POST"
    form = OpenForm(request.POST) if is_sent else OpenForm()
    if is_sent and form.is_valid():
        sent, token = form.cleaned_data, token_for(request)
        code = seating.open_dice2_table(
            sent["game"],
            players=form.players_for,
            dice=sent["dice"],
            name=player_name(sent["name"], 1),
            token=token,
            target=sent["target"] or TARGETS[0],
            has_handicap=sent["handicap"],
            bots=form.strength,
        )
        add_to_chosen_group(request, find_access(code).table)
        if form.players_for == 1 or form.strength:  # no other person takes a seat
            acts.start(find_access(code, token))
        return set_token_cookie(redirect("table", code=code), token)
    context = {
        "games": [(name, title, GAME_AIMS[name]) for name, title in GAME_NAMES.items()],
        "counts": PLAYER_COUNTS,
        "targets": TARGETS,
        "wrong": first_errors(form),
        "chosen": {
            "game": request.POST.get("game") or request.GET.get("game") or "four-wins",
            "players": request.POST.get("players", str(PLAYER_COUNTS[0])),
            "dice": request.POST.get("dice", TYPED),
            "bots": request.POST.get("bots", ""),
            "handicap": "handicap" in request.POST,
            "target": request.POST.get("target", str(TARGETS[0])),
            "name": request.POST.get("name", ""),
        },
    }
    return render(request, "dice2/new.html", context, status=400 if is_sent else 200)

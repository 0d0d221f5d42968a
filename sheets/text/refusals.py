"""Sentences for acts that a rule of Dizzle refuses; each names the field and the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from sheets.rules import RuleViolation
from sheets.text.player_names import player_name

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Facts = Mapping[str, str | int]


def explain(violation: RuleViolation, players: Sequence[str] = ()) -> str:
    """Return the sentence for a refusal in the active language.

    Args:
        violation: the exception that `sheets.rules` raised.
        players: names in seating order; players without one are called by their number.
    """
    sentence = _SENTENCES[violation.rule](violation.facts, players)
    if house_rule := violation.facts.get("house_rule"):
        return f"{sentence} {_HOUSE_RULE_SENTENCES[str(house_rule)]}"
    return sentence


def _not_now(facts: Facts, players: Sequence[str]) -> str:
    do, phase = facts.get("do", ""), facts.get("phase", "")
    waiting = {
        "erupt": _("That has to wait: the roll for the volcano comes first."),
        "lava": _("That has to wait: first everyone chooses a field for the lava."),
        "roll": _("That has to wait: first the start player rolls the dice."),
        "turn": _("That has to wait until this pass is over."),
        "return": _("That has to wait: first a die has to go back to the pool."),
        "extra": _("That has to wait: first the two extra dice are rolled."),
        "marking": _("That has to wait: first the rockets and tracks of this pass are drawn."),
        "open": _("That has to wait until this pass is ended."),
        "finished": _("The game is over, so nothing changes any more."),
    }
    choosing = {"rocket": "marking", "track": "marking", "lava": "lava"}
    if choosing.get(str(do)) == phase:
        return _("There is nothing left for you to choose here.")
    return waiting.get(str(phase), _("That is not possible at this moment."))


def name_player_to_move(facts: Facts, players: Sequence[str]) -> str:
    """Return the name, or else the number, of the player whose ``turn`` it is."""
    index = int(facts.get("turn", 0))
    return player_name(players[index] if index < len(players) else "", index + 1)


def not_your_turn(facts: Facts, players: Sequence[str]) -> str:
    """Return the sentence for an act out of turn, in Dizzle and in Dice²."""
    return _("Not yet: it is %(name)s’s turn.") % {"name": name_player_to_move(facts, players)}


def _bad_dice(facts: Facts, players: Sequence[str]) -> str:
    count = int(facts.get("count", 0))
    return ngettext(
        "This roll has exactly %(count)s die, not %(given)s.",
        "This roll has exactly %(count)s dice, not %(given)s.",
        count,
    ) % {"count": count, "given": facts.get("given", 0)}


def _locked(facts: Facts, players: Sequence[str]) -> str:
    # A separate phrase for each key, because German inflects the article and the adjective.
    keys = {
        "red": pgettext("cross the … first", "the red key"),
        "orange": pgettext("cross the … first", "the orange key"),
        "yellow": pgettext("cross the … first", "the yellow key"),
        "green": pgettext("cross the … first", "the green key"),
        "blue": pgettext("cross the … first", "the blue key"),
        "purple": pgettext("cross the … first", "the purple key"),
        "white": pgettext("cross the … first", "the white key"),
        "black": pgettext("cross the … first", "the black key"),
    }
    return _("%(at)s is a closed lock: %(key)s must be crossed in an earlier pass.") % {
        "at": facts["at"],
        "key": keys[str(facts["colour"])],
    }


def _not_a_choice(facts: Facts, players: Sequence[str]) -> str:
    if facts.get("do") == "lava":
        sentence = _(
            "%(at)s cannot become lava: it needs the number rolled and has to touch "
            "your volcano or your lava."
        )
    elif facts.get("do") == "track":
        sentence = _("%(at)s gets no track: only dice of this pass leave one.")
    else:
        sentence = _("%(at)s is not an open planet: choose one for your rocket.")
    return sentence % facts


def _no_such_die(facts: Facts, players: Sequence[str]) -> str:
    if "die" in facts:
        return _("There is no %(die)s in the pool.") % facts
    return _("None of your dice lies on %(at)s.") % facts


_SENTENCES: Mapping[str, Callable[[Facts, Sequence[str]], str]] = {
    "not-now": _not_now,
    "not-your-turn": not_your_turn,
    "dropped-out": lambda facts, players: _(
        "You have dropped out of this pass; you play again in the next one."
    ),
    "must-place": lambda facts, players: _("One of the dice fits, so you have to place it first."),
    "must-return": lambda facts, players: _(
        "Nothing fitted after the reroll: first put one of your dice back in the pool."
    ),
    "bad-dice": _bad_dice,
    "no-field": lambda facts, players: _("There is no field %(at)s on this sheet.") % facts,
    "field-taken": lambda facts, players: (
        _("%(at)s is taken: it already has a cross or one of your dice.") % facts
    ),
    "no-number": lambda facts, players: (
        _("%(at)s has no number, so no die can ever lie there.") % facts
    ),
    "exploded": lambda facts, players: (
        _("%(at)s has exploded and can never be used again.") % facts
    ),
    "lava": lambda facts, players: _("%(at)s is lava: no die can lie there any more.") % facts,
    "locked": _locked,
    "not-a-choice": _not_a_choice,
    "not-next-to-cross": lambda facts, players: (
        _("%(at)s is too far away: it touches none of your crosses.") % facts
    ),
    "not-next-to-die": lambda facts, players: (
        _("%(at)s touches none of your dice: go on beside one of them.") % facts
    ),
    "wrong-number": lambda facts, players: (
        _("%(at)s takes no %(die)s: it is a %(number)s.") % facts
    ),
    "no-such-die": _no_such_die,
}
"""Function that returns the sentence, by the name of the rule that refuses the act."""

_HOUSE_RULE_SENTENCES: Mapping[str, _StrPromise] = {
    "keep-dice": gettext_lazy("By a house rule of this game, a failed reroll returns nothing."),
    "dice": gettext_lazy("A house rule of this game sets the number of dice."),
    "rounds": gettext_lazy("A house rule of this game sets the number of rounds."),
}
"""Sentence that follows a refusal if the printed rules might allow the act, by house rule."""

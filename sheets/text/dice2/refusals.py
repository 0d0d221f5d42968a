"""Sentences for acts that a rule of Dice² refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from sheets.rules import RuleViolation
from sheets.text.refusals import Facts, name_player_to_move, not_your_turn


def explain_dice2(violation: RuleViolation, players: Sequence[str] = ()) -> str:
    """Return the sentence for a refusal in the active language.

    Args:
        violation: the exception that `sheets.rules.dice2` raised.
        players: names in seating order; players without one are called by their number.
    """
    return SENTENCES[violation.rule](violation.facts, players)


def _start_order(facts: Facts, players: Sequence[str]) -> str:
    name = {"name": name_player_to_move(facts, players)}
    if facts.get("shared"):
        return _("The next game is started by %(name)s: all shared the last one.") % name
    return _("The next game is started by %(name)s, who did worst in the last one.") % name


def _row_order(facts: Facts, players: Sequence[str]) -> str:
    if int(facts["die"]) < int(facts["low"]):
        text = _("%(at)s takes no %(die)s: left of it lies the %(low)s on %(by)s; rows never fall.")
    else:
        text = _(
            "%(at)s takes no %(die)s: right of it lies the %(high)s on %(by)s; rows never fall."
        )
    return text % facts


def _column_order(facts: Facts, players: Sequence[str]) -> str:
    if int(facts["die"]) < int(facts["low"]):
        text = _(
            "%(at)s takes no %(die)s: above it lies the %(low)s on %(by)s; columns never fall."
        )
    else:
        text = _(
            "%(at)s takes no %(die)s: below it lies the %(high)s on %(by)s; columns never fall."
        )
    return text % facts


def _square_bounds(facts: Facts, players: Sequence[str]) -> str:
    if facts["what"] == "rows":
        text = _(
            "With %(at)s it would be %(count)s rows, counted from the die on %(by)s; four "
            "are the most."
        )
    else:
        text = _(
            "With %(at)s it would be %(count)s columns, counted from the die on %(by)s; four "
            "are the most."
        )
    return text % facts


def _six_in_a_row(facts: Facts, players: Sequence[str]) -> str:
    text = _(
        "With %(at)s, %(count)s dice would stand in a row with those on %(dice)s; five are the "
        "most."
    )
    return text % {**facts, "dice": ", ".join(str(facts["by"]).split())}


SENTENCES: Final[Mapping[str, Callable[[Facts, Sequence[str]], str]]] = {
    "not-now": lambda facts, players: (
        _("The last game is not over yet, or the relay is won already.")
        if facts.get("do") == "begin"
        else _("The game is over, so nothing changes any more.")
    ),
    "not-your-turn": not_your_turn,
    "start-order": _start_order,
    "must-place": lambda facts, players: (
        _("The %(die)s fits, on %(at)s for example, so it has to be placed.") % facts
    ),
    "no-field": lambda facts, players: _("There is no field %(at)s on this board.") % facts,
    "field-taken": lambda facts, players: _("A die lies on %(at)s already.") % facts,
    "centre-first": lambda facts, players: _("The first die goes on the dark field, e5."),
    "not-next-to-die": lambda facts, players: (
        _("%(at)s is too far away: a die has to share an edge with another.") % facts
    ),
    "square-bounds": _square_bounds,
    "own-colour": lambda facts, players: (
        _("%(at)s touches none of your own dice, not even at a corner.") % facts
    ),
    "six-in-a-row": _six_in_a_row,
    "row-order": _row_order,
    "column-order": _column_order,
}
"""Function that returns the sentence, by the name of the rule of Dice² that refuses the act."""

"""Sentences on a finished board of Dice²: points, paying lines, doubts."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.rules import RuleViolation
from sheets.rules.dice2.game import PaidLine
from sheets.rules.dice2.kinds import MARKERS_TO_WIN
from sheets.rules.dice2.paper_scoring import PaperBoardScore, winners_of
from sheets.text.labels import with_label
from sheets.text.player_names import join_names


def colour_name(player: int) -> str:
    """Return the name of a player on a board played without the app: the colour of their dice."""
    return (_("Blue"), _("Yellow"), _("Red"))[player]


def line_sentence(line: PaidLine, names: Sequence[str]) -> str:
    """Return the sentence on a line that paid: its ends, and why, or who gets the markers."""
    span = f"{line.fields[0]}–{line.fields[-1]}"
    if line.what == "run":
        who = join_names([names[owner] for owner in line.owners])
        if len(line.owners) > 1:
            return _("%(span)s: one marker each for %(who)s") % {"span": span, "who": who}
        return _("%(span)s: two markers for %(who)s") % {"span": span, "who": who}
    what = _("four alike") if line.what == "same" else _("consecutive")
    return with_label(span, what)


def winners_sentence(finished: PaperBoardScore) -> str:
    """Return the sentence on who won or leads in Major Dice, as far as the board shows it."""
    winners = winners_of(finished)
    who = join_names([colour_name(player) for player in winners])
    if not finished.is_over:
        return ngettext(
            "%(who)s has the most markers so far.",
            "%(who)s have the most markers so far.",
            len(winners),
        ) % {"who": who}
    if len(winners) == 1:
        count = finished.points[winners[0]]
        return ngettext(
            "%(who)s wins with %(count)d marker.", "%(who)s wins with %(count)d markers.", count
        ) % {"who": who, "count": count}
    if finished.points[winners[0]] >= MARKERS_TO_WIN:
        return _("%(who)s: the one of them whose last die was placed later wins.") % {"who": who}
    return _("%(who)s share the win.") % {"who": who}


def doubt_sentence(doubt: RuleViolation) -> str:
    """Return the sentence on a board's state that no legal game leads to."""
    facts = doubt.facts
    if doubt.rule == "too-many-dice":
        return _("%(who)s has %(count)s dice; %(most)s are all there are.") % {
            **facts,
            "who": colour_name(int(facts["player"])),
        }
    if doubt.rule == "won-before":
        reached = [colour_name(int(player)) for player in str(facts["players"]).split()]
        if len(reached) == 1:
            sentence = _("%(who)s has %(count)s markers, but the game ends once somebody has six.")
        else:
            sentence = _(
                "%(who)s have six markers or more, but the game ends once somebody has six."
            )
        return sentence % {**facts, "who": join_names(reached)}
    if doubt.rule == "apart":
        dice = [str(facts["at"]), *str(facts["by"]).split()]
        return _("The dice on %(fields)s share no edge with the other dice.") % {
            "fields": join_names(dice)
        }
    return {
        "centre-first": _("No die lies on the dark field, e5, where the first one goes."),
        "no-field": _("%(at)s is not on this game’s board."),
        "not-next-to-die": _("The die on %(at)s shares an edge with no other."),
        "square-bounds": _("The dice take up more than four rows or columns."),
        "six-in-a-row": _("From %(at)s to %(by)s more than five dice stand in a row."),
        "row-order": _(
            "%(at)s: the %(die)s is less than the %(low)s on %(by)s, left of it; rows never fall."
        ),
        "column-order": _(
            "%(at)s: the %(die)s is less than the %(low)s on %(by)s, above it; columns never fall."
        ),
    }[doubt.rule] % facts

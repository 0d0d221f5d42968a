"""Sentences for the doubts of `sheets.rules.doubts`: marks that no legal game can produce."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from sheets.rules.doubts import Doubt
from sheets.rules.paper_scoring import Paper
from sheets.text.player_names import join_names

SENTENCES: Final[Mapping[str, str | Promise]] = {
    "lock-without-key": ngettext_lazy(
        "%(fields)s is a lock, but no key of its colour is crossed.",
        "%(fields)s are locks, but no key of their colour is crossed.",
        "count",
    ),
    "bomb-still-open": ngettext_lazy(
        "Somebody crossed the bomb on %(fields)s, so here it must have exploded.",
        "Somebody crossed the bombs on %(fields)s, so here they must have exploded.",
        "count",
    ),
    "bomb-nobody-crossed": ngettext_lazy(
        "The bomb on %(fields)s has exploded, but nobody has crossed it.",
        "The bombs on %(fields)s have exploded, but nobody has crossed them.",
        "count",
    ),
    "lonely-cross": gettext_lazy(
        "No chain of crosses leads to %(fields)s. Is a cross missing on the way?"
    ),
    "no-start": gettext_lazy(
        "No printed cross or track is entered for this level, so the app did not "
        "check where marks may begin."
    ),
    "no-number-crossed": ngettext_lazy(
        "%(fields)s has no number, so no die can have been there.",
        "%(fields)s have no number, so no die can have been there.",
        "count",
    ),
    "planet-without-rocket": gettext_lazy(
        "Only rockets reach %(fields)s, and too few rockets are crossed."
    ),
    "rocket-without-planet": ngettext_lazy(
        "The rocket on %(fields)s is crossed, but its planet is not. Forgotten?",
        "The rockets on %(fields)s are crossed, but not as many planets. Forgotten?",
        "count",
    ),
    "exploded-no-bomb": ngettext_lazy(
        "%(fields)s has exploded, but it is no bomb.",
        "%(fields)s have exploded, but they are no bombs.",
        "count",
    ),
    "lonely-lava": gettext_lazy("No lava leads from a volcano to %(fields)s."),
    "number-without-flag": gettext_lazy(
        "A number is circled for the flag on %(fields)s, but it is not crossed."
    ),
    "number-without-race": gettext_lazy(
        "A number is circled for the area of %(fields)s, but it is not complete."
    ),
    "numbers-do-not-fit": gettext_lazy(
        "The numbers circled for %(fields)s cannot all be right: the later player gets a lower one."
    ),
}
"""Sentence by name of doubt, one for each of `sheets.rules.doubts.DOUBTS`."""


def describe_doubt(doubt: Doubt, paper: Paper, *, is_named: bool = True) -> str:
    """Return the sentence for a doubt in the active language.

    It begins with the player whose sheet is meant, unless ``is_named`` is false.
    """
    facts = {"fields": join_names(doubt.fields), "count": len(doubt.fields)}
    sentence = str(SENTENCES[doubt.name] % facts)
    if doubt.player < 0 or not is_named:
        return sentence
    return _("%(who)s: %(what)s") % {"who": paper.players[doubt.player], "what": sentence}

"""What do we say to people about marks that cannot have come about in a legal game?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from sheets.rules.doubts import Doubt
from sheets.rules.paper import Paper
from sheets.texts.players import join_names

SENTENCES: Final[Mapping[str, str | Promise]] = {
    "lock-without-key": gettext_lazy(
        "%(player)s: %(fields)s is a lock, but no key of its colour is crossed."
    ),
    "bomb-still-open": gettext_lazy(
        "%(player)s: somebody crossed the bomb on %(fields)s, so here it must have exploded."
    ),
    "bomb-nobody-crossed": gettext_lazy(
        "The bomb on %(fields)s has exploded, but nobody has crossed it."
    ),
    "lonely-cross": gettext_lazy(
        "%(player)s: no chain of crosses leads to %(fields)s. Is a cross missing on the way?"
    ),
    "no-number-crossed": gettext_lazy(
        "%(player)s: %(fields)s has no number, so no die can have been there."
    ),
    "planet-without-rocket": gettext_lazy(
        "%(player)s: only rockets reach %(fields)s, and too few rockets are crossed."
    ),
    "rocket-without-planet": gettext_lazy(
        "%(player)s: the rocket on %(fields)s is crossed, but its planet is not. Forgotten?"
    ),
    "exploded-no-bomb": gettext_lazy("%(player)s: %(fields)s has exploded, but it is no bomb."),
    "lonely-lava": gettext_lazy("%(player)s: no lava leads from a volcano to %(fields)s."),
    "number-without-flag": gettext_lazy(
        "%(player)s: a number is circled for the flag on %(fields)s, but it is not crossed."
    ),
    "number-without-race": gettext_lazy(
        "%(player)s: a number is circled for the area of %(fields)s, but it is not complete."
    ),
    "numbers-do-not-fit": gettext_lazy(
        "The numbers circled for %(fields)s cannot all be right: who comes later gets a lower one."
    ),
}
"""One sentence for each name in `sheets.rules.doubts.DOUBTS`."""


def describe_doubt(doubt: Doubt, paper: Paper) -> str:
    """The sentence about a doubt, in the language that is active."""
    player = paper.players[doubt.player] if doubt.player >= 0 else ""
    facts = {"player": player, "fields": join_names(doubt.fields)}
    return str(SENTENCES[doubt.name]) % facts

"""Sentences on the act that the hard bot would choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from sheets.rules import Action, Level
from sheets.text.symbols import MARK_NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

SENTENCES: Final[Mapping[str, _StrPromise]] = {
    "place": gettext_lazy("The hard bot would put the %(die)s on %(at)s."),
    "reroll": gettext_lazy("The hard bot would reroll the pool."),
    "drop": gettext_lazy("The hard bot would drop out of this pass."),
    "return": gettext_lazy("The hard bot would put the die on %(at)s back."),
    "lava": gettext_lazy("The hard bot would give %(at)s to the lava."),
    "rocket": gettext_lazy("The hard bot would fly to the planet on %(at)s."),
    "track": gettext_lazy("The hard bot would draw on %(at)s: %(track)s."),
}
"""Sentence by kind of action."""


def hint_sentence(action: Action, level: Level) -> str:
    """Return the sentence on the hard bot's action in a game on a level."""
    number = level.numbers[level.index[action.at]] if action.do == "place" else 0
    facts = {"at": action.at, "die": action.die or number, "track": MARK_NAMES[action.shape]}
    return SENTENCES[action.do] % facts

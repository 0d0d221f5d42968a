"""What are players called, one by one and in a sentence?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import override

from sheets.texts.languages import languages


def player_name(player: str, position: int) -> str:
    """A player's name, or the place at the table, counted from 1, of one without a name."""
    return player or _("Player %(number)d") % {"number": position}


def join_names(names: Sequence[str]) -> str:
    """Names, of people or fields, as they are listed in a sentence."""
    if len(names) < 2:
        return "".join(names)
    return _(" and ").join((", ".join(names[:-1]), names[-1]))


def typed_names(names: Iterable[str]) -> list[str]:
    """The names, empty for who is called by a place at the table because nobody typed a name."""
    found = []
    for number, name in enumerate(names, start=1):
        usual = set()
        for language in languages():
            with override(language):
                usual.add(player_name("", number))
        found.append("" if name in usual else name)
    return found

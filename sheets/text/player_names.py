"""Names of players, single and as an enumeration in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import override

from sheets.text.languages import languages


def player_name(player: str, position: int) -> str:
    """Return a player's name, or “Player 2” for an empty one; ``position`` counts from 1."""
    return player or _("Player %(number)d") % {"number": position}


def join_names(names: Sequence[str]) -> str:
    """Return an enumeration of names, of people or fields: “Ana, Ben and Cem”."""
    if len(names) < 2:
        return "".join(names)
    return _(" and ").join((", ".join(names[:-1]), names[-1]))


def typed_names(names: Iterable[str]) -> list[str]:
    """Return the names as users typed them: the defaults of `player_name` become empty.

    The defaults of all languages are recognised.
    """
    found = []
    for number, name in enumerate(names, start=1):
        defaults = set()
        for language in languages():
            with override(language):
                defaults.add(player_name("", number))
        found.append("" if name in defaults else name)
    return found

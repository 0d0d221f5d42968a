"""House rules in words: labels, and titles of levels that have some."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, override

from sheets.rules import Level
from sheets.rules.house_rules import HouseRules
from sheets.text.languages import languages
from sheets.text.symbols import in_language


class ShownHouseRule(NamedTuple):
    """A house rule of a game: its name, which is its anchor on the page of the rules, and label."""

    name: str
    label: str


STARTER_LABELS: Final = {
    "fewest-points": gettext_lazy("The player with the fewest points starts"),
    "same-player": gettext_lazy("The same player starts every pass"),
}
"""Label of each value of `HouseRules.starter` that changes the rules."""

_LABELS: Final[Mapping[str, Callable[[HouseRules], str]]] = {
    "keep_dice": lambda _house: _("A failed reroll returns nothing"),
    "play_on": lambda _house: _("The last player goes on"),
    "starter": lambda house: str(STARTER_LABELS[house.starter]),
    "no_bombs": lambda _house: _("No bombs"),
    "more_players": lambda _house: _("Five or six players"),
    "dice": lambda house: (
        ngettext("%(count)d die", "%(count)d dice", house.dice) % {"count": house.dice}
    ),
    "rounds": lambda house: (
        ngettext("%(count)d round", "%(count)d rounds", house.rounds) % {"count": house.rounds}
    ),
}
"""Function that returns the label of a house rule, by its key."""


def shown_house_rules(level: Level) -> list[ShownHouseRule]:
    """Return the house rules of a level or game in the active language; empty if it has none."""
    house = level.house_rules
    return [ShownHouseRule(key.replace("_", "-"), _LABELS[key](house)) for key in house.changed]


def level_title(level: Level) -> str:
    """Return the name of a level, followed by its house rules: “Harbour · No bombs”."""
    return " · ".join([in_language(level.name), *(rule.label for rule in shown_house_rules(level))])


def level_titles(level: Level) -> dict[str, str]:
    """Return `level_title` by language."""
    found = {}
    for language in languages():
        with override(language):
            found[language] = level_title(level)
    return found

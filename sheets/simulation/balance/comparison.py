"""Columns of a report's tables that compare a level with others."""

from __future__ import annotations

from django.utils.translation import gettext as _

from sheets.charts.numbers import percent
from sheets.rules import Level
from sheets.simulation.balance.shipped import Beside, OtherLevels
from sheets.texts.symbols import in_language

NOTHING = "–"
"""Cell of a figure that a level does not have."""


def level_name(level: Level) -> str:
    """Return the name of a level, also of one without a name."""
    return in_language(level.name) or _("This level")


def head_beside(first: str, others: OtherLevels) -> list[str]:
    """Return the head of a table of shares with those of other levels."""
    return [first, _("This level"), *words_beside(others)]


def words_beside(others: OtherLevels) -> list[str]:
    """Return the heads of the columns with the figures of other levels."""
    return [level_name(others.chosen), _("levels of the app, median"), _("from – to")]


def cells_beside(beside: Beside | None) -> list[str]:
    """Return the cells below `words_beside`."""
    if beside is None:
        return [NOTHING] * 3
    one = NOTHING if beside.one is None else percent(beside.one)
    return [one, percent(beside.median), f"{percent(beside.least)} – {percent(beside.most)}"]

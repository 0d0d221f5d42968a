"""Columns of a report's tables that compare a level with others."""

from __future__ import annotations

from django.utils.translation import gettext as _

from sheets.charts.numbers import percent
from sheets.rules import Level
from sheets.simulation.balance.shipped_figures import ComparedFigure, OtherLevels
from sheets.text.symbols import in_language

EMPTY_CELL = "–"
"""Text of a table cell if a level does not have the statistic."""


def level_name(level: Level) -> str:
    """Return the name of a level, also of one without a name."""
    return in_language(level.name) or _("This level")


def comparison_head(first: str, others: OtherLevels) -> list[str]:
    """Return the column headings of a table that compares shares with other levels."""
    return [first, _("This level"), *comparison_columns(others)]


def comparison_columns(others: OtherLevels) -> list[str]:
    """Return the headings of the columns with the statistics of other levels."""
    return [level_name(others.chosen), _("levels of the app, median"), _("from – to")]


def comparison_cells(compared: ComparedFigure | None) -> list[str]:
    """Return the cells below `comparison_columns`; dashes without a comparison."""
    if compared is None:
        return [EMPTY_CELL] * 3
    one = EMPTY_CELL if compared.one is None else percent(compared.one)
    return [one, percent(compared.median), f"{percent(compared.least)} – {percent(compared.most)}"]

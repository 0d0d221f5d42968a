"""What is a figure of a balance report: a plot, a sentence, and a table beside other levels?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from sheets.rules import Level
from sheets.simulation.balance.plots import percent
from sheets.simulation.balance.shipped import Beside, OtherLevels
from sheets.texts.symbols import in_language

Setting = Mapping[str, Any]

NOTHING = "–"
"""What stands in a table where a level has no such figure."""


class Figure(NamedTuple):
    """A plot with its title, a sentence about it, and the table with its figures.

    The first cell of each of ``rows`` heads it. ``players`` is the number of players that it is
    about, 0 if it is about all.
    """

    name: str
    title: str
    sentence: str
    plot: SafeString
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    players: int = 0


def make_figure(
    name: str,
    title: str,
    sentence: str,
    plot: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    players: int = 0,
) -> Figure:
    """A figure with a plot of ours."""
    svg = mark_safe(plot)  # noqa: S308  drawn by us
    return Figure(name, title, sentence, svg, head, rows, players)


def level_name(level: Level) -> str:
    """What a level is called, also one without a name."""
    return in_language(level.name) or _("This level")


def head_beside(first: str, others: OtherLevels) -> list[str]:
    """The head of a table of shares beside those of other levels."""
    return [first, _("This level"), *words_beside(others)]


def words_beside(others: OtherLevels) -> list[str]:
    """The heads of the columns with the figures of other levels."""
    return [level_name(others.chosen), _("levels of the app, median"), _("from – to")]


def cells_beside(beside: Beside | None) -> list[str]:
    """The cells below `words_beside`."""
    if beside is None:
        return [NOTHING] * 3
    one = NOTHING if beside.one is None else percent(beside.one)
    return [one, percent(beside.median), f"{percent(beside.least)} – {percent(beside.most)}"]

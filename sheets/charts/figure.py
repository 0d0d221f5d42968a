"""Chart with its title, a sentence about it, and a table with its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe


class Figure(NamedTuple):
    """Chart with the head and the rows of its table; the first cell of a row is its heading.

    ``players`` is the number of players in its games, 0 if it is about all numbers of players.
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
    """Return a figure with a chart of this package."""
    svg = mark_safe(plot)  # noqa: S308  drawn by us
    return Figure(name, title, sentence, svg, head, rows, players)

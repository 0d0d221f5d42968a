"""Chart with its title, a sentence about it, and a table with its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe


class Figure(NamedTuple):
    """Chart with its texts and its table; the first cell of a table row is the row's heading.

    ``name`` is part of the HTML id. ``players`` is the number of players in the games that the
    chart shows; 0 if it shows games of all numbers of players.
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
    """Return a figure; ``plot`` is the SVG of a chart of this package, which is safe HTML."""
    svg = mark_safe(plot)  # noqa: S308  drawn by us
    return Figure(name, title, sentence, svg, head, rows, players)

"""Chart of the page of a group: how the wins of its leading players have added up."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.charts.figure import Figure, make_figure
from sheets.charts.lines import PLAYER_COLOURS, Label, Line, Point, line_chart, mark
from sheets.groups.player_figures import wins_words
from sheets.groups.standings import StandingsRow, StandingsTable
from sheets.groups.statistics import PlayedGame
from sheets.names.markup import untranslated

MAX_STEPS: Final = 12
"""Maximum number of steps of a line, and of rows in the table of the chart."""

MIN_MATCHES: Final = 3
"""Minimum number of games with others for a chart."""


def wins_figure(table: StandingsTable) -> Figure | None:
    """Return the chart of the players with most wins; None if there are too few games or players.

    Lines have the colours of `wins_key`.
    """
    rows, matches = _shown(table), table.matches
    if len(rows) < 2 or len(matches) < MIN_MATCHES:
        return None
    steps = min(MAX_STEPS, len(matches))
    counts = [len(matches) * step // steps for step in range(steps + 1)]
    courses = [_course(row.player.pk, matches) for row in rows]
    lines = [
        Line([Point(count / len(matches), course[count]) for count in counts], seat)
        for seat, course in enumerate(courses)
    ]
    days = [date_format(game.evening, "SHORT_DATE_FORMAT") for game in (matches[0], matches[-1])]
    labels = [Label(0, days[0], "start"), Label(1, days[1], "end")]
    title = _("Wins over time")
    sentence = ngettext(
        "All wins of each player up to then, from %(count)d game with others. A shared win counts "
        "in part.",
        "All wins of each player up to then, from %(count)d games with others. A shared win counts "
        "in part.",
        len(matches),
    ) % {"count": len(matches)}
    if len(rows) < len(table.rows):
        sentence += " " + _("The chart shows the first %(count)d players.") % {"count": len(rows)}
    head = [_("Games"), *(untranslated(row.player.name) for row in rows)]
    cells = [[str(count), *(wins_words(course[count]) for course in courses)] for count in counts]
    plot = line_chart(title, lines, labels, is_share=False)
    return make_figure("wins", title, sentence, plot, head, cells)


def wins_key(table: StandingsTable) -> list[tuple[str, SafeString]]:
    """Return the names and the marks of the players in the chart."""
    return [
        (row.player.name, mark_safe(mark(seat, 0, 0)))  # noqa: S308  drawn by us
        for seat, row in enumerate(_shown(table))
    ]


def _shown(table: StandingsTable) -> list[StandingsRow]:
    return table.rows[: len(PLAYER_COLOURS)]


def _course(player: int, matches: list[PlayedGame]) -> list[float]:
    """Return a player's wins before the first game and after each game."""
    won = (sum(seat.won for seat in game.seats if seat.player == player) for game in matches)
    return list(accumulate(won, initial=0.0))

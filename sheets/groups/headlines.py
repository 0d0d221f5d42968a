"""Sentences that open the page of a group: who leads, and who has a winning streak."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.charts.numbers import one_decimal
from sheets.groups.player_figures import wins_words
from sheets.groups.standings import StandingsRow, StandingsTable
from sheets.groups.statistics import streaks
from sheets.names.markup import untranslated
from sheets.text.player_names import join_names

MIN_STREAK: Final = 3
"""Minimum number of wins in a row that the page mentions."""


def headlines_of(table: StandingsTable) -> Iterator[SafeString]:
    """Yield who leads a table, and whose winning streak is the longest now, if anybody does."""
    leaders = [row for row in table.rows if row.place == 1]
    if len(leaders) < len(table.rows):
        yield _of_average(leaders) if table.is_of_all else _of_wins(leaders, table.rows)
    rows = {row.player.pk: row for row in table.rows}
    now = {pk: streak.now for pk, streak in streaks(table.matches).items() if pk in rows}
    longest = max(now.values(), default=0)
    holders = [rows[pk] for pk, wins in now.items() if wins == longest]
    if longest >= MIN_STREAK and len(holders) == 1:
        text = _("%(names)s has won %(count)d games in a row.")
        yield _sentence(text, holders, count=longest)


def _of_wins(leaders: Sequence[StandingsRow], rows: Sequence[StandingsRow]) -> SafeString:
    sums = leaders[0].sums
    wins = wins_words(sums.wins)
    if len(leaders) > 1:
        return _sentence(_("%(names)s share the lead. Wins: %(wins)s each."), leaders, wins=wins)
    if wins == wins_words(rows[1].sums.wins):
        text = _("%(names)s leads by the average. Others have as many wins: %(wins)s.")
    elif wins == "1":
        text = ngettext(
            "%(names)s leads with 1 win in %(count)d game.",
            "%(names)s leads with 1 win in %(count)d games.",
            sums.games,
        )
    else:
        text = ngettext(
            "%(names)s leads with %(wins)s wins in %(count)d game.",
            "%(names)s leads with %(wins)s wins in %(count)d games.",
            sums.games,
        )
    return _sentence(text, leaders, wins=wins, count=sums.games)


def _of_average(leaders: Sequence[StandingsRow]) -> SafeString:
    text = ngettext(
        "%(names)s leads with %(mean)s points on average.",
        "%(names)s lead with %(mean)s points on average.",
        len(leaders),
    )
    return _sentence(text, leaders, mean=one_decimal(leaders[0].sums.mean or 0))


def _sentence(text: str, rows: Sequence[StandingsRow], **facts: str | int) -> SafeString:
    """Return a text as HTML; ``names`` are the players of these rows, the facts are numbers."""
    names = [untranslated(row.player.name) for row in rows]
    return mark_safe(text % {**facts, "names": join_names(names)})  # noqa: S308  facts are numbers

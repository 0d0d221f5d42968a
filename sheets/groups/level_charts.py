"""Charts of the page of a group's level, with the totals of bots for comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.charts.figure import Figure, make_figure
from sheets.charts.histograms import Histogram, histograms
from sheets.charts.numbers import shortest_number
from sheets.groups.crossed_fields import Crossed
from sheets.groups.game_results import level_digest
from sheets.groups.statistics import MIN_GAMES
from sheets.levels import shipped_levels
from sheets.models import Group, Job
from sheets.simulation.balance.figures import five_words, heat_figure
from sheets.simulation.balance.report import plays_alike
from sheets.simulation.balance.sentences import format_players
from sheets.simulation.balance.shipped_figures import Totals, shipped_totals
from sheets.stats import five_numbers

MAX_REPORTS_SEARCHED: Final = 20
"""Maximum number of latest simulation reports on own levels that are searched."""


def bots_on(group: Group, digest: str, level_id: str) -> Mapping[int, Totals]:
    """Return the totals of bots on a level by number of players; empty without a report."""
    shipped = shipped_levels().get(level_id)
    if shipped and level_digest(shipped) == digest:
        return shipped_totals()[level_id]
    known = group.levels.filter(digest=digest).first()
    if known is None:
        return {}
    jobs = Job.objects.filter(
        level__isnull=False, state=Job.DONE, document__id=known.document["id"]
    )
    for job in jobs.order_by("-pk")[:MAX_REPORTS_SEARCHED]:
        if job.report and plays_alike(job.document, known.document):
            return {
                setting["players"]: Totals(setting["games"], setting["totals"])
                for setting in job.report["settings"]
            }
    return {}


def level_figures(
    totals: Mapping[int, Sequence[int]], bots: Mapping[int, Totals], crossed: Crossed | None
) -> Iterator[Figure]:
    """Yield a chart of totals by number of players, compared with bots, and a heat map of crosses.

    Charts from fewer than `MIN_GAMES` sheets or games are left out. ``totals`` must be ascending.
    """
    enough = {count: values for count, values in totals.items() if len(values) >= MIN_GAMES}
    if enough:
        yield _totals_figure(enough, bots)
    if crossed and crossed.games >= MIN_GAMES:
        yield _heat_figure(crossed)


def _totals_figure(totals: Mapping[int, Sequence[int]], bots: Mapping[int, Totals]) -> Figure:
    title = _("Totals")
    drawn, rows = [], []
    for count, values in totals.items():
        words, bot_totals = format_players(count), bots.get(count)
        others = bot_totals.totals if bot_totals else ()
        sheets = ngettext("%(count)d sheet", "%(count)d sheets", len(values))
        sheets %= {"count": len(values)}
        drawn.append(Histogram(f"{words} ({sheets})", values, others))
        rows.append([words, _("You"), *_five(values)])
        if others:
            rows.append([words, _("Bots"), *_five(others)])
    sentence = _("How many sheets ended with how many points. The line is the median.")
    if bots:
        sentence += " " + _("The thin outline and the diamond are the bots’.")
    head = [_("Players"), _("Who"), _("Sheets"), *five_words()]
    return make_figure("totals", title, sentence, histograms(title, drawn), head, rows)


def _five(values: Sequence[int]) -> list[str]:
    """Return the count and the five-number summary of ascending values, as cells of a table."""
    return [str(len(values)), *map(shortest_number, five_numbers(values))]


def _heat_figure(crossed: Crossed) -> Figure:
    title = _("Crossed fields")
    sentence = _("On how many of a hundred sheets a field is crossed.") + " "
    sentence += ngettext(
        "From %(sheets)d sheets of %(count)d game.",
        "From %(sheets)d sheets of %(count)d games.",
        crossed.games,
    ) % {"sheets": crossed.sheets, "count": crossed.games}
    setting = {"fields": crossed.shares, "players": 0}
    return heat_figure("crossed", title, sentence, crossed.level, setting)

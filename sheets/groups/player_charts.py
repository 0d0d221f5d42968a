"""Charts of a player's page: course of the rating, course of the points, points by category."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.charts.bars import Bar, mean_bars
from sheets.charts.figure import Figure, make_figure
from sheets.charts.lines import Label, Line, Point, line_chart
from sheets.charts.numbers import one_decimal
from sheets.groups.filters import ALL_GAMES
from sheets.groups.player_statistics import PlayerStatistics
from sheets.groups.ratings import Rating, Strength
from sheets.groups.statistics import MIN_GAMES, part_means
from sheets.text.symbols import CATEGORY_NAMES

MAX_POINTS: Final = 24
"""Maximum number of dots in the chart of the rating, and of rows in its table."""

MAX_BLOCKS: Final = 12
"""Maximum number of blocks of games; the chart of points has a dot for each block."""


class Block(NamedTuple):
    """Consecutive games: their first and last month, their number and their mean total."""

    begin: date
    end: date
    games: int
    mean: float


def figures_of_player(found: PlayerStatistics) -> Iterator[Figure]:
    """Yield the charts of a player's page, in the language of the reader."""
    strengths = [one for one in found.course if one.games >= MIN_GAMES]
    if found.choice == ALL_GAMES and len(strengths) > 1:
        yield _course_of_ratings(strengths, found.rated)
    blocks = blocks_of([(evening.replace(day=1), total) for evening, total in found.totals])
    if len(blocks) > 1:
        yield _course_of_points(blocks)
    count, means = part_means(found.own, lambda seat: seat.player == found.player)
    if count >= MIN_GAMES and any(part in CATEGORY_NAMES for part in means):
        others = part_means(found.games, lambda seat: seat.player not in (None, found.player))
        yield _parts(count, means, *others)


def rating_words(rating: Rating) -> str:
    """Format a rating with its error margin ("1,540 ± 60"), without line breaks."""
    points = number_format(rating.points, force_grouping=True)
    return f"{points}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{rating.within}"


def blocks_of(totals: Sequence[tuple[date, int]]) -> list[Block]:
    """Split totals into at most `MAX_BLOCKS` equal blocks of at least `MIN_GAMES` games.

    ``totals`` has the month and the total of each game, in order.
    """
    count = min(MAX_BLOCKS, len(totals) // MIN_GAMES)
    found = []
    for place in range(count):
        some = totals[place * len(totals) // count : (place + 1) * len(totals) // count]
        mean = sum(total for _month, total in some) / len(some)
        found.append(Block(some[0][0], some[-1][0], len(some), mean))
    return found


def _course_of_ratings(strengths: Sequence[Strength], games: int) -> Figure:
    title = _("Rating, evening by evening")
    last = len(strengths) - 1
    steps = min(MAX_POINTS - 1, last)
    shown = [strengths[place * last // steps] for place in range(steps + 1)]
    first, days = shown[0].day, (shown[-1].day - shown[0].day).days or 1
    points = [
        Point((one.day - first).days / days, one.rating.points, one.rating.within) for one in shown
    ]
    ends = (_day(first), _day(shown[-1].day))
    sentence = ngettext(
        "From %(count)d game. The true rating is likely to lie in the band.",
        "From %(count)d games. The true rating is likely to lie in the band.",
        games,
    ) % {"count": games}
    head = [_("Evening"), _("Games"), _("Rating")]
    rows = [[_day(one.day), str(one.games), rating_words(one.rating)] for one in shown]
    return make_figure("rating", title, sentence, _line_between(title, points, ends), head, rows)


def _course_of_points(blocks: Sequence[Block]) -> Figure:
    title = _("Points, from the first game to the latest")
    games = sum(block.games for block in blocks)
    sentence = _("All %(count)d games in their order; each point is the mean of some of them.") % {
        "count": games
    }
    points = [Point(place / (len(blocks) - 1), block.mean) for place, block in enumerate(blocks)]
    ends = (_month(blocks[0].begin), _month(blocks[-1].end))
    head = [_("When"), _("Games"), _("On average")]
    rows = [[_span(block), str(block.games), one_decimal(block.mean)] for block in blocks]
    return make_figure("points", title, sentence, _line_between(title, points, ends), head, rows)


def _parts(
    count: int, means: Mapping[str, float], other_count: int, other_means: Mapping[str, float]
) -> Figure:
    """Return the chart of a player's mean points by category, compared with the other players.

    The counts are the numbers of sheets over which the means are computed.
    """
    title = _("What the points are for")
    bars = [
        Bar(
            str(name),
            means.get(part, 0.0),
            other=other_means.get(part, 0.0) if other_count else None,
        )
        for part, name in CATEGORY_NAMES.items()
        if means.get(part) or other_means.get(part)
    ]
    sentence = _("Points per game, from %(count)d games.") % {"count": count}
    if other_count:
        sentence += " " + ngettext(
            "The diamond is the mean of the others of the group, from %(count)d sheet.",
            "The diamond is the mean of the others of the group, from %(count)d sheets.",
            other_count,
        ) % {"count": other_count}
    head = [_("What"), _("Points per game"), _("The others")]
    rows = [
        [bar.label, one_decimal(bar.value), "–" if bar.other is None else one_decimal(bar.other)]
        for bar in bars
    ]
    return make_figure("parts", title, sentence, mean_bars(title, bars), head, rows)


def _line_between(title: str, points: Sequence[Point], ends: tuple[str, str]) -> str:
    """Return a line chart with one line and a label below each end of it."""
    labels = [Label(0, ends[0], "start"), Label(1, ends[1], "end")]
    return line_chart(title, [Line(points)], labels, is_share=False)


def _span(block: Block) -> str:
    begin, end = _month(block.begin), _month(block.end)
    return begin if begin == end else f"{begin} – {end}"


def _day(day: date) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")


def _month(day: date) -> str:
    return date_format(day, "YEAR_MONTH_FORMAT")

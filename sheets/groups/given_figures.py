"""What is said and drawn of what somebody gave away: game by game, lately and before, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot, sqrt
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.analysis.given_away import EARLY, LATE
from sheets.analysis.words import amount, points_words
from sheets.groups.given import Given
from sheets.groups.plots import Point, Span, course, one_decimal, span_bars
from sheets.groups.titles import title_among
from sheets.simulation.balance.figure import Figure, make_figure

LATELY: Final = 5
"""The mean of so many games is compared with that of as many before."""

STUDENT: Final = 2.776
"""How many standard errors an interval at 95 % reaches around the mean of `LATELY` games.

Of the difference of two such means the interval reaches less far, so that it holds all the more.
"""

MOST_POINTS: Final = 24
"""So many points has a line at most, and its table so many rows."""


class Shown(NamedTuple):
    """What is shown of games alone, or of games with others.

    ``verdict`` says whether what ``sentence`` says can be chance; ``note`` is said besides.
    """

    title: str
    sentence: str
    verdict: str
    note: str
    figures: list[Figure]


class Mean(NamedTuple):
    """Points a game, and by how much they may be off at 95 %."""

    points: float
    within: float


def shown_given(
    name: str, games: Sequence[Given], names: Mapping[str, str], *, is_alone: bool
) -> Shown | None:
    """What is shown of games that were looked at, the first one first; None without any.

    Args:
        name: whose games these are.
        games: either all alone or all with others.
        names: what the levels of the group are called.
        is_alone: which of the two.
    """
    if not games:
        return None
    title = _("Alone") if is_alone else _("With others or bots")
    sentence, verdict, note = _sentences(name, games)
    figures = [_where(games, is_alone=is_alone)]
    if len(games) > 1:
        figures.insert(0, _course(games, names, is_alone=is_alone))
    return Shown(title, sentence, verdict, note, figures)


def mean_of(games: Sequence[Given]) -> Mean:
    """What was given away in these games on average, by what was measured in them."""
    return _mean([(one.points, one.within) for one in games])


def change(before: Sequence[Given], lately: Sequence[Given]) -> Mean:
    """How much less is given away than before, by how far games lie apart: what they promise."""
    errors = [
        max(stdev(one.points for one in some) * STUDENT / sqrt(len(some)), mean_of(some).within)
        for some in (before, lately)
    ]
    return Mean(mean_of(before).points - mean_of(lately).points, hypot(*errors))


def _mean(measured: Sequence[tuple[float, float]]) -> Mean:
    count = len(measured)
    within = hypot(*(within for _points, within in measured)) / count
    return Mean(fmean(points for points, _within in measured), within)


# Words --------------------------------------------------------------------------------------------


def _sentences(name: str, games: Sequence[Given]) -> tuple[str, str, str]:
    if len(games) < 2 * LATELY:
        return (
            _on_few(name, games),
            "",
            _("From ten games on, the last five are compared with those before."),
        )
    before, lately = games[-2 * LATELY : -LATELY], games[-LATELY:]
    sentence = _("%(name)s gave away %(lately)s a game lately, %(before)s before.") % {
        "name": name,
        "lately": _points(mean_of(lately).points),
        "before": amount(max(0.0, mean_of(before).points)),
    }
    note = _("These are the last five games that were analysed, and the five before them.")
    if len({one.game.level_digest for one in (*before, *lately)}) > 1:
        note += " " + _(
            "They were on several levels, and some levels have more to give away: choose "
            "one level at the top to compare."
        )
    return sentence, _verdict(change(before, lately)), note


def _on_few(name: str, games: Sequence[Given]) -> str:
    mean = mean_of(games)
    said = ngettext(
        "In the one game that was analysed, %(name)s gave away %(points)s, give or "
        "take %(within)s.",
        "In the %(count)d games that were analysed, %(name)s gave away %(points)s a "
        "game, give or take %(within)s.",
        len(games),
    )
    return said % {
        "count": len(games),
        "name": name,
        "points": _points(mean.points),
        "within": amount(mean.within),
    }


def _verdict(less: Mean) -> str:
    if less.points > less.within:
        return _("That is clearly less.")
    if -less.points > less.within:
        return _("That is clearly more.")
    return _(
        "That can be chance: from so few games, the change is between %(less)s less "
        "and %(more)s more."
    ) % {
        "less": _points(less.points + less.within),
        "more": amount(less.within - less.points),
    }


def _points(mean: float) -> str:
    """So many points in words; nobody gives away less than nothing."""
    return points_words(max(0.0, mean))


# Pictures -----------------------------------------------------------------------------------------


def _course(games: Sequence[Given], names: Mapping[str, str], *, is_alone: bool) -> Figure:
    title = _("Given away alone") if is_alone else _("Given away with others")
    steps = _steps(games)
    means = [mean_of(some) for some in steps]
    points = [
        Point(place / (len(steps) - 1), mean.points, mean.within)
        for place, mean in enumerate(means)
    ]
    if len(steps) == len(games):
        sentence = _(
            "Each point is a game. The true value lies in the band in 95 of 100 cases; "
            "values below zero are chance."
        )
        rows = [_game_row(one, names) for one in games]
        head = [_("Game"), _("Points given away"), _("Clear mistakes"), _("Points")]
    else:
        sentence = _(
            "All %(count)d games in their order; each point is the mean of some of them."
        ) % {"count": len(games)}
        rows = [_step_row(some) for some in steps]
        head = [_("When"), _("Points given away"), _("Clear mistakes"), _("Games")]
    ends = (_day(games[0]), _day(games[-1]))
    drawn = course(title, points, ends, floor=0.0)
    return make_figure(_id("given", is_alone), title, sentence, drawn, head, rows)


def _steps(games: Sequence[Given]) -> list[Sequence[Given]]:
    """The games in their order, in so many parts as a line may have points."""
    count = min(MOST_POINTS, len(games))
    edges = [place * len(games) // count for place in range(count + 1)]
    return [games[edges[place] : edges[place + 1]] for place in range(count)]


def _game_row(one: Given, names: Mapping[str, str]) -> list[str]:
    called = f"{title_among(names, one.game)}, {_day(one)}"
    mistakes = _("%(count)d of %(all)d choices") % {"count": one.mistakes, "all": one.decisions}
    return [called, _off(Mean(one.points, one.within)), mistakes, amount(one.total)]


def _step_row(some: Sequence[Given]) -> list[str]:
    mistakes = one_decimal(fmean(one.mistakes for one in some))
    days = _day(some[0]), _day(some[-1])
    when = days[0] if days[0] == days[1] else " – ".join(days)
    return [when, _off(mean_of(some)), mistakes, str(len(some))]


def _where(games: Sequence[Given], *, is_alone: bool) -> Figure:
    title = _("Where it goes alone") if is_alone else _("Where it goes with others")
    names = _kind_names()
    kinds = {kind: _Share(games, 0, kind) for kind in names}
    kinds = {kind: share for kind, share in kinds.items() if share.decisions}
    halves = {half: _Share(games, 1, half) for half in (EARLY, LATE)}
    called = {EARLY: _("First half"), LATE: _("Second half")}
    drawn = span_bars(
        title,
        [
            [Span(names[kind][0], *share.mean) for kind, share in kinds.items()],
            [Span(called[half], *share.mean) for half, share in halves.items()],
        ],
    )
    of_games = ngettext(
        "Points a game, from %(count)d game; the thin lines say how far each may be off.",
        "Points a game, from %(count)d games; the thin lines say how far each may be off.",
        len(games),
    ) % {"count": len(games)}
    most = _most({names[kind][1]: share.mean for kind, share in kinds.items()})
    when = _when(halves[EARLY].mean, halves[LATE].mean)
    head = [_("What"), _("Points a game"), _("Choices a game"), _("Clear mistakes a game")]
    rows = [share.row(names[kind][1]) for kind, share in kinds.items()]
    rows += [share.row(called[half]) for half, share in halves.items()]
    said = " ".join(filter(None, (of_games, most, when)))
    return make_figure(_id("where", is_alone), title, said, drawn, head, rows)


class _Share:
    """What some of the decisions of games have cost: those of a kind, or of a half."""

    def __init__(self, games: Sequence[Given], place: int, wanted: str | int) -> None:
        parts = [[part for part in one.parts if part[place] == wanted] for one in games]
        flat: list[Any] = [part for several in parts for part in several]
        self.games = len(games)
        self.decisions = sum(part[5] for part in flat)
        self.mistakes = sum(part[6] for part in flat)
        within = hypot(*(part[3] for part in flat))
        self.mean = Mean(sum(part[2] for part in flat) / self.games, within / self.games)

    def row(self, name: str) -> list[str]:
        """What stands in the table."""
        counts = (one_decimal(count / self.games) for count in (self.decisions, self.mistakes))
        return [capfirst(name), _off(self.mean), *counts]


def _most(means: Mapping[str, Mean]) -> str:
    """Which kind of decision clearly cost most, if any did."""
    ranked = sorted(means.items(), key=lambda one: one[1].points, reverse=True)
    if len(ranked) < 2:
        return ""
    (name, first), (_name, second) = ranked[:2]
    if first.points - second.points <= hypot(first.within, second.within):
        return ""
    return _("Most of it: %(what)s.") % {"what": name}


def _when(early: Mean, late: Mean) -> str:
    more, within = early.points - late.points, hypot(early.within, late.within)
    if more > within:
        return _("More goes in the first half of a game than in the second.")
    if -more > within:
        return _("More goes in the second half of a game than in the first.")
    return _("Between the halves of a game there is no clear difference.")


def _kind_names() -> dict[str, tuple[str, str]]:
    """What kinds of decisions are called, beside a bar and in full."""
    return {
        "place": (_("Placing"), _("placing dice")),
        "drop": (_("Drop out, reroll"), _("rerolling or dropping out")),
        "return": (_("Dice back"), _("dice that go back")),
        "rocket": (_("Rockets"), _("which planets rockets fly to")),
        "lava": (_("Lava"), _("where lava flows")),
        "track": (_("Tracks"), _("which tracks are drawn")),
    }


def _off(mean: Mean) -> str:
    """Points, and by how much they may be off: "6.2 ± 1.4"; it never breaks.

    Where nothing ever looked better there was nothing to measure.
    """
    if not mean.within:
        return one_decimal(mean.points)
    return "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}".join(map(one_decimal, mean))


def _id(name: str, is_alone: bool) -> str:
    return f"{name}-{'alone' if is_alone else 'others'}"


def _day(one: Given) -> str:
    return date_format(one.day, "SHORT_DATE_FORMAT")

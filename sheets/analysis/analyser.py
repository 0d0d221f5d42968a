"""Estimation of each choice's value in a recorded game, in rounds of increasing accuracy.

The first round samples every choice. Later rounds sample only the played choice, the greedy bot's
and the best one so far, with new dice. So the best choice is measured in other games than those
that selected it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Final, NamedTuple

import numpy as np

from sheets.analysis.decisions import Course, Decision, find_course
from sheets.analysis.playouts import (
    POINTS,
    WIN,
    Comparison,
    Results,
    affordable_playouts,
    count_games,
    play_comparisons,
    results_of,
)
from sheets.bots.option_values import ends_of
from sheets.bots.options import Option, make_option
from sheets.rules import Level
from sheets.rules.documents.game import Record
from sheets.stats import Estimate, estimate, find_significant

SEED: Final = 1
"""Default seed of the simulated dice."""

GAMES_PER_CHOICE: Final = (32, 192, 384, 768)
"""Number of simulated games for each choice, by round."""

GAMES_PER_PASS: Final = (0, 512, 512, 1024)
"""Number of simulated games from the beginning of each pass, by round."""

FIRST_RESULT_ROUND: Final = 1
"""Index of the first round with a result."""

MIN_LEAD: Final = 0.5
"""Minimum lead over the played choice, in standard errors, for a choice to be sampled again."""

MAX_FIRST_GAMES: Final = 100_000
"""Maximum number of simulated games until the first result, so that it takes about a minute. In
long recorded games, each choice is sampled less often."""

RAILS_FACTOR: Final = 2.5
"""Duration of a simulated game on a level with rails, relative to other levels."""

MIN_GAMES: Final = 12
"""Minimum number of simulated games for each choice and pass."""

MIN_WIN_SPREAD: Final = 0.5
"""Minimum standard deviation that is assumed for shares of a win, from 0 to 1."""


class PlayerEstimates(NamedTuple):
    """Estimates for each player, of points and of the share of the win, from ``times`` games."""

    points: tuple[Estimate, ...]
    win: tuple[Estimate, ...]
    times: int


class AnalysedDecision(NamedTuple):
    """Estimates of a decision's choices.

    ``values`` has the final points for each choice, ``more`` the differences from the played
    choice, and ``play`` the played choice's lead over the greedy bot's choice. ``best`` is the
    index of the choice that was best in earlier rounds, None if that is the played one; ``lead`` is
    its lead over the played choice, measured in games since then. ``is_clear``: the lead is
    significant.
    """

    decision: Decision
    values: tuple[PlayerEstimates, ...]
    more: tuple[PlayerEstimates, ...]
    play: PlayerEstimates
    best: int | None
    lead: PlayerEstimates | None
    is_clear: bool

    @property
    def own_lead(self) -> Estimate:
        """Lead of the best choice in points for the deciding player; 0 if no choice was better."""
        return self.lead.points[self.decision.player] if self.lead else Estimate(0.0)


class Standing(NamedTuple):
    """Expected points and share of the win for each player after ``number`` actions."""

    number: int
    points: tuple[Estimate, ...]
    win: tuple[Estimate, ...]


class Analysis(NamedTuple):
    """Result of an analysis after a round, from ``games`` simulated games so far.

    ``standings`` has one entry for the beginning of each pass, and one for the end of the recorded
    game.
    """

    record: Record
    round: int
    games: int
    standings: tuple[Standing, ...]
    decisions: tuple[AnalysedDecision, ...]
    is_finished: bool


class Analyser:
    """Analysis of one recorded game.

    Args:
        record: a game with tracked dice that keeps the rules.
        seed: the seed of the simulated dice.
        on_progress: called with the number of games simulated since the last call.
        on_plan: called with the number of games until the first result: an upper limit at first,
            later the exact number.
    """

    def __init__(
        self,
        record: Record,
        *,
        seed: int = SEED,
        on_progress: Callable[[int], object] = lambda games: None,
        on_plan: Callable[[int], object] = lambda games: None,
    ) -> None:
        self.record = record
        self.course: Course = find_course(record)
        self.games = 0
        self._seed = seed
        self._on_progress = on_progress
        self._on_plan = on_plan
        self._cases = [_SampledDecision(decision) for decision in self.course.decisions]
        self._starts: list[list[Results]] = [[] for _ in self.course.games]
        self._scale = 1.0
        most = MAX_FIRST_GAMES / (RAILS_FACTOR if record.level.rails else 1)
        self._scale = min(1.0, most / self.planned)

    @property
    def planned(self) -> int:
        """Maximum number of games until the first result."""
        choices = sum(len(case.decision.choices) for case in self._cases)
        closely = 3 * self._times(GAMES_PER_CHOICE[FIRST_RESULT_ROUND]) * len(self._cases)
        starts = self._times(GAMES_PER_PASS[FIRST_RESULT_ROUND]) * len(self._starts)
        return choices * self._times(GAMES_PER_CHOICE[0]) + closely + starts

    def rounds(self) -> Iterator[Analysis]:
        """Run all rounds, and yield the result of each round from `FIRST_RESULT_ROUND` on."""
        for number in range(len(GAMES_PER_CHOICE)):
            self._run_round(number)
            if number >= FIRST_RESULT_ROUND:
                yield self._analysis(number)

    def _run_round(self, number: int) -> None:
        cases = [case for case in self._cases if case.choose(number)]
        comparisons = [
            Comparison(
                f"{self._seed}/{number}/{case.decision.number}",
                case.options,
                self._times(GAMES_PER_CHOICE[number]),
            )
            for case in cases
        ]
        starts = [
            place
            for place, game in enumerate(self.course.games)
            if GAMES_PER_PASS[number] and not game.is_finished
        ]
        comparisons += [
            Comparison(
                f"{self._seed}/{number}/start {place}",
                (make_option(self.course.games[place]),),
                self._times(GAMES_PER_PASS[number]),
            )
            for place in starts
        ]
        if number <= FIRST_RESULT_ROUND:
            self._on_plan(
                self.planned
                if number < FIRST_RESULT_ROUND
                else self.games + count_games(comparisons)
            )
        found = play_comparisons(comparisons, self._on_progress)
        self.games += count_games(comparisons)
        for case, results in zip(cases, found, strict=False):
            case.add(number, results)
        for place, results in zip(starts, found[len(cases) :], strict=True):
            self._starts[place].append(results[0])

    def _times(self, times: int) -> int:
        return max(MIN_GAMES, round(affordable_playouts(self.record.level, times) * self._scale))

    def _analysis(self, number: int) -> Analysis:
        found = [case.found() for case in self._cases]
        for player in range(len(self.record.players)):
            measured = [
                n for n, one in enumerate(found) if one.lead and one.decision.player == player
            ]
            p_values = [found[n].own_lead.p_value for n in measured]
            for n, is_clear in zip(measured, find_significant(p_values), strict=True):
                found[n] = found[n]._replace(is_clear=is_clear and found[n].own_lead.mean > 0)
        return Analysis(
            self.record,
            number,
            self.games,
            tuple(self._standing(place) for place in range(len(self._starts))),
            tuple(found),
            self.course.games[-1].is_finished,
        )

    def _standing(self, place: int) -> Standing:
        game, number = self.course.games[place], self.course.starts[place]
        if game.is_finished:
            results = results_of(ends_of([game]))[0]
            points, win = (
                tuple(Estimate(float(x)) for x in results[:, kind]) for kind in (POINTS, WIN)
            )
            return Standing(number, points, win)
        sample = np.concatenate(self._starts[place])
        pair = _estimate_players(sample, _assumed_spread(sample.std(axis=0), game.level))
        return Standing(number, pair.points, pair.win)


class _SampledDecision:
    """A decision with the results of all games simulated from its choices, by round."""

    def __init__(self, decision: Decision) -> None:
        self.decision = decision
        self._rounds: list[tuple[tuple[int, ...], Results]] = []
        self._places: tuple[int, ...] = tuple(range(len(decision.choices)))
        self._best: int | None = None
        self._last: tuple[int, Results] | None = None

    @property
    def options(self) -> tuple[Option, ...]:
        """The options that the next round plays out."""
        game, choices = self.decision.game, self.decision.choices
        return tuple(make_option(game, choices[place]) for place in self._places)

    def choose(self, number: int) -> bool:
        """Select the choices to sample in a round; return whether there is anything to compare."""
        if number == 0:
            return True
        decision = self.decision
        self._best = self._most_promising()
        chosen = {decision.played, decision.bot_choice, self._best} - {None}
        self._places = tuple(sorted(place for place in chosen if place is not None))
        return len(self._places) > 1

    def add(self, number: int, results: Results) -> None:
        """Store the results of a round."""
        self._rounds.append((self._places, results))
        if number and self._best is not None:
            self._last = (self._best, self._difference(self._places, results, self._best))

    def found(self) -> AnalysedDecision:
        """Return the estimates from all rounds so far."""
        decision = self.decision
        places = range(len(decision.choices))
        more = [self._more(place) for place in places]
        best, lead = None, None
        if self._last:
            best = self._last[0]
            lead = _estimate_players(self._last[1], self._spread)
        values = tuple(_estimate_players(self._all(place), self._spread) for place in places)
        play = _negative(more[decision.bot_choice])
        return AnalysedDecision(decision, values, tuple(more), play, best, lead, False)

    def _most_promising(self) -> int | None:
        """Return the index of the choice with most points so far, or None if it is the played one.

        After the first round, choices have different numbers of games. Then the lower bound of the
        interval decides, because a choice with few games may look good by chance.
        """
        best, most = None, -inf
        is_even = len(self._rounds) == 1
        for place in range(len(self.decision.choices)):
            if place == self.decision.played:
                continue
            own = self._more(place).points[self.decision.player]
            brought = own.mean if is_even else own.mean - own.within
            if brought > most and own.mean > max(0.0, MIN_LEAD * own.error):
                best, most = place, brought
        return best

    @property
    def _spread(self) -> Results:
        """Assumed standard deviation of the results, by player and kind (points or win)."""
        everything = self._rounds[0][1]
        spread = everything.reshape(-1, *everything.shape[2:]).std(axis=0)
        level = self.decision.game.level
        return _assumed_spread(spread, level)

    def _more(self, place: int) -> PlayerEstimates:
        """Return the lead of a choice over the played one, from the rounds that sampled both."""
        if place == self.decision.played:
            return _nothing(self._rounds[0][1].shape[2])
        return _estimate_players(
            np.concatenate(
                [
                    self._difference(places, results, place)
                    for places, results in self._rounds
                    if place in places
                ]
            ),
            self._spread,
        )

    def _all(self, place: int) -> Results:
        return np.concatenate(
            [results[places.index(place)] for places, results in self._rounds if place in places]
        )

    def _difference(self, places: Sequence[int], results: Results, place: int) -> Results:
        more: Results = results[places.index(place)] - results[places.index(self.decision.played)]
        return more


def _assumed_spread(spread: Results, level: Level) -> Results:
    """Return a standard deviation that is not smaller than a plausible minimum.

    A few games may be alike by chance. The minimum is the largest amount on the sheet, which is
    always at stake, or `MIN_WIN_SPREAD` for shares of the win.
    """
    least: Results = np.maximum(spread, (largest_amount(level), MIN_WIN_SPREAD))
    return least


def largest_amount(level: Level) -> int:
    """Return the largest number of points that one entry of the score column brings or costs."""
    amounts = [line.points for line in level.lines]
    amounts += [area.points or area.race[0] for area in level.areas]
    amounts += [n for points in level.points_by_colour.values() for n in points.values()]
    amounts += [flag.numbers[0] for flag in level.flags]
    amounts += level.points.values()
    return max((abs(amount) for amount in amounts), default=1) or 1


def _estimate_players(sample: Results, spread: Results) -> PlayerEstimates:
    """Return estimates by player from results of shape (game, player, kind)."""
    found = [
        tuple(
            estimate(sample[:, player, kind], float(spread[player, kind]))
            for player in range(sample.shape[1])
        )
        for kind in (POINTS, WIN)
    ]
    return PlayerEstimates(found[0], found[1], len(sample))


def _nothing(players: int) -> PlayerEstimates:
    return PlayerEstimates((Estimate(0.0),) * players, (Estimate(0.0),) * players, 0)


def _negative(pair: PlayerEstimates) -> PlayerEstimates:
    points, win = (tuple(-one for one in kind) for kind in pair[:2])
    return PlayerEstimates(points, win, pair.times)

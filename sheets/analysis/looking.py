"""What was each choice of a game worth? Looked at in rounds, each more exact than the one before.

The first round is a quick look at all that could have been chosen. From then on only what was done,
what looked best until then and what the bot would have done are played on from, each time with new
dice: so what is said of the best is measured on games by which it was not chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Final, NamedTuple

import numpy as np

from sheets.analysis.decisions import Course, Decision, take_apart
from sheets.analysis.playing import (
    POINTS,
    WIN,
    Comparison,
    Results,
    count_games,
    play_comparisons,
    results_of,
    thinned,
)
from sheets.bots.options import Option, make_option
from sheets.bots.outcomes import ends_of
from sheets.rules import Level
from sheets.rules.documents.game import Record
from sheets.stats import Estimate, estimate, find_significant

SEED: Final = 1

TIMES: Final = (32, 192, 384, 768)
"""How often is played on from a choice, by round."""

STARTS: Final = (0, 512, 512, 1024)
"""The same, from the beginning of a pass."""

FIRST: Final = 1
"""The round after which there is something to say."""

DULL: Final = 0.5
"""What lies so few standard errors above what was played is not looked at again."""

MOST_GAMES: Final = 100_000
"""The first answer takes no more games, that it may come within a minute; a long game of many is
looked at less often."""

RAILS: Final = 2.5
"""So many times longer a game on rails takes."""

FEWEST: Final = 12

WHOLE_WIN: Final = 0.5
"""So far apart chances to win usually lie at least, from 0 to 1."""


class Pair(NamedTuple):
    """By how much one choice is better than another: for each player, points and the win."""

    points: tuple[Estimate, ...]
    win: tuple[Estimate, ...]
    times: int


class Found(NamedTuple):
    """What is known of a decision.

    ``values`` has for each choice what its player ends with, ``more`` how much more than with what
    was played; ``play`` how much more came of what was played than of what is usual, for all
    players. ``best`` is the place of the choice that looked best in earlier rounds, None where that
    is what was played; ``worth`` how much more it brings, by games played since.
    """

    decision: Decision
    values: tuple[Pair, ...]
    more: tuple[Pair, ...]
    play: Pair
    best: int | None
    worth: Pair | None
    is_clear: bool

    @property
    def own_worth(self) -> Estimate:
        """How many points more the best would have brought who decided; nothing without one."""
        return self.worth.points[self.decision.player] if self.worth else Estimate(0.0)


class Standing(NamedTuple):
    """What all could hope for at one moment: for each player, points and the win."""

    number: int
    points: tuple[Estimate, ...]
    win: tuple[Estimate, ...]


class Analysis(NamedTuple):
    """What is known of a game after a round; ``games`` have been played for it.

    ``standings`` are those at the beginning of each pass, and at the end.
    """

    record: Record
    round: int
    games: int
    standings: tuple[Standing, ...]
    found: tuple[Found, ...]
    is_finished: bool


class Inquiry:
    """A game that is being looked at; `rounds` says more and more about it.

    Args:
        record: a game with tracked dice that keeps the rules.
        seed: names the dice that are thrown.
        on_progress: told now and then how many more games are played.
        on_plan: told how many games the first answer takes, as soon as that is known better.
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
        self.course: Course = take_apart(record)
        self.games = 0
        self._seed = seed
        self._on_progress = on_progress
        self._on_plan = on_plan
        self._cases = [_Case(decision) for decision in self.course.decisions]
        self._starts: list[list[Results]] = [[] for _ in self.course.games]
        self._scale = 1.0
        most = MOST_GAMES / (RAILS if record.level.rails else 1)
        self._scale = min(1.0, most / self.planned)

    @property
    def planned(self) -> int:
        """How many games the first answer takes at most."""
        choices = sum(len(case.decision.choices) for case in self._cases)
        closely = 3 * self._times(TIMES[FIRST]) * len(self._cases)
        starts = self._times(STARTS[FIRST]) * len(self._starts)
        return choices * self._times(TIMES[0]) + closely + starts

    def rounds(self) -> Iterator[Analysis]:
        """What is known after each round, from the first that has something to say."""
        for number in range(len(TIMES)):
            self._look(number)
            if number >= FIRST:
                yield self._analysis(number)

    def _look(self, number: int) -> None:
        cases = [case for case in self._cases if case.choose(number)]
        comparisons = [
            Comparison(
                f"{self._seed}/{number}/{case.decision.number}",
                case.options,
                self._times(TIMES[number]),
            )
            for case in cases
        ]
        starts = [
            place
            for place, game in enumerate(self.course.games)
            if STARTS[number] and not game.is_finished
        ]
        comparisons += [
            Comparison(
                f"{self._seed}/{number}/start {place}",
                (make_option(self.course.games[place]),),
                self._times(STARTS[number]),
            )
            for place in starts
        ]
        if number <= FIRST:
            self._on_plan(self.planned if number < FIRST else self.games + count_games(comparisons))
        found = play_comparisons(comparisons, self._on_progress)
        self.games += count_games(comparisons)
        for case, results in zip(cases, found, strict=False):
            case.add(number, results)
        for place, results in zip(starts, found[len(cases) :], strict=True):
            self._starts[place].append(results[0])

    def _times(self, times: int) -> int:
        return max(FEWEST, round(thinned(self.record.level, times) * self._scale))

    def _analysis(self, number: int) -> Analysis:
        found = [case.found() for case in self._cases]
        for player in range(len(self.record.players)):
            measured = [
                n for n, one in enumerate(found) if one.worth and one.decision.player == player
            ]
            p_values = [found[n].own_worth.p_value for n in measured]
            for n, is_clear in zip(measured, find_significant(p_values), strict=True):
                found[n] = found[n]._replace(is_clear=is_clear and found[n].own_worth.mean > 0)
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
        pair = _pair(sample, _at_least(sample.std(axis=0), game.level))
        return Standing(number, pair.points, pair.win)


class _Case:
    """A decision, and all that was played on from it: by round, which choices, and the results."""

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
        """Choose what to look at in a round; gives whether that is anything."""
        if number == 0:
            return True
        decision = self.decision
        self._best = self._most_promising()
        chosen = {decision.played, decision.usual, self._best} - {None}
        self._places = tuple(sorted(place for place in chosen if place is not None))
        return len(self._places) > 1

    def add(self, number: int, results: Results) -> None:
        """Keep what came of the round."""
        self._rounds.append((self._places, results))
        if number and self._best is not None:
            self._last = (self._best, self._difference(self._places, results, self._best))

    def found(self) -> Found:
        """What is known now."""
        decision = self.decision
        places = range(len(decision.choices))
        more = [self._more(place) for place in places]
        best, worth = None, None
        if self._last:
            best = self._last[0]
            worth = _pair(self._last[1], self._usual)
        values = tuple(_pair(self._all(place), self._usual) for place in places)
        play = _negative(more[decision.usual])
        return Found(decision, values, tuple(more), play, best, worth, False)

    def _most_promising(self) -> int | None:
        """The choice that has brought the player most points so far, if that is not the played.

        Once some were seen more often than others it is the one that has brought most at least:
        what was hardly seen looks good by chance, and would stand in place of what is known to be.
        """
        best, most = None, -inf
        is_even = len(self._rounds) == 1
        for place in range(len(self.decision.choices)):
            if place == self.decision.played:
                continue
            own = self._more(place).points[self.decision.player]
            brought = own.mean if is_even else own.mean - own.within
            if brought > most and own.mean > max(0.0, DULL * own.error):
                best, most = place, brought
        return best

    @property
    def _usual(self) -> Results:
        """How far apart results lie, by player, of points and the win."""
        everything = self._rounds[0][1]
        spread = everything.reshape(-1, *everything.shape[2:]).std(axis=0)
        level = self.decision.game.level
        return _at_least(spread, level)

    def _more(self, place: int) -> Pair:
        """How much more a choice brought than what was played, by all games in which both were."""
        if place == self.decision.played:
            return _nothing(self._rounds[0][1].shape[2])
        return _pair(
            np.concatenate(
                [
                    self._difference(places, results, place)
                    for places, results in self._rounds
                    if place in places
                ]
            ),
            self._usual,
        )

    def _all(self, place: int) -> Results:
        return np.concatenate(
            [results[places.index(place)] for places, results in self._rounds if place in places]
        )

    def _difference(self, places: Sequence[int], results: Results, place: int) -> Results:
        more: Results = results[places.index(place)] - results[places.index(self.decision.played)]
        return more


def _at_least(spread: Results, level: Level) -> Results:
    """How far apart points and wins usually lie, where they were seen to lie so far apart.

    What few games have in common may be chance; at stake is always the largest amount of the sheet.
    """
    least: Results = np.maximum(spread, (largest_amount(level), WHOLE_WIN))
    return least


def largest_amount(level: Level) -> int:
    """The most points that one entry of the level's score column brings or costs."""
    amounts = [line.points for line in level.lines]
    amounts += [area.points or area.race[0] for area in level.areas]
    amounts += [n for points in level.points_by_colour.values() for n in points.values()]
    amounts += [flag.numbers[0] for flag in level.flags]
    amounts += level.points.values()
    return max((abs(amount) for amount in amounts), default=1) or 1


def _pair(sample: Results, usual: Results) -> Pair:
    """The estimates by player from results by time, player and kind."""
    found = [
        tuple(
            estimate(sample[:, player, kind], float(usual[player, kind]))
            for player in range(sample.shape[1])
        )
        for kind in (POINTS, WIN)
    ]
    return Pair(found[0], found[1], len(sample))


def _nothing(players: int) -> Pair:
    return Pair((Estimate(0.0),) * players, (Estimate(0.0),) * players, 0)


def _negative(pair: Pair) -> Pair:
    points, win = (tuple(-one for one in kind) for kind in pair[:2])
    return Pair(points, win, pair.times)

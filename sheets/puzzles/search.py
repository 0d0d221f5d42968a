"""Search for puzzles in recorded games.

Each round simulates games with new dice after every choice of the remaining decisions. The last
round only confirms the answer that the earlier rounds have chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import NormalDist
from typing import Final, NamedTuple

from sheets.analysis.analyser import MIN_WIN_SPREAD, largest_amount
from sheets.analysis.decisions import Decision, find_course
from sheets.analysis.playouts import (
    POINTS,
    WIN,
    Comparison,
    Results,
    affordable_playouts,
    play_comparisons,
)
from sheets.bots import GreedyBot
from sheets.bots.dice_rolls import record_to_end, with_dice
from sheets.bots.options import make_option
from sheets.bots.strengths import STRENGTHS
from sheets.puzzles.puzzle import CONFIDENCE, MIN_LEAD, Choice, Margin, Puzzle, number_seats
from sheets.rules import Action, Game
from sheets.rules.documents.game import Record
from sheets.stats import Estimate, estimate

Z_99: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""Half the width of the central 99 % of a normal distribution, in standard deviations: 2.58."""

MIN_CHOICES: Final = 3
"""Minimum number of choices; with fewer, a guess is right too often."""

GAMES: Final = (32, 160, 1024)
"""Number of simulated games for each choice, by round."""

CONTINUATIONS: Final = 9
"""Number of games that bots play on after the answer; the puzzle has the one with the median total
of the player who decides."""

ATTEMPTS: Final = 9
"""Number of attempts of each bot at a puzzle; bots choose at random between equal choices."""


class _Case(NamedTuple):
    """A decision, the index of its best choice, and the results of its last round."""

    decision: Decision
    answer: int
    results: Results


def find_puzzles(record: Record, seed: str) -> Iterator[Puzzle]:
    """Yield the puzzles in a game with tracked dice.

    Raises:
        RuleViolation: an action breaks a rule.
    """
    decisions = [one for one in find_course(record).decisions if len(one.choices) >= MIN_CHOICES]
    cases = _select(decisions, 0, seed)
    for number in range(1, len(GAMES)):
        answers = {case.decision.number: case.answer for case in cases}
        cases = [
            case
            for case in _select([case.decision for case in cases], number, seed)
            if case.answer == answers[case.decision.number]
        ]
    for case in cases:
        choices = _measure(case)
        if _is_clear(choices, case.answer):
            yield _make_puzzle(record, case, choices, seed)


def _is_clear(choices: Sequence[Choice], answer: int) -> bool:
    """Return whether one choice clearly brings most points, and no other one wins more games."""
    return all(
        choice.behind.mean - choice.behind.within >= MIN_LEAD
        and _share(choice) <= _share(choices[answer])
        for place, choice in enumerate(choices)
        if place != answer
    )


def _share(choice: Choice) -> float:
    return choice.win.mean if choice.win else 0.0


def _select(decisions: Sequence[Decision], number: int, seed: str) -> list[_Case]:
    """Run a round, and return the decisions whose best choice leads by `MIN_LEAD`."""
    if not decisions:
        return []
    times = affordable_playouts(decisions[0].game.level, GAMES[number])
    comparisons = [
        Comparison(
            f"{seed}/{number}/{decision.number}",
            tuple(make_option(decision.game, choice) for choice in decision.choices),
            times,
        )
        for decision in decisions
    ]
    found = []
    for decision, results in zip(decisions, play_comparisons(comparisons), strict=True):
        means = results[:, :, decision.player, POINTS].mean(axis=1)
        *_, second, best = sorted(means)
        if best - second >= MIN_LEAD:
            found.append(_Case(decision, int(means.argmax()), results))
    return found


def _measure(case: _Case) -> tuple[Choice, ...]:
    """Return the choices with the estimates of the last round."""
    decision, answer, results = case
    own = results[:, :, decision.player]
    spread = float(largest_amount(decision.game.level))
    is_solo = len(decision.game.players) == 1

    def measure(place: int) -> Choice:
        points = own[place, :, POINTS]
        return Choice(
            decision.choices[place],
            _margin(estimate(points, spread)),
            _margin(estimate(own[answer, :, POINTS] - points, spread)),
            None if is_solo else _margin(estimate(own[place, :, WIN], MIN_WIN_SPREAD)),
        )

    return tuple(measure(place) for place in range(len(decision.choices)))


def _margin(one: Estimate) -> Margin:
    return Margin(one.mean, Z_99 * one.error)


def _make_puzzle(record: Record, case: _Case, choices: tuple[Choice, ...], seed: str) -> Puzzle:
    decision = case.decision
    before = record.actions[: decision.number]
    games = [
        _play_on(decision, decision.choices[case.answer], f"{seed}/{decision.number}/{number}")
        for number in range(CONTINUATIONS)
    ]
    games.sort(key=lambda played: played[1].scores()[decision.player].total)
    return Puzzle(
        record._replace(
            players=number_seats(len(record.players)),
            actions=(*before, *games[CONTINUATIONS // 2][0]),
            dice_proof=None,
        ),
        decision.number,
        choices,
        case.answer,
        decision.played,
        case.results.shape[1],
        _attempts(decision, case.answer, seed),
    )


def _play_on(decision: Decision, choice: Action, seed: str) -> tuple[list[Action], Game]:
    """Let greedy bots play to the end after a choice; return the actions and the finished game."""
    random = Random(seed)  # noqa: S311  dice, not secrets
    game = decision.game
    first = with_dice(game, choice, random)
    bots = [GreedyBot(random)] * len(game.players)
    actions, end = record_to_end(game.apply(first), bots, random)
    return [first, *actions], end


def _attempts(decision: Decision, answer: int, seed: str) -> Mapping[str, float]:
    """Return the share of attempts in which each bot finds the answer, by the bot's name."""
    right = decision.choices[answer]

    def is_found(name: str, number: int) -> bool:
        bot = STRENGTHS[name](Random(f"{seed}/{decision.number}/{name}/{number}"))  # noqa: S311
        return bot.choose(decision.game, decision.player) == right

    return {
        name: sum(is_found(name, number) for number in range(ATTEMPTS)) / ATTEMPTS
        for name in STRENGTHS
    }

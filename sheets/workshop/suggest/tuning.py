"""Tuning of a suggested level, so that it plays as the shipped levels do.

Greedy bots play it, its points are raised or lowered, and they play again. Where the points would
become too small, all players throw fewer dice: tracks pay by the rules, whatever a sheet says. The
same wish results in the same level on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import Level, parse_level
from sheets.rules.level import DICE
from sheets.simulation.balance.shipped import shipped_range
from sheets.simulation.games import Tally, simulate
from sheets.simulation.summary import summarise
from sheets.stats import five_numbers
from sheets.workshop.suggest.suggestion import Wanted, draw_suggestion

SAMPLE: Final = 24
"""Number of solo games of each trial; the grades come from the last (but see `_games_on`)."""

LEAST_GAMES: Final = 12
"""Minimum number of games of a trial on a large sheet with tracks."""

USUAL_SQUARES: Final = 88
"""Squares from which a trial on a sheet with tracks has fewer games: bots try all loops there."""

TRIALS: Final = 5
"""Maximum number of trials."""

NEAR: Final = 0.25
"""Accepted distance from the middle of the shipped levels' medians, as a share of their range. A
trial has too few games for more precision."""

LEAST_PAY: Final = 0.5
"""Minimum of points, as a share of the usual amounts."""

MOST_PAY: Final = 2.0
"""Maximum of points, as a share of the usual amounts."""

LEAST_DICE: Final = 3
"""Minimum number of dice."""

LEAST_CROSSED: Final = 0.31
"""Minimum share of the fields that are crossed. With fewer dice a game would be no fun, so large
sheets with tracks pay more than the shipped ones."""

MORE: Final = 0.05
"""Addition to a share of the dice that should suffice, about one die."""


class Tuning(NamedTuple):
    """Points (``pay``) and ``dice`` of a level, as shares of the usual amounts."""

    pay: float
    dice: float


USUAL: Final = Tuning(1.0, 1.0)
"""Tuning of the first trial."""

RAILS: Final = Tuning(1.3, 0.5)
"""Tuning of the first trial on a sheet with tracks, close to the result, which saves time. With
one die more and goals that pay little, scores would lie too close together."""


def suggest(wanted: Wanted) -> dict[str, Any]:
    """Return a finished ``dizzle-level/1`` document. Raises CannotSuggest."""
    return _tune(draw_suggestion(wanted), wanted.seed)


def _games_on(level: Level) -> int:
    """Return the number of games of a trial; fewer on a large sheet with tracks."""
    squares = level.columns * level.rows
    if not level.rails or squares <= USUAL_SQUARES:
        return SAMPLE
    return min(SAMPLE, max(LEAST_GAMES, round(SAMPLE * (USUAL_SQUARES / squares) ** 2)))


def _tune(drawn: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return the tried level that comes nearest to the shipped ones, with grades."""
    medians = shipped_range(1, lambda played: played["scores"]["median"])
    middle, near = (medians.least + medians.most) / 2, NEAR * (medians.most - medians.least)
    plain = parse_level(drawn)
    setting = RAILS if plain.rails else USUAL
    sample = _games_on(plain)
    trials: list[tuple[tuple[bool, float], dict[str, Any], Tally]] = []
    for _ in range(TRIALS):
        document = _put(drawn, setting)
        if any(document == tried for _off, tried, _games in trials):
            break
        level = parse_level(document)
        games = simulate(
            level, players=1, games=sample, bot="greedy", seed=seed, processes=1, chunk=sample
        )
        summary = summarise(level, games)
        median = summary["scores"]["median"]
        far, is_empty = abs(median - middle), summary["crossed"] < LEAST_CROSSED
        trials.append(((is_empty, far), document, games))
        if far <= near and not is_empty:
            break
        setting = _next(setting, middle / max(1, median), summary["crossed"])
    _off, document, games = min(trials, key=lambda trial: trial[0])
    return document | {"ratings": _ratings(games)}


def _next(setting: Tuning, change: float, crossed: float) -> Tuning:
    """Return the setting of the trial after one whose median has to change by a factor."""
    pay, dice = setting.pay * change, setting.dice
    if crossed < LEAST_CROSSED:
        dice = min(1, dice * LEAST_CROSSED / max(crossed, LEAST_CROSSED / 2) + MORE)
    elif pay < LEAST_PAY:
        dice *= max(pay / LEAST_PAY, LEAST_CROSSED / crossed)
    elif pay > MOST_PAY:
        dice = min(1, dice * pay / MOST_PAY)
    return Tuning(max(LEAST_PAY, min(MOST_PAY, pay)), dice)


def _put(drawn: Mapping[str, Any], setting: Tuning) -> dict[str, Any]:
    """Return the document with these shares of its points (lines, areas, symbols) and its dice."""
    document = dict(drawn)
    if "points" in drawn:
        document["points"] = {kind: _part(paid, setting) for kind, paid in drawn["points"].items()}
    for part in ("lines", "areas"):
        if part in drawn:
            document[part] = [
                one | {"points": _part(one["points"], setting)} for one in drawn[part]
            ]
    if setting.dice != 1:
        dice = {str(players): count for players, count in DICE.items()} | drawn.get("dice", {})
        document["dice"] = {
            players: max(LEAST_DICE, round(count * setting.dice)) for players, count in dice.items()
        }
    return document


def _part(paid: Any, setting: Tuning) -> Any:
    """Return a share of an amount, of amounts by colour, or of a track; penalties stay."""
    if isinstance(paid, dict):
        return {colour: _part(amount, setting) for colour, amount in paid.items()}
    if isinstance(paid, list):
        return [_part(amount, setting) for amount in paid]
    return max(1, round(paid * setting.pay)) if paid > 0 else paid


def _ratings(games: Tally) -> list[int]:
    """Return totals for the grades, guessed from a few solo games: the median reaches grade 2."""
    totals = sorted(games.totals)
    _worst, lower, middle, upper, _best = five_numbers(totals)
    median, step = round(middle), max(3, round((upper - lower) / 2))
    return [median - step // 2 + step * (grade - 2) for grade in range(1, 7)]

"""Tuning of a suggested level, so that its scores are similar to those of the shipped levels.

Greedy bots play games on the level, then its points are raised or lowered, and they play again. If
the points would become too small, the number of dice is reduced; this is necessary for tracks,
because the rules fix their points. The same wish results in the same level on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import Level, parse_level
from sheets.rules.level import DICE
from sheets.simulation.balance.shipped_figures import shipped_range
from sheets.simulation.games import Tally, simulate
from sheets.simulation.summary import summarise
from sheets.stats import five_numbers
from sheets.workshop.suggest.suggestion import SuggestionRequest, draw_suggestion

SAMPLE_GAMES: Final = 24
"""Number of solo games per trial, except on large sheets with tracks (see `_games_on`)."""

MIN_GAMES: Final = 12
"""Minimum number of games per trial on a large sheet with tracks."""

FULL_SAMPLE_SQUARES: Final = 88
"""Maximum number of squares of a sheet with tracks for `SAMPLE_GAMES` games per trial.

On larger sheets games take long, because bots try all loops.
"""

MAX_TRIALS: Final = 5
"""Maximum number of trials."""

SCORE_TOLERANCE: Final = 0.25
"""Accepted distance of a level's median score from the middle of the shipped levels' medians, as a
share of the range of those medians. A trial has too few games for more precision."""

MIN_PAY: Final = 0.5
"""Minimum of `Tuning.pay`."""

MAX_PAY: Final = 2.0
"""Maximum of `Tuning.pay`."""

MIN_DICE: Final = 3
"""Minimum number of dice in a tuned level."""

MIN_CROSSED: Final = 0.31
"""Minimum share of the fields that the bots cross; with less, a level has too few dice to be fun.
For this reason, scores on large sheets with tracks may be higher than on shipped levels."""

DICE_RESERVE: Final = 0.05
"""Safety margin, about one die, for `Tuning.dice` after a trial with too few crossed fields."""


class Tuning(NamedTuple):
    """Factors by which the usual points (``pay``) and numbers of ``dice`` are multiplied."""

    pay: float
    dice: float


FIRST_TUNING: Final = Tuning(1.0, 1.0)
"""Tuning of the first trial."""

FIRST_TUNING_WITH_TRACKS: Final = Tuning(1.3, 0.5)
"""Tuning of the first trial on a sheet with tracks. It is close to the usual result and so saves
trials. With more dice and lower points, the scores would differ too little."""


def suggest(wanted: SuggestionRequest) -> dict[str, Any]:
    """Return a tuned level for a wish as ``dizzle-level/1`` document. Raises CannotSuggest."""
    return _tune(draw_suggestion(wanted), wanted.seed)


def _games_on(level: Level) -> int:
    """Return the number of games per trial on a level; fewer on a large sheet with tracks."""
    squares = level.columns * level.rows
    if not level.rails or squares <= FULL_SAMPLE_SQUARES:
        return SAMPLE_GAMES
    return min(
        SAMPLE_GAMES, max(MIN_GAMES, round(SAMPLE_GAMES * (FULL_SAMPLE_SQUARES / squares) ** 2))
    )


def _tune(drawn: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return the level of the trial whose median is nearest to the shipped levels', with grades."""
    medians = shipped_range(1, lambda played: played["scores"]["median"])
    middle, near = (
        (medians.least + medians.most) / 2,
        SCORE_TOLERANCE * (medians.most - medians.least),
    )
    plain = parse_level(drawn)
    setting = FIRST_TUNING_WITH_TRACKS if plain.rails else FIRST_TUNING
    sample = _games_on(plain)
    trials: list[tuple[tuple[bool, float], dict[str, Any], Tally]] = []
    for _ in range(MAX_TRIALS):
        document = _put(drawn, setting)
        if any(document == tried for _off, tried, _games in trials):
            break
        level = parse_level(document)
        games = simulate(
            level, players=1, games=sample, bot="greedy", seed=seed, processes=1, chunk=sample
        )
        summary = summarise(level, games)
        median = summary["scores"]["median"]
        far, is_empty = abs(median - middle), summary["crossed"] < MIN_CROSSED
        trials.append(((is_empty, far), document, games))
        if far <= near and not is_empty:
            break
        setting = _next(setting, middle / max(1, median), summary["crossed"])
    _off, document, games = min(trials, key=lambda trial: trial[0])
    return document | {"ratings": _ratings(games)}


def _next(setting: Tuning, change: float, crossed: float) -> Tuning:
    """Return the tuning for the next trial.

    Args:
        setting: tuning of the last trial.
        change: factor by which the median score has to change.
        crossed: share of the fields that the bots have crossed.
    """
    pay, dice = setting.pay * change, setting.dice
    if crossed < MIN_CROSSED:
        dice = min(1, dice * MIN_CROSSED / max(crossed, MIN_CROSSED / 2) + DICE_RESERVE)
    elif pay < MIN_PAY:
        dice *= max(pay / MIN_PAY, MIN_CROSSED / crossed)
    elif pay > MAX_PAY:
        dice = min(1, dice * pay / MAX_PAY)
    return Tuning(max(MIN_PAY, min(MAX_PAY, pay)), dice)


def _put(drawn: Mapping[str, Any], setting: Tuning) -> dict[str, Any]:
    """Return a document with a tuning applied to its points (lines, areas, symbols) and dice."""
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
            players: max(MIN_DICE, round(count * setting.dice)) for players, count in dice.items()
        }
    return document


def _part(paid: Any, setting: Tuning) -> Any:
    """Multiply points by ``pay``: an amount, amounts by colour, or a list. Penalties stay."""
    if isinstance(paid, dict):
        return {colour: _part(amount, setting) for colour, amount in paid.items()}
    if isinstance(paid, list):
        return [_part(amount, setting) for amount in paid]
    return max(1, round(paid * setting.pay)) if paid > 0 else paid


def _ratings(games: Tally) -> list[int]:
    """Return minimum totals of grades 1 to 6, estimated so that the median game gets grade 2."""
    totals = sorted(games.totals)
    _worst, lower, middle, upper, _best = five_numbers(totals)
    median, step = round(middle), max(3, round((upper - lower) / 2))
    return [median - step // 2 + step * (grade - 2) for grade in range(1, 7)]

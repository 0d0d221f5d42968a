"""What must things pay on a drawn level, so that it plays as the shipped levels do?

Bots try it, what pays is made worth more or less, and they try again. Where that would leave next
to nothing to win, all throw fewer dice: tracks pay by the rules, whatever a sheet says. The same
drawing becomes the same level on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sheets.rules import parse_level
from sheets.rules.level import DICE
from sheets.simulation.balance.shipped import shipped_range
from sheets.simulation.games import Tally, simulate
from sheets.simulation.summary import summarise
from sheets.workshop.suggest.suggestion import Wanted, draw_suggestion

SAMPLE: Final = 24
"""How many solo games each trial has, and the suggested grades come from (but see `games_on`)."""

LEAST_GAMES: Final = 12

USUAL_SQUARES: Final = 88
"""Sheets with tracks that are larger take bots ever longer: they go through all loops."""

TRIALS: Final = 5

NEAR: Final = 0.25
"""How far from the middle of the shipped levels' medians a trial may end, in parts of their range:
so few games tell no more."""

LEAST_PAY, MOST_PAY = 0.5, 2.0
"""How much of the usual amounts things pay."""

LEAST_DICE: Final = 3

LEAST_CROSSED: Final = 0.31
"""With so few dice that less of the sheet is crossed, nobody would have fun: large sheets with
tracks pay more than the shipped ones."""

MORE: Final = 0.05
"""So much above what should do: in whole dice that is one more."""


class Setting(NamedTuple):
    """What is set on a drawing: ``pay`` and ``dice`` are parts of the usual amounts."""

    pay: float
    dice: float


USUAL: Final = Setting(1.0, 1.0)

RAILS: Final = Setting(1.3, 0.5)
"""About where sheets with tracks end: to begin there saves the bots much thinking. With one die
more and goals that pay little, scores would lie too close together."""


def games_on(squares: int, games: int, *, rails: bool) -> int:
    """So many games, or fewer where they would take too long: on a large sheet with tracks.

    Args:
        squares: columns times rows.
        games: how many they are on a sheet of the usual size.
        rails: whether it has tracks.
    """
    if not rails or squares <= USUAL_SQUARES:
        return games
    return min(games, max(LEAST_GAMES, round(games * (USUAL_SQUARES / squares) ** 2)))


def suggest(wanted: Wanted) -> dict[str, Any]:
    """A whole ``dizzle-level/1`` document. Raises CannotSuggest."""
    return suggest_played(wanted)[0]


def suggest_played(wanted: Wanted) -> tuple[dict[str, Any], Tally]:
    """What `suggest` gives, with the solo games that its grades come from. Raises CannotSuggest."""
    return tune(draw_suggestion(wanted), wanted.seed)


def tune(drawn: Mapping[str, Any], seed: int) -> tuple[dict[str, Any], Tally]:
    """The level that came nearest to how the shipped ones play, with grades; and its last games.

    Args:
        drawn: the document.
        seed: names the dice of the games.
    """
    medians = shipped_range(1, lambda played: played["scores"]["median"])
    middle, near = (medians.least + medians.most) / 2, NEAR * (medians.most - medians.least)
    plain = parse_level(drawn)
    setting = RAILS if plain.rails else USUAL
    sample = games_on(plain.columns * plain.rows, SAMPLE, rails=plain.rails)
    trials: list[tuple[tuple[bool, float], dict[str, Any], Tally]] = []
    for _ in range(TRIALS):
        document = put(drawn, setting)
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
    return document | {"ratings": _ratings(games)}, games


def _next(setting: Setting, change: float, crossed: float) -> Setting:
    """What to try after a trial whose median is to change by a factor."""
    pay, dice = setting.pay * change, setting.dice
    if crossed < LEAST_CROSSED:
        dice = min(1, dice * LEAST_CROSSED / max(crossed, LEAST_CROSSED / 2) + MORE)
    elif pay < LEAST_PAY:
        dice *= max(pay / LEAST_PAY, LEAST_CROSSED / crossed)
    elif pay > MOST_PAY:
        dice = min(1, dice * pay / MOST_PAY)
    return Setting(max(LEAST_PAY, min(MOST_PAY, pay)), dice)


def put(drawn: Mapping[str, Any], setting: Setting) -> dict[str, Any]:
    """The document with these parts of what its lines, areas and symbols pay, and of its dice."""
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


def _part(paid: Any, setting: Setting) -> Any:
    """A part of an amount, of those by colour, or of a track; what costs points costs the same."""
    if isinstance(paid, dict):
        return {colour: _part(amount, setting) for colour, amount in paid.items()}
    if isinstance(paid, list):
        return [_part(amount, setting) for amount in paid]
    return max(1, round(paid * setting.pay)) if paid > 0 else paid


def _ratings(games: Tally) -> list[int]:
    """Grades for a first guess, from a few solo games: the middling one is grade 2."""
    totals = sorted(games.totals)
    count = len(totals)
    median = totals[count // 2]
    step = max(3, round((totals[count * 3 // 4] - totals[count // 4]) / 2))
    return [median - step // 2 + step * (grade - 2) for grade in range(1, 7)]

"""Data of the page's script, as plain JSON values, with all texts that the script shows.

Each sentence comes from the same function as at tables and on paper sheets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from sheets.daily.day import FIRST_DAY, dice_of_pass
from sheets.daily.solo_level import solo_level
from sheets.rules import Level, RuleViolation
from sheets.scoring.offline import column_data
from sheets.simulation.balance.shipped_figures import shipped_totals
from sheets.tables.sentences import TASKS, rocket_task
from sheets.text.refusals import explain
from sheets.text.symbols import in_language

RECENT_DAYS: Final = 7
"""Number of earlier days to which the page has links."""

PHASES: Final = ("erupt", "roll", "extra", "finished")
"""Phases of a solo game in which no field can be chosen."""

_FACTS: Final = {name: f"%({name})s" for name in ("at", "die")}
"""Facts of a refusal whose sentence the script fills in."""

_PLAIN_RULES: Final = (
    *("field-taken", "no-number", "lava", "not-next-to-cross", "not-next-to-die"),
)
"""Rules with one sentence each."""


def page_data(day: date, level: Level) -> dict[str, Any]:
    """Return the data of the script of a day's page."""
    data, bots = column_data(level), _bots(level)
    return data | {
        "day": day.isoformat(),
        "play": solo_level(level),
        "passes": ["".join(map(str, dice_of_pass(day, one + 1))) for one in range(level.rounds[1])],
        "levelName": in_language(level.name),
        "bots": bots,
        "games": number_format(bots["games"], force_grouping=True),
        "percent": _("%(figure)s%%") % {"figure": "%(figure)s"},
        "refusals": _refusals(level),
        "words": data["words"] | _words(),
    }


def days_before(day: date, count: int) -> list[date]:
    """Return the days before a day, the latest first; none before `FIRST_DAY`."""
    days = (day - timedelta(days=number) for number in range(1, count + 1))
    return [one for one in days if one >= FIRST_DAY]


def _bots(level: Level) -> dict[str, Any]:
    """Return the totals of the medium bot in solo games on a level, with other dice.

    ``counts`` are the numbers of games with the total ``least``, with ``least + 1``, and so on.
    """
    found = shipped_totals()[level.id][1]
    counts = Counter(found.totals)
    least, most = min(counts), max(counts)
    return {
        "games": found.games,
        "least": least,
        "counts": [counts[total] for total in range(least, most + 1)],
    }


def _refusals(level: Level) -> Mapping[str, str]:
    """Return the sentences of the rules that the page's buttons can break, by rule and variant."""
    facts = _FACTS
    sentences = {rule: explain(RuleViolation(rule, **facts)) for rule in _PLAIN_RULES}
    for phase in PHASES:
        sentences[f"not-now {phase}"] = explain(RuleViolation("not-now", do="place", phase=phase))
    for colour in level.by_colour["lock"]:
        sentences[f"locked {colour}"] = explain(RuleViolation("locked", **facts, colour=colour))
    for do in ("lava", "rocket", "track"):
        sentences[f"not-a-choice {do}"] = explain(RuleViolation("not-a-choice", **facts, do=do))
    sentences["no-such-die"] = explain(RuleViolation("no-such-die", at=facts["at"]))
    sentences["no-such-die die"] = explain(RuleViolation("no-such-die", **facts))
    return sentences


def _words() -> dict[str, str]:
    """Return the page's own sentences by name, with placeholders that the script fills in."""
    return {
        "round": _("Round %(round)d of %(rounds)d"),
        "passOver": _("Round %(round)s is over: %(points)s."),
        # Tasks
        "erupt": _("Roll one die for the volcano."),
        "roll": _("Roll %(count)s dice."),
        "extra": _("Roll the two extra dice: they take equal dice out of the pool."),
        "place": _("Place one of the dice."),
        "jump": _("You are boxed in: place a die next to one of your crosses."),
        "reroll": _("No die fits. Reroll the pool, or drop out."),
        "return": str(TASKS["return"]),
        "lava": str(TASKS["lava"]),
        "track": str(TASKS["track"]),
        "rocket": rocket_task(1),
        "rockets": rocket_task(2),
        "over": _("The sheet is finished."),
        # Buttons
        "rollButton": _("Roll the dice"),
        "eruptButton": _("Roll for the volcano"),
        "extraButton": _("Roll the extra dice"),
        "rerollButton": _("Reroll"),
        # Dice and fields
        "pool": _("Pool:"),
        "volcano": _("The volcano:"),
        "extraDice": _("Extra dice:"),
        "fits": _("a die fits here"),
        "faint": _("in reach"),
        "choose": _("can be chosen"),
        "otherTab": _("This sheet was played on in another tab. This is its state."),
        # Result
        "better": _("Better than %(percent)s of %(games)s games of the medium bot on this level."),
        "equal": _("Equal to %(percent)s of them."),
        "shared": _("Dizzle %(day)s · %(level)s · %(total)s %(stars)s · better than %(percent)s"),
    }

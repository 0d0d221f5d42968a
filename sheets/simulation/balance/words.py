"""What do we tell an inventor about a balance report? Names of what pays, and three sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.charts.numbers import percent, shortest_number
from sheets.rules import Item, Level
from sheets.scoring.words import GRADES, item_name
from sheets.simulation.balance.report import Finding, find_advice
from sheets.simulation.balance.shipped import shipped_settings
from sheets.simulation.balance.trial import Trial
from sheets.texts.symbols import symbol_name

Facts = Mapping[str, Any]

CLEAR_MARGIN: Final = 0.05
"""Up to where what chance does to a share of wins leaves a report sure of itself."""


def sentences(level: Level, document: Facts, ours: tuple[float, float] | None = None) -> list[str]:
    """Up to three sentences of advice about a report, the most important first.

    ``ours`` are the least and the most of the shipped levels' solo medians.
    """
    return [describe(level, finding) for finding in find_advice(level, document, ours)]


def describe(level: Level, finding: Finding) -> str:
    """The sentence of a finding."""
    return _SENTENCES[finding.name](level, finding.facts)


def describe_trial(trial: Trial) -> str:
    """What a few games alone say of a level, and what it is that they say it of."""
    points = {"median": trial.median, "least": trial.ours.least, "most": trial.ours.most}
    words = {"games": trial.games, "count": len(shipped_settings())}
    if trial.median < trial.ours.least and trial.is_far:
        sentence = _(
            "Bots played it %(games)d times alone: half of the games have only %(median)s points "
            "or fewer; on our %(count)d levels that is %(least)s to %(most)s."
        )
    elif trial.is_far:
        sentence = _(
            "Bots played it %(games)d times alone: half of the games have %(median)s points or "
            "more; on our %(count)d levels that is %(least)s to %(most)s."
        )
    else:
        sentence = _(
            "Bots played it %(games)d times alone: the median is %(median)s points, about as on "
            "our %(count)d levels (%(least)s to %(most)s)."
        )
    return sentence % (words | _written(points))


def _written(points: Mapping[str, float]) -> dict[str, str]:
    return {part: shortest_number(number) for part, number in points.items()}


def payer(level: Level, group: str, key: str) -> str:
    """What something that can pay is called: "Row 3", "Red flag", "Planet b4"."""
    if group == "planets":
        return _("Planet %(field)s") % {"field": key}
    if group == "symbols":
        symbol, _sep, colour = key.partition(" ")
        name = symbol_name(level, symbol, colour)
        return name[:1].upper() + name[1:]
    return item_name(level, Item(group, key, 0, (), ()))


def players_words(players: int) -> str:
    """How many play: "Alone", "2 players"."""
    if players == 1:
        return _("Alone")
    return ngettext("%(count)d player", "%(count)d players", players) % {"count": players}


def _and_more(level: Level, facts: Facts) -> str:
    name = payer(level, facts["group"], facts["key"])
    if not facts["more"]:
        return name
    return ngettext(
        "%(name)s (and %(count)d more)", "%(name)s (and %(count)d more)", facts["more"]
    ) % {"name": name, "count": facts["more"]}


def _never_pays(level: Level, facts: Facts) -> str:
    return _(
        "%(what)s never paid in any game: move it closer to a start, shorten it, or give it up."
    ) % {"what": _and_more(level, facts)}


def _rarely_pays(level: Level, facts: Facts) -> str:
    return _(
        "%(what)s hardly ever paid: that may be a reward for the very best, or it is too far away."
    ) % {"what": _and_more(level, facts)}


def _always_pays(level: Level, facts: Facts) -> str:
    return _(
        "%(what)s paid nearly always: a goal that everyone reaches decides nothing. "
        "Move it further away or let it pay less."
    ) % {"what": _and_more(level, facts)}


def _all_pays(level: Level, facts: Facts) -> str:
    return _("Everything pays often enough: even %(what)s did on %(share)s of the sheets.") % {
        "what": payer(level, facts["group"], facts["key"]),
        "share": percent(facts["share"]),
    }


def _seat(level: Level, facts: Facts) -> str:
    return _(
        "With %(players)d players, seat %(seat)d wins %(share)s of the games, and %(fair)s would "
        "be fair (chance alone makes up to %(margin)s): look for what only the first can get, "
        "flags, races and bombs."
    ) % {
        "margin": percent(facts["margin"]),
        "players": facts["players"],
        "seat": facts["seat"],
        "share": percent(facts["share"]),
        "fair": percent(facts["fair"]),
    }


def _seats_fair(level: Level, facts: Facts) -> str:
    if facts["margin"] > CLEAR_MARGIN:
        return _(
            "No seat stands out, but in %(games)d games (%(players)d players) chance alone moves "
            "a seat’s share by up to %(margin)s: more games would tell."
        ) % {
            "games": facts["games"],
            "players": facts["players"],
            "margin": percent(facts["margin"]),
        }
    return _(
        "It hardly matters who begins: all seats win about equally often, give or take %(margin)s "
        "that chance alone makes."
    ) % {"margin": percent(facts["margin"])}


def _crossed_little(level: Level, facts: Facts) -> str:
    return _(
        "Only %(share)s of the fields are crossed at the end (%(players)s): more printed crosses, "
        "more rounds or fewer fields would open the sheet up."
    ) % {"share": percent(facts["share"]), "players": players_words(facts["players"])}


def _crossed_much(level: Level, facts: Facts) -> str:
    return _(
        "%(share)s of the fields are crossed at the end (%(players)s), so there is little to "
        "choose: fewer rounds or dice, or more fields, would help."
    ) % {"share": percent(facts["share"]), "players": players_words(facts["players"])}


def _size_fits(level: Level, facts: Facts) -> str:
    return _("The sheet has the right size: %(share)s of the fields are crossed at the end.") % {
        "share": percent(facts["share"])
    }


def _grades_low(level: Level, facts: Facts) -> str:
    return _(
        "The grades are hard to reach: half of the solo games have %(median)s points or fewer, "
        "which is “%(grade)s”. Lower the ratings or let things pay more."
    ) % {"median": shortest_number(facts["median"]), "grade": GRADES[facts["grade"]].title}


def _grades_high(level: Level, facts: Facts) -> str:
    return _(
        "The grades are easy to reach: half of the solo games have %(median)s points or more, "
        "which is “%(grade)s”. Raise the ratings."
    ) % {"median": shortest_number(facts["median"]), "grade": GRADES[facts["grade"]].title}


def _grades_fit(level: Level, facts: Facts) -> str:
    return _(
        "The grades suit the sheet: a middling solo game is “%(grade)s”, with %(median)s points."
    ) % {"median": shortest_number(facts["median"]), "grade": GRADES[facts["grade"]].title}


def _median_far(level: Level, facts: Facts) -> str:
    if facts["median"] < facts["least"]:
        sentence = _(
            "Half of the solo games have only %(median)s points or fewer; on our %(count)d levels "
            "that is %(least)s to %(most)s: let goals pay more, or bring them closer."
        )
    else:
        sentence = _(
            "Half of the solo games have %(median)s points or more; on our %(count)d levels that "
            "is %(least)s to %(most)s: let goals pay less, or move them further away."
        )
    return sentence % (_written(facts) | {"count": len(shipped_settings())})


def _lottery(level: Level, facts: Facts) -> str:
    return _(
        "Scores are far apart: the middle half of all solo games spans %(spread)s points, so luck "
        "weighs much. Smaller amounts for single goals would even that out."
    ) % {"spread": shortest_number(facts["spread"])}


_SENTENCES: Final[Mapping[str, Callable[[Level, Facts], str]]] = {
    "never-pays": _never_pays,
    "rarely-pays": _rarely_pays,
    "always-pays": _always_pays,
    "all-pays": _all_pays,
    "seat": _seat,
    "seats-fair": _seats_fair,
    "crossed-little": _crossed_little,
    "crossed-much": _crossed_much,
    "size-fits": _size_fits,
    "grades-low": _grades_low,
    "grades-high": _grades_high,
    "grades-fit": _grades_fit,
    "lottery": _lottery,
    "median-far": _median_far,
}

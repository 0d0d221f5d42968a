"""Sentences of advice about a balance report, and names of what pays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.charts.numbers import percent, shortest_number
from sheets.rules import Item, Level
from sheets.scoring.sentences import GRADES, item_name
from sheets.simulation.balance.report import Finding, top_findings
from sheets.simulation.balance.shipped_figures import shipped_settings
from sheets.simulation.balance.trial import Trial
from sheets.text.symbols import symbol_name

Facts = Mapping[str, Any]
"""A report, or the facts of a finding."""

CLEAR_MARGIN: Final = 0.05
"""Maximum margin of chance for the sentence that all seats win about equally often. With a larger
margin, the sentence says that more games are needed."""


def sentences(level: Level, document: Facts, ours: tuple[float, float] | None = None) -> list[str]:
    """Return up to three sentences of advice about a report, the most important first.

    ``ours`` are the minimum and the maximum of the shipped levels' solo medians.
    """
    return [describe(level, finding) for finding in top_findings(level, document, ours)]


def describe(level: Level, finding: Finding) -> str:
    """Return the sentence of a finding."""
    facts = finding.facts
    key = finding.name
    if key == "seats-fair" and facts["margin"] > CLEAR_MARGIN:
        key = "seats-unclear"
    if key == "median-far":
        key = "median-low" if facts["median"] < facts["least"] else "median-high"
    words: dict[str, Any] = {name: FORMATS.get(name, str)(value) for name, value in facts.items()}
    words |= {name: facts[name] for name in ("games", "players", "seat") if name in facts}
    words["count"] = len(shipped_settings())
    if key.startswith("crossed"):
        words["players"] = format_players(facts["players"])
    if "group" in facts:
        words["what"] = _payers(level, facts)
    return str(SENTENCES[key]) % words


def _payers(level: Level, facts: Facts) -> str:
    """Return the name of the payer in a finding, and the number of further ones, if any."""
    name, more = payer_name(level, facts["group"], facts["key"]), facts.get("more", 0)
    if not more:
        return name
    words = ngettext("%(name)s (and %(count)d more)", "%(name)s (and %(count)d more)", more)
    return words % {"name": name, "count": more}


def describe_trial(trial: Trial) -> str:
    """Return the sentence about the trial of a level."""
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
    return sentence % (words | {part: shortest_number(one) for part, one in points.items()})


def payer_name(level: Level, group: str, key: str) -> str:
    """Return the name of something that can pay: "Row 3", "Red flag", "Planet b4"."""
    if group == "planets":
        return _("Planet %(field)s") % {"field": key}
    if group == "symbols":
        symbol, _sep, colour = key.partition(" ")
        name = symbol_name(level, symbol, colour)
        return name[:1].upper() + name[1:]
    return item_name(level, Item(group, key, 0, (), ()))


def format_players(players: int) -> str:
    """Return a number of players in words: "Alone", "2 players"."""
    if players == 1:
        return _("Alone")
    return ngettext("%(count)d player", "%(count)d players", players) % {"count": players}


FORMATS: Final[Mapping[str, Callable[[Any], str]]] = {
    **dict.fromkeys(("share", "fair", "margin"), percent),
    **dict.fromkeys(("median", "least", "most", "spread"), shortest_number),
    "grade": lambda grade: str(GRADES[grade].title),
}
"""Formatters of the facts of a finding, by name."""

SENTENCES: Final = {
    "never-pays": gettext_lazy(
        "%(what)s never paid in any game: move it closer to a start, shorten it, or give it up."
    ),
    "rarely-pays": gettext_lazy(
        "%(what)s hardly ever paid: that may be a reward for the very best, or it is too far away."
    ),
    "always-pays": gettext_lazy(
        "%(what)s paid nearly always: a goal that everyone reaches decides nothing. "
        "Move it further away or let it pay less."
    ),
    "all-pays": gettext_lazy(
        "Everything pays often enough: even %(what)s did on %(share)s of the sheets."
    ),
    "seat": gettext_lazy(
        "With %(players)d players, seat %(seat)d wins %(share)s of the games, and %(fair)s would "
        "be fair (chance alone makes up to %(margin)s): look for what only the first can get, "
        "flags, races and bombs."
    ),
    "seats-unclear": gettext_lazy(
        "No seat stands out, but in %(games)d games (%(players)d players) chance alone moves "
        "a seat’s share by up to %(margin)s: more games would tell."
    ),
    "seats-fair": gettext_lazy(
        "It hardly matters who begins: all seats win about equally often, give or take %(margin)s "
        "that chance alone makes."
    ),
    "crossed-little": gettext_lazy(
        "Only %(share)s of the fields are crossed at the end (%(players)s): more printed crosses, "
        "more rounds or fewer fields would open the sheet up."
    ),
    "crossed-much": gettext_lazy(
        "%(share)s of the fields are crossed at the end (%(players)s), so there is little to "
        "choose: fewer rounds or dice, or more fields, would help."
    ),
    "size-fits": gettext_lazy(
        "The sheet has the right size: %(share)s of the fields are crossed at the end."
    ),
    "grades-low": gettext_lazy(
        "The grades are hard to reach: half of the solo games have %(median)s points or fewer, "
        "which is “%(grade)s”. Let the grades begin at fewer points, or let things pay more."
    ),
    "grades-high": gettext_lazy(
        "The grades are easy to reach: half of the solo games have %(median)s points or more, "
        "which is “%(grade)s”. Let them begin at more points."
    ),
    "grades-fit": gettext_lazy(
        "The grades suit the sheet: a middling solo game is “%(grade)s”, with %(median)s points."
    ),
    "median-low": gettext_lazy(
        "Half of the solo games have only %(median)s points or fewer; on our %(count)d levels "
        "that is %(least)s to %(most)s: let goals pay more, or bring them closer."
    ),
    "median-high": gettext_lazy(
        "Half of the solo games have %(median)s points or more; on our %(count)d levels that "
        "is %(least)s to %(most)s: let goals pay less, or move them further away."
    ),
    "lottery": gettext_lazy(
        "Scores are far apart: the middle half of all solo games spans %(spread)s points, so luck "
        "weighs much. Smaller amounts for single goals would even that out."
    ),
}
"""Sentences of `FINDINGS`. `describe` chooses between two for ``seats-fair`` and ``median-far``."""

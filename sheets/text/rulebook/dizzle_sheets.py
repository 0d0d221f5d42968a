"""Rules on scoring, the solo game, and sheets with a volcano or rails."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from sheets.rules.symbols import PLAIN_PAYING_EACH, SYMBOLS
from sheets.text.rulebook.chapters import Chapter, Rule
from sheets.text.symbols import CATEGORY_NAMES

_EACH_TEXTS: Final = {
    "heaps": _("Every crossed heap costs points. If the die went back, nothing happened."),
}
"""Special texts on symbols that pay or cost for each cross, by category; others share one."""


def _rule_of_each(symbol: str) -> Rule:
    category = SYMBOLS[symbol].category
    text = _EACH_TEXTS.get(category, _("Every crossed one counts as printed on the sheet."))
    return Rule(category, CATEGORY_NAMES[category], text)


SHEET_CHAPTERS: Final = (
    Chapter(
        "scoring",
        "gem-yellow",
        _("Scoring: points and winner"),
        _("What everything is worth is printed on the sheet."),
        (
            Rule(
                "gems",
                _("Gems: points by colour"),
                _("Every crossed gem scores the points of its colour."),
            ),
            Rule(
                "lines",
                _("Arrows: whole rows and columns"),
                _(
                    "An arrow’s row or column pays when every one of its fields is crossed. Holes "
                    "and volcanoes do not belong to it; an exploded bomb or lava spoils it."
                ),
            ),
            Rule(
                "puzzles",
                _("Puzzle pieces: whole colours"),
                _("A colour pays when all its puzzle pieces are crossed."),
            ),
            Rule(
                "areas",
                _("Areas: all fields crossed"),
                _(
                    "A bordered area pays when all its fields are crossed. A race pays by the "
                    "order in which players complete it."
                ),
            ),
            Rule("flags", _("Flags: circled numbers"), _("The circled numbers count.")),
            *map(_rule_of_each, PLAIN_PAYING_EACH),
            Rule(
                "bombs",
                _("Bombs: points lost"),
                _(
                    "Every exploded bomb costs points. In a solo game it is the other way round: "
                    "every crossed bomb scores 2."
                ),
            ),
            Rule(
                "winner",
                _("Who wins, and equal points"),
                _(
                    "Most points win. If they are equal, fewer crosses on the sheet win, printed "
                    "ones counted. If those are equal too, you share the victory."
                ),
            ),
        ),
    ),
    Chapter(
        "solo",
        "die-6",
        _("Playing alone (solo)"),
        _(
            "8 dice and 10 rounds of one pass. After every die you place, roll two extra "
            "dice: for each of them one die of that number leaves the pool, if there is "
            "one. A double takes up to two. Once the pool is empty there is nothing more "
            "to roll. You play on until you drop out, are stuck after the extra dice, or "
            "the pool is empty."
        ),
        (
            Rule(
                "rating",
                _("Grades: how good your points are"),
                _(
                    "There are seven grades. You go up one at each of six totals: 41, 51, 61, 71, "
                    "81 and 91 points, unless the sheet has its own."
                ),
            ),
        ),
    ),
    Chapter(
        "volcano",
        "volcano",
        _("Volcano and lava"),
        _("On sheets with a volcano the ground itself joins in."),
        (
            Rule(
                "erupt",
                _("Eruption: before each pass"),
                _(
                    "Before the dice of a pass are rolled, the start player rolls a single die. "
                    "Its number holds for everyone."
                ),
                example="lava",
            ),
            Rule(
                "lava",
                _("Lava: which field it takes"),
                _(
                    "Every player turns one field with that number into lava: an open field that "
                    "touches a volcano or lava of theirs. If there is none, the player is lucky. "
                    "All choose before the dice of the pass are rolled. Lava takes no die, "
                    "blocks the way like an edge, and spoils the lines, areas and puzzles it "
                    "lies in. A bomb under lava explodes all the same and costs its points."
                ),
            ),
        ),
    ),
    Chapter(
        "rails",
        "stop",
        _("Railway: tracks, loops, stops"),
        _("On these sheets you draw track instead of crosses. There are no rockets or planets."),
        (
            Rule(
                "track",
                _("Tracks: straight or curved"),
                _(
                    "At the end of a pass each of your dice leaves a straight or a curve, lying "
                    "as you like. It need not continue anything. For every other rule it is a "
                    "cross."
                ),
            ),
            Rule(
                "tracks",
                _("Routes and loops: points per field"),
                _(
                    "Tracks that meet at an edge are joined. An open route scores 1 point per "
                    "field, a loop 2, and your longest loop 3. Printed track counts."
                ),
                example="loop",
            ),
            Rule(
                "stops",
                _("Stops: points on a loop"),
                _("A stop pays its points when it lies on a loop."),
            ),
        ),
    ),
)
"""Chapters of `dizzle.DIZZLE_CHAPTERS` that follow the chapter on the end of a pass."""

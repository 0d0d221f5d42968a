"""What does one need to know to play, on one page?"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from sheets.texts.rulebook.dice2 import DICE2_CHAPTERS

OF_SINGLE_GAMES: Final = ("square-bounds", "own-colour", "six-in-a-row")
"""The rules of Dice² that hold in some of its games, each of which tells them itself."""

ShortRules = list[tuple[str, str]]
"""Headings with their paragraphs, in the language that is on."""


def dizzle_in_short() -> ShortRules:
    """What a table needs to know of Dizzle."""
    return [
        (
            _("What it is about"),
            _(
                "Everyone has a sheet and crosses fields with dice from the pool in the "
                "middle of the table. Most points on the sheet win; if equal, fewer crosses "
                "do."
            ),
        ),
        (
            _("Rounds"),
            _(
                "Every round has as many passes as there are players, and another player "
                "begins each pass. That player ticks a box at the top right and rolls all "
                "dice; the table on the sheet says how many dice and rounds there are."
            ),
        ),
        (
            _("Your turn"),
            _(
                "In turn, take one die from the pool and lay it on a field with its number. "
                "Your first die of a pass must touch a cross, edge to edge; every further "
                "die must touch one of your dice of this pass. If a die fits, you must take "
                "it."
            ),
        ),
        (
            _("Boxed in"),
            _(
                "If no free field is left around your dice, your next die may lie on any free "
                "field that touches a cross. Numbers that do not fit are no reason to "
                "jump."
            ),
        ),
        (
            _("When no die fits"),
            _(
                "Drop out of the pass, or roll all dice in the pool again. If one fits now, "
                "lay it. If none does, put one of your dice back into the pool as it is; you "
                "stay in."
            ),
        ),
        (
            _("The end of a pass"),
            _(
                "When all but one have dropped out, the last has exactly one more turn. A "
                "pass also ends when the pool is empty. Then every die on a sheet becomes a "
                "cross."
            ),
        ),
        (
            _("Keys and locks"),
            _(
                "A lock takes a die only once a key of its colour has been crossed in an "
                "earlier pass. One key opens all locks of its colour."
            ),
        ),
        (
            _("Bombs"),
            _(
                "If you cross a bomb, you are safe. On all other sheets that bomb explodes "
                "at the end of the pass: scribble it through, nobody can use it any more, "
                "and it costs points."
            ),
        ),
        (
            _("Flags"),
            _(
                "The first to cross a flag of a colour circles the highest number, the next "
                "the following one. Those who get there in the same pass get the same number, "
                "and as many numbers are gone for the others."
            ),
        ),
        (
            _("Rockets and planets"),
            _(
                "A rocket that your die has crossed crosses a planet of your choice at once, "
                "wherever it is. That planet sets off nothing more."
            ),
        ),
        (
            _("Volcanoes and lava"),
            _(
                "Before the dice of a pass, one die is rolled. Every player turns one open "
                "field with that number beside a volcano or lava into lava. It takes no die "
                "any more."
            ),
        ),
        (
            _("Tracks and stops"),
            _(
                "On a rail sheet each die leaves a straight or a curve instead of a cross. A "
                "field of an open route is worth 1, of a loop 2, of your longest loop 3. "
                "Stops on loops pay as well."
            ),
        ),
        (
            _("Points"),
            _(
                "Gems pay each. Rows and columns with an arrow, bordered areas and the puzzle "
                "pieces of a colour pay when all their fields are crossed. Heaps that you "
                "crossed and bombs that exploded cost points."
            ),
        ),
        (
            _("Alone"),
            _(
                "Play ten rounds with eight dice. After each die you lay, roll two more "
                "dice; for each of them a die of the same number leaves the pool. Nothing "
                "explodes: a crossed bomb is worth 2 points."
            ),
        ),
    ]


def dice2_in_short() -> ShortRules:
    """All of Dice², for its rules are short as they are; what a game tells is not told twice."""
    found = []
    for chapter in DICE2_CHAPTERS:
        rules = [rule for rule in chapter.rules if rule.name not in OF_SINGLE_GAMES]
        found.append((str(chapter.title), str(chapter.intro)))
        found += [(str(rule.title), str(rule.text)) for rule in rules]
    return found

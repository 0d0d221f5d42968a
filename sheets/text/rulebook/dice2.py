"""Rules of the games of Dice²."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from sheets.text.rulebook.chapters import Chapter, Rule

DICE2_CHAPTERS: Final = (
    Chapter(
        "dice2",
        "die2-0-5",
        _("Dice²: placing dice"),
        _(
            "Four small games on a board of nine by nine. On your turn you roll one die "
            "and put it on an empty field that shares an edge with a die; its number "
            "stays as rolled. If it fits nowhere, you skip and keep the die. Turns go "
            "round; players without dice are passed over."
        ),
        (
            Rule(
                "centre-first",
                _("First die: the dark field in the middle"),
                _("The first die goes on the dark field in the middle, e5."),
                example="placing",
            ),
            Rule(
                "row-order",
                _("Rows: numbers never fall"),
                _("In every row numbers never fall from left to right, over gaps too."),
                example="order",
            ),
            Rule(
                "column-order",
                _("Columns: numbers never fall"),
                _("In every column numbers never fall from top to bottom, over gaps too."),
            ),
            Rule(
                "square-bounds",
                _("Four rows and four columns"),
                _(
                    "In Square Dice and Last Man Dice all dice together stay within four rows and "
                    "four columns. Which ones becomes clear as you play."
                ),
            ),
            Rule(
                "own-colour",
                _("Your own colour: dice must touch"),
                _(
                    "In Last Man Dice your first die goes anywhere it fits; every later one "
                    "touches a die of your own, at an edge or a corner."
                ),
            ),
            Rule(
                "six-in-a-row",
                _("Six in a row: forbidden"),
                _(
                    "In Major Dice no die may make an unbroken row or column of six dice or more, "
                    "whoever they belong to."
                ),
            ),
        ),
    ),
    Chapter(
        "dice2-games",
        "die2-1-3",
        _("Dice²: the games"),
        _(
            "Each has its own way to win; a relay strings them together. For all of them you need "
            "48 dice, 16 in each of 3 colours, and 18 markers, 6 in each colour."
        ),
        (
            Rule(
                "square",
                _("Square Dice"),
                _(
                    "Alone, with 16 dice, all of them within four rows and four columns: which "
                    "ones becomes clear as you play. It ends with the last die, or with the first "
                    "that fits nowhere. Every line of four neighbouring dice, across, down or "
                    "diagonal, that is four alike or four consecutive numbers in order scores 1 "
                    "point; the diagonal that rises to the right may be read either way. All 16 "
                    "dice placed score 4 more."
                ),
                example="square",
            ),
            Rule(
                "four-wins",
                _("4 Dice Wins"),
                _(
                    "For two on the whole board, 16 dice each. Four or more of your dice in an "
                    "unbroken line, diagonals too, win at once. If nobody gets there, the game "
                    "ends when no die is left or nothing fits any more: the player who placed "
                    "the last die wins."
                ),
                example="four-wins",
            ),
            Rule(
                "last-man",
                _("Last Man Dice"),
                _(
                    "For two, 8 dice each. The dice of both together stay within four rows and "
                    "four columns; after your first die, each of yours touches another of your "
                    "own, at an edge or a corner. The game ends when no die is left or nothing "
                    "fits any more: the player who placed the last die wins."
                ),
                example="last-man",
            ),
            Rule(
                "major",
                _("Major Dice"),
                _(
                    "Two play on the light seven by seven, three on the whole board, 16 dice "
                    "each. No die may make an unbroken row or column of six or more. One of "
                    "exactly five is settled at once: the player with the most dice in it gets two "
                    "markers; if two players of three tie, they get one each. Six markers win, "
                    "which with two players is three rows; if several get there at once, the one "
                    "of them whose last die was placed latest wins. When no die is left or "
                    "nothing fits any more, most markers win; if they are equal, the win is "
                    "shared."
                ),
                example="major",
            ),
            Rule(
                "relay",
                _("Relay: several games in a row"),
                _(
                    "Two or three play several games up to 5, 7 or 9 points. A win is 1 point; "
                    "with the handicap, 2 for a winner who did not start the game. The player "
                    "who did worst starts the next: fewest markers, then the earliest last die, "
                    "then the next player after the one who started. A shared game is a win for "
                    "all who share it. If several reach the target with the same game, most "
                    "points win, else they share."
                ),
            ),
        ),
    ),
)
"""Chapters on Dice²: each of `sheets.rules.dice2.game.RULES` once, each game, the relay."""

"""Texts and tables of the puzzles' pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from sheets.analysis.presentation import PointedField, chance_cell, format_points_estimate
from sheets.art.pointers import BETTER, PLAYED, Pointer
from sheets.charts.numbers import percent
from sheets.puzzles.puzzle import CONFIDENCE, MIN_FOUND, Choice, Margin, Puzzle
from sheets.puzzles.store import ListedPuzzle
from sheets.tables.sentences import STRENGTHS
from sheets.text.player_names import join_names
from sheets.text.symbols import MARK_NAMES

GRADE_NAMES: Final = {
    "easy": gettext_lazy("Easy"),
    "medium": gettext_lazy("Medium"),
    "hard": gettext_lazy("Hard"),
    "very-hard": gettext_lazy("Very hard"),
}
"""Names of the grades, the easiest first."""

TASKS: Final = {
    "place": gettext_lazy("Place one of the dice: tap its field."),
    "return": gettext_lazy("Nothing fits after the reroll: tap the die that you put back."),
    "lava": gettext_lazy("The lava flows: tap the field that you give to it."),
    "rocket": gettext_lazy("Your rocket flies: tap the planet that it reaches."),
    "track": gettext_lazy("Choose the track that the die on %(at)s leaves."),
}
"""What the user is asked to do, by kind of action."""


class NumberedPuzzle(NamedTuple):
    """A puzzle in the list; ``number`` counts from 1."""

    number: int
    puzzle: ListedPuzzle


class GradeRow(NamedTuple):
    """The puzzles of one grade on one level."""

    name: str
    puzzles: Sequence[NumberedPuzzle]


class LevelPuzzles(NamedTuple):
    """The puzzles on one level; ``title`` has its name and its house rules."""

    title: str
    rows: Sequence[GradeRow]


class ChoiceRow(NamedTuple):
    """A choice in the table of the answer.

    ``tags`` are words about it, such as “best”. ``points`` and ``win`` are amounts with their
    margins of error. ``behind`` is how much the choice is behind the answer, None for the answer.
    ``win`` is None in a solo game.
    """

    name: str
    tags: Sequence[str]
    points: tuple[str, str]
    behind: tuple[str, str] | None
    win: tuple[str, str] | None
    is_own: bool


def by_level(puzzles: Iterable[ListedPuzzle]) -> list[LevelPuzzles]:
    """Return the puzzles by level and grade, with their numbers in the list."""
    numbered = [NumberedPuzzle(number, one) for number, one in enumerate(puzzles, start=1)]
    levels: dict[str, list[NumberedPuzzle]] = {}
    for one in numbered:
        levels.setdefault(one.puzzle.level, []).append(one)
    return [
        LevelPuzzles(
            title,
            [
                GradeRow(str(name), chosen)
                for grade, name in GRADE_NAMES.items()
                if (chosen := [one for one in found if one.puzzle.grade == grade])
            ],
        )
        for title, found in levels.items()
    ]


def task_sentence(puzzle: Puzzle) -> str:
    """Return what the user is asked to do."""
    action = puzzle.right.action
    return str(TASKS[action.do]) % {"at": action.at}


def verdict(puzzle: Puzzle, own: int) -> str:
    """Return the sentence about the user's choice; ``own`` is its index."""
    right = puzzle.right
    others = [one for place, one in enumerate(puzzle.choices) if place != puzzle.answer]
    other = puzzle.choices[own] if own != puzzle.answer else min(others, key=lambda one: one.behind)
    sentence = (
        _("Correct: %(best)s brings about %(points)s more than the next best choice, %(other)s.")
        if own == puzzle.answer
        else _("The best choice is %(best)s: it brings about %(points)s more than %(other)s.")
    )
    return sentence % {
        "best": _name(right),
        "other": _name(other),
        "points": format_points_estimate(other.behind.mean),
    }


def choice_rows(puzzle: Puzzle, own: int) -> list[ChoiceRow]:
    """Return all choices, the best first; ``own`` is the index of the user's choice."""
    order = sorted(range(len(puzzle.choices)), key=lambda place: puzzle.choices[place].behind)
    return [_row(puzzle, place, own) for place in order]


def _row(puzzle: Puzzle, place: int, own: int) -> ChoiceRow:
    choice = puzzle.choices[place]
    tags = (
        (puzzle.answer, pgettext("choice", "best")),
        (own, _("yours")),
        (puzzle.played, pgettext("choice", "in the game")),
    )
    return ChoiceRow(
        _name(choice),
        [tag for tagged, tag in tags if tagged == place],
        _tenths(choice.points),
        None if place == puzzle.answer else _tenths(choice.behind),
        chance_cell(choice.win._asdict()) if choice.win else None,
        place == own,
    )


def _tenths(points: Margin) -> tuple[str, str]:
    """Return an amount of points and its margin, both with one decimal, so that they add up."""
    mean, within = (number_format(round(one, 1), decimal_pos=1) for one in points)
    return mean.replace("-", "\N{MINUS SIGN}"), f"±\N{NO-BREAK SPACE}{within}"


def pointers(puzzle: Puzzle, own: int) -> list[PointedField]:
    """Return the marks of the answer and of a wrong choice; none for tracks on the same field."""
    if puzzle.right.action.do == "track":
        return []
    chosen = {BETTER: puzzle.right}
    if own != puzzle.answer:
        chosen[PLAYED] = puzzle.choices[own]
    return [
        PointedField(Pointer(choice.action.at, kind), _name(choice))
        for kind, choice in chosen.items()
    ]


def finders_sentence(puzzle: Puzzle) -> str:
    """Return the sentence about the bots that find the answer."""
    names = [
        str(name).lower()
        for bot, (name, _about) in STRENGTHS.items()
        if puzzle.found_shares[bot] >= MIN_FOUND
    ]
    if not names:
        return _("No bot finds the answer.")
    return _("Bots that find the answer: %(bots)s.") % {"bots": join_names(names)}


def method_sentence(puzzle: Puzzle) -> str:
    """Return the sentence about where the figures come from."""
    return _(
        "Bots have played the game to its end %(games)s times after each choice. Margins are those "
        "of %(confidence)s confidence."
    ) % {
        "games": number_format(puzzle.games, force_grouping=True),
        "confidence": percent(CONFIDENCE),
    }


def _name(choice: Choice) -> str:
    """Return the field of a choice, or the description of a track."""
    action = choice.action
    return str(MARK_NAMES[action.shape]) if action.shape else action.at

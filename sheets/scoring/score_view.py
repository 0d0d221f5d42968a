"""What do the sheets of a scoring come to, ready to be shown?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from sheets.artwork.drawings import symbol_id
from sheets.models import PaperSheet, Scoring
from sheets.people.alike import distinct_names
from sheets.rules import Item, Level, Score, blank_sheet, score_sheet
from sheets.rules.doubts import Doubt, find_doubts
from sheets.rules.paper import Paper, PaperResult, score_paper
from sheets.rules.symbols import BY_CATEGORY, CATEGORIES
from sheets.rules.tracks import NumberTrack
from sheets.scoring.marks import read_paper
from sheets.scoring.standing import Rank, Standing, stand
from sheets.scoring.store import MarkedSheet, level_of, read_sheets
from sheets.scoring.words import Grade, item_detail, item_name, number_question
from sheets.texts.doubts import describe_doubt
from sheets.texts.players import player_name
from sheets.texts.symbols import category_name

SIGNS: Final[Mapping[str, str]] = {
    "lines": "sign-line",
    "areas": "sign-area",
    "tracks": "track-EW",
}
"""The drawings of those rows of the score column that are about no symbol."""


class ItemRow(NamedTuple):
    """One line of the score column; ``key`` tells it apart, ``sign`` is the id of a drawing."""

    key: str
    name: str
    detail: str
    sign: str
    item: Item


class CategoryRow(NamedTuple):
    """A category with its amount; ``category`` is its word, ``name`` what it is called.

    ``only`` is its line in place of ``items`` where that would say the same twice.
    """

    category: str
    name: str
    points: int
    sign: str
    items: tuple[ItemRow, ...]
    only: ItemRow | None


class Choice(NamedTuple):
    """A number that can be circled; ``holders`` are the others who have circled it."""

    number: int
    holders: tuple[str, ...]


class NumberQuestion(NamedTuple):
    """A number to circle: ``current`` is the chosen one (None: none), ``is_open`` if it matters.

    ``number`` is that of the sheet, ``position`` its place among the sheets.
    """

    at: str
    question: str
    choices: tuple[Choice, ...]
    current: int | None
    is_open: bool
    number: int
    position: int

    @property
    def suggested(self) -> int | None:
        """The highest number that nobody else has circled, where it matters which one it is."""
        free = (choice.number for choice in self.choices if not choice.holders)
        return next(free, None) if self.is_open else None


class ShownDoubt(NamedTuple):
    """What cannot have happened, as a sentence.

    Where only one thing can be right, ``marks`` has it as ``"c4=exploded"``, for the sheet with
    the ``number``.
    """

    sentence: str
    number: int
    marks: tuple[str, ...]


class Ask(NamedTuple):
    """A flag or race whose numbers are not clear, and the sheets that lack one."""

    question: str
    open_ones: tuple[NumberQuestion, ...]


@dataclass(frozen=True)
class Scored:
    """The sheets of a scoring with what they come to; positions count from 0.

    ``photographed`` are the numbers of those whose photo is kept.
    """

    level: Level
    sheets: tuple[PaperSheet, ...]
    marks: tuple[Mapping[str, str], ...]
    paper: Paper
    photographed: frozenset[int]

    @cached_property
    def result(self) -> PaperResult:
        """The scores and who has won."""
        return score_paper(self.paper)

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return self.paper.players

    @property
    def totals(self) -> dict[int, int]:
        """The total of each sheet, by the sheet's number."""
        scores = self.result.scores
        return {s.number: score.total for s, score in zip(self.sheets, scores, strict=True)}

    @cached_property
    def _doubts(self) -> list[Doubt]:
        return find_doubts(self.paper)

    @property
    def doubts(self) -> list[ShownDoubt]:
        """What cannot have happened, on each sheet and between them."""
        return [self._shown(doubt, is_named=True) for doubt in self._doubts]

    def doubts_about(self, position: int) -> list[ShownDoubt]:
        """The doubts about one sheet, those between several sheets included."""
        about = [doubt for doubt in self._doubts if doubt.player in (position, -1)]
        return [self._shown(doubt, is_named=False) for doubt in about]

    def _shown(self, doubt: Doubt, *, is_named: bool) -> ShownDoubt:
        return ShownDoubt(
            describe_doubt(doubt, self.paper, is_named=is_named),
            self.sheets[doubt.player].number if doubt.player >= 0 else 0,
            self._answer(doubt),
        )

    def _answer(self, doubt: Doubt) -> tuple[str, ...]:
        """The marks that settle a doubt, where there is one clear answer."""
        if doubt.name != "bomb-still-open":
            return ()
        marks = self.marks[doubt.player]
        return tuple(
            f"{at}={'exploded-lava' if marks.get(at) == 'lava' else 'exploded'}"
            for at in doubt.fields
        )

    def categories(self, position: int) -> list[CategoryRow]:
        """The score column of a sheet."""
        return category_rows(self.level, self.result.scores[position])

    def item(self, position: int, key: str) -> Item | None:
        """The line of a sheet's score column with that key, or those of a category alone."""
        score = self.result.scores[position]
        for item in score.items:
            if f"{item.category} {item.key}" == key:
                return item
        return item_of_category(score, key)

    def questions(self, position: int) -> list[NumberQuestion]:
        """The numbers of flags and races that a sheet has or should have."""
        found = []
        sheet = self.paper.sheets[position]
        open_ones = {unclear.track for unclear in self.paper.unclear if unclear.player == position}
        for place, track in self.level.number_tracks.items():
            current = track.circled(sheet)
            takers = track.takers(self.paper.sheets)
            if position not in takers and current is None:
                continue
            numbers = dict.fromkeys((*track.numbers, *track.possible_numbers(len(takers))))
            found.append(
                NumberQuestion(
                    place,
                    number_question(self.level, track),
                    tuple(self._choice(position, track, number) for number in numbers),
                    current,
                    track in open_ones,
                    self.sheets[position].number,
                    position,
                )
            )
        return found

    def _choice(self, position: int, track: NumberTrack, number: int) -> Choice:
        others = [
            name
            for other, (name, sheet) in enumerate(zip(self.names, self.paper.sheets, strict=True))
            if other != position and track.circled(sheet) == number
        ]
        return Choice(number, tuple(others))

    def asks(self, position: int) -> list[Ask]:
        """What is not clear about the numbers a sheet shares in, its own question first."""
        found = []
        for own in self.questions(position):
            everybody = [own, *(q for q in self._open_questions if q.at == own.at)]
            lacking = tuple(dict.fromkeys(question for question in everybody if question.is_open))
            if lacking:
                found.append(Ask(own.question, lacking))
        return found

    @cached_property
    def _open_questions(self) -> list[NumberQuestion]:
        return [q for i in range(len(self.sheets)) for q in self.questions(i) if q.is_open]

    def owes(self, position: int) -> bool:
        """Whether a sheet still lacks a circled number."""
        return position in self._owing

    @cached_property
    def _owing(self) -> set[int]:
        return {unclear.player for unclear in self.paper.unclear}

    @cached_property
    def standing(self) -> Standing:
        """Who has won, once everybody has a mark or is said to have none."""
        pairs = enumerate(zip(self.sheets, self.marks, strict=True))
        return stand(
            self.names,
            self.result.scores,
            self.result.outcome,
            numbers=[sheet.number for sheet in self.sheets],
            owes=self._owing,
            waits={i for i, (sheet, marks) in pairs if not marks and not sheet.is_blank},
        )

    @property
    def grade(self) -> Grade | None:
        """The grade of a solo game."""
        return self.standing.grade

    def after(self, position: int) -> Rank | None:
        """Whose sheet comes next; None after the last one."""
        return next(iter(self.standing.ranks[position + 1 :]), None)


def category_rows(level: Level, score: Score) -> list[CategoryRow]:
    """A score column: the categories that the level has, in their order."""
    rows = []
    for category in CATEGORIES:
        items = tuple(
            ItemRow(
                f"{category} {item.key}",
                item_name(level, item),
                item_detail(level, item),
                sign(item),
                item,
            )
            for item in score.items
            if item.category == category
        )
        if items:
            symbol = BY_CATEGORY.get(category)
            is_single = symbol is not None and not symbol.is_coloured
            rows.append(
                CategoryRow(
                    category,
                    category_name(level, category),
                    score.by[category],
                    items[0].sign,
                    () if is_single else items,
                    items[0] if is_single else None,
                )
            )
    return rows


def item_of_category(score: Score, category: str) -> Item | None:
    """All lines of a category that pay as one, or all where none does; None if there is none.

    The points are those of the first.
    """
    own = [item for item in score.items if item.category == category]
    if not own:
        return None
    own = [item for item in own if item.points] or own
    fields, missing = (
        tuple(dict.fromkeys(name for item in own for name in getattr(item, kind)))
        for kind in ("fields", "missing")
    )
    return own[0]._replace(key="", fields=fields, missing=missing)


class ComparisonRow(NamedTuple):
    """A category with every player's amount; ``sign`` is the id of a drawing."""

    category: str
    name: str
    sign: str
    amounts: list[int]


def comparison_rows(level: Level, scores: Sequence[Score]) -> list[ComparisonRow]:
    """Several score columns side by side: each category that the level has."""
    columns = [category_rows(level, score) for score in scores]
    return [
        ComparisonRow(rows[0].category, rows[0].name, rows[0].sign, [row.points for row in rows])
        for rows in zip(*columns, strict=True)
    ]


def sign(item: Item) -> str:
    """The id of the drawing that stands for a line of the score column."""
    if item.category == "lines" and item.key.startswith("fields"):
        return "sign-chain"
    if symbol := BY_CATEGORY.get(item.category):
        return symbol_id(symbol.name, item.key)
    return SIGNS[item.category]


def signs(level: Level) -> set[str]:
    """All of them that the level's score column can have."""
    return {sign(item) for item in score_sheet(blank_sheet(level), solo=False).items}


def score(scoring: Scoring) -> Scored:
    """Score all sheets of a scoring as they are now. Raises UnknownKey if the scoring is gone."""
    return score_sheets(scoring, read_sheets(scoring))


def score_sheets(scoring: Scoring, found: Mapping[int, MarkedSheet]) -> Scored:
    """Score the sheets of a scoring, which were read already."""
    level = level_of(scoring)
    sheets = tuple(sheet.row for sheet in found.values())
    marks = tuple(sheet.marks for sheet in found.values())
    names = distinct_names(
        [player_name(sheet.player, i) for i, sheet in enumerate(sheets, start=1)]
    )
    solo = scoring.is_solo if len(sheets) == 1 else None
    photographed = frozenset(n for n, sheet in found.items() if sheet.photo is not None)
    return Scored(level, sheets, marks, read_paper(level, names, marks, solo), photographed)

"""Scores, doubts and questions of a scoring's sheets, prepared for templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from sheets.art.drawings import symbol_id
from sheets.models import PaperSheet, Scoring
from sheets.names.confusables import distinct_names
from sheets.rules import Item, Level, Score, blank_sheet, score_sheet
from sheets.rules.doubts import Doubt, find_doubts
from sheets.rules.paper_scoring import Paper, PaperResult, score_paper
from sheets.rules.symbols import BY_CATEGORY, CATEGORIES
from sheets.rules.tracks import NumberTrack
from sheets.scoring.marks import read_paper
from sheets.scoring.ranking import Rank, Standing, rank_players
from sheets.scoring.sentences import Grade, item_detail, item_name, number_question
from sheets.scoring.store import MarkedSheet, level_of, read_sheets
from sheets.text.doubts import describe_doubt
from sheets.text.player_names import player_name
from sheets.text.symbols import category_name

SIGNS: Final[Mapping[str, str]] = {
    "lines": "sign-line",
    "areas": "sign-area",
    "tracks": "track-EW",
}
"""Ids of the drawings for rows of the score column that belong to no symbol, by category."""


class ItemRow(NamedTuple):
    """One line of the score column; ``key`` identifies it, ``sign`` is the id of a drawing."""

    key: str
    name: str
    detail: str
    sign: str
    item: Item


class CategoryRow(NamedTuple):
    """A category of a score column; ``category`` is its key, ``name`` its translated name.

    If its single line would repeat the category, ``only`` is that line and ``items`` is empty.
    """

    category: str
    name: str
    points: int
    sign: str
    items: tuple[ItemRow, ...]
    only: ItemRow | None


class Choice(NamedTuple):
    """A number that can be circled; ``holders`` are the other players who have circled it."""

    number: int
    holders: tuple[str, ...]


class NumberQuestion(NamedTuple):
    """Question about the number of a flag or race that a player has circled.

    ``current`` is the circled number, or None. If ``is_open``, the sheet lacks the number, and it
    cannot be derived from the other sheets. ``number`` is the sheet's number, ``position`` its
    index.
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
        """First number that no other player has circled; None if the question is not open."""
        free = (choice.number for choice in self.choices if not choice.holders)
        return next(free, None) if self.is_open else None


class ShownDoubt(NamedTuple):
    """A doubt, described by a sentence.

    ``number`` is the number of the doubtful sheet, 0 if the doubt concerns several sheets. If only
    one correction is possible, ``marks`` has the marks to set, such as ``"c4=exploded"``; else it
    is empty.
    """

    sentence: str
    number: int
    marks: tuple[str, ...]


class Ask(NamedTuple):
    """A flag or race with the open questions of all sheets that lack its circled number."""

    question: str
    open_ones: tuple[NumberQuestion, ...]


@dataclass(frozen=True)
class Scored:
    """Sheets of a scoring with their scores; a sheet's position is its index, from 0.

    ``photographed`` has the numbers of sheets with a stored photo.
    """

    level: Level
    sheets: tuple[PaperSheet, ...]
    marks: tuple[Mapping[str, str], ...]
    paper: Paper
    photographed: frozenset[int]

    @cached_property
    def result(self) -> PaperResult:
        """Scores and outcome."""
        return score_paper(self.paper)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players."""
        return self.paper.players

    @property
    def totals(self) -> dict[int, int]:
        """Total of each sheet, by the sheet's number."""
        scores = self.result.scores
        return {s.number: score.total for s, score in zip(self.sheets, scores, strict=True)}

    @cached_property
    def _doubts(self) -> list[Doubt]:
        return find_doubts(self.paper)

    @property
    def doubts(self) -> list[ShownDoubt]:
        """All doubts: about single sheets, and about sheets that contradict each other."""
        return [self._shown(doubt, is_named=True) for doubt in self._doubts]

    def doubts_about(self, position: int) -> list[ShownDoubt]:
        """Return the doubts about one sheet, and those that concern several sheets."""
        about = [doubt for doubt in self._doubts if doubt.player in (position, -1)]
        return [self._shown(doubt, is_named=False) for doubt in about]

    def _shown(self, doubt: Doubt, *, is_named: bool) -> ShownDoubt:
        return ShownDoubt(
            describe_doubt(doubt, self.paper, is_named=is_named),
            self.sheets[doubt.player].number if doubt.player >= 0 else 0,
            self._answer(doubt),
        )

    def _answer(self, doubt: Doubt) -> tuple[str, ...]:
        """Return the marks that resolve a doubt; empty unless only one correction is possible."""
        if doubt.name != "bomb-still-open":
            return ()
        marks = self.marks[doubt.player]
        return tuple(
            f"{at}={'exploded-lava' if marks.get(at) == 'lava' else 'exploded'}"
            for at in doubt.fields
        )

    def categories(self, position: int) -> list[CategoryRow]:
        """Return the score column of a sheet."""
        return category_rows(self.level, self.result.scores[position])

    def item(self, position: int, key: str) -> Item | None:
        """Return a line of a sheet's score column; None if there is no such line.

        ``key`` is that of an `ItemRow`, or a category, whose lines are merged.
        """
        score = self.result.scores[position]
        for item in score.items:
            if f"{item.category} {item.key}" == key:
                return item
        return item_of_category(score, key)

    def questions(self, position: int) -> list[NumberQuestion]:
        """Return a question for each flag and race whose number the sheet has or should have."""
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
        """Return an `Ask` for each flag and race that concerns a sheet and has open questions.

        The question of this sheet precedes those of the other sheets.
        """
        found = []
        for own in self.questions(position):
            same = [own, *(q for q in self._open_questions if q.at == own.at)]
            lacking = tuple(dict.fromkeys(question for question in same if question.is_open))
            if lacking:
                found.append(Ask(own.question, lacking))
        return found

    @cached_property
    def _open_questions(self) -> list[NumberQuestion]:
        return [q for i in range(len(self.sheets)) for q in self.questions(i) if q.is_open]

    @cached_property
    def standing(self) -> Standing:
        """Ranking of the players; a sheet without marks counts only if confirmed as blank."""
        pairs = enumerate(zip(self.sheets, self.marks, strict=True))
        return rank_players(
            self.names,
            self.result.scores,
            self.result.outcome,
            numbers=[sheet.number for sheet in self.sheets],
            incomplete={unclear.player for unclear in self.paper.unclear},
            uncounted={i for i, (sheet, marks) in pairs if not marks and not sheet.is_blank},
        )

    @property
    def grade(self) -> Grade | None:
        """Grade of a solo game; None for other games, and until the result is complete."""
        return self.standing.grade

    def after(self, position: int) -> Rank | None:
        """Return the rank of the next sheet's player; None after the last one."""
        return next(iter(self.standing.ranks[position + 1 :]), None)


def category_rows(level: Level, score: Score) -> list[CategoryRow]:
    """Return the categories of a score column, in their fixed order."""
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
            single = is_single(category)
            rows.append(
                CategoryRow(
                    category,
                    category_name(level, category),
                    score.by_category[category],
                    items[0].sign,
                    () if single else items,
                    items[0] if single else None,
                )
            )
    return rows


def is_single(category: str) -> bool:
    """Return whether a category has a single line, which would only repeat the category."""
    symbol = BY_CATEGORY.get(category)
    return symbol is not None and not symbol.is_coloured


def item_of_category(score: Score, category: str) -> Item | None:
    """Return one line with the fields of a category's lines, in order to highlight them.

    It merges the lines that pay, or all lines if none pays. Its points are those of the first line.
    None if the category has no lines.
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
    """A category with each player's points; ``sign`` is the id of its drawing."""

    category: str
    name: str
    sign: str
    amounts: list[int]


def comparison_rows(level: Level, scores: Sequence[Score]) -> list[ComparisonRow]:
    """Combine the players' score columns to one row for each of the level's categories."""
    columns = [category_rows(level, score) for score in scores]
    return [
        ComparisonRow(rows[0].category, rows[0].name, rows[0].sign, [row.points for row in rows])
        for rows in zip(*columns, strict=True)
    ]


def sign(item: Item) -> str:
    """Return the id of the drawing for a line of the score column."""
    if item.category == "lines" and item.key.startswith("fields"):
        return "sign-chain"
    if symbol := BY_CATEGORY.get(item.category):
        return symbol_id(symbol.name, item.key)
    return SIGNS[item.category]


def signs(level: Level) -> set[str]:
    """Return the ids of all drawings that the level's score column can need, see `sign`."""
    return {sign(item) for item in score_sheet(blank_sheet(level), solo=False).items}


def score(scoring: Scoring) -> Scored:
    """Read and score all sheets of a scoring. Raises UnknownKey if the scoring was deleted."""
    return score_sheets(scoring, read_sheets(scoring))


def score_sheets(scoring: Scoring, found: Mapping[int, MarkedSheet]) -> Scored:
    """Score the sheets of a scoring that `read_sheets` has returned.

    Raises:
        UnknownKey: the scoring was deleted.
    """
    level = level_of(scoring)
    sheets = tuple(sheet.row for sheet in found.values())
    marks = tuple(sheet.marks for sheet in found.values())
    names = distinct_names(
        [player_name(sheet.player, i) for i, sheet in enumerate(sheets, start=1)]
    )
    solo = scoring.is_solo if len(sheets) == 1 else None
    photographed = frozenset(n for n, sheet in found.items() if sheet.photo is not None)
    return Scored(level, sheets, marks, read_paper(level, names, marks, solo), photographed)

"""All sheets of a game side by side, with their scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from sheets.rules import Game, Level, Outcome, Score
from sheets.rules.marks import Marks, RocketCrosses, marks_of_all
from sheets.scoring.ranking import Standing, rank_players
from sheets.scoring.result import Cell, ResultRow, describe_result
from sheets.scoring.score_view import (
    CategoryRow,
    ComparisonRow,
    category_rows,
    comparison_rows,
    item_of_category,
)
from sheets.scoring.sentences import Grade, grade_of
from sheets.tables import event_loader
from sheets.tables.access import TableAccess
from sheets.tables.bots import bots_at
from sheets.tables.event_log import find_reached


class Column(NamedTuple):
    """One player: name, sheet and points; ``lit`` are the fields of the sheet to highlight."""

    number: int
    name: str
    marks: Marks
    score: Score
    categories: list[CategoryRow]
    is_winner: bool
    is_out: bool
    lit: Sequence[str]


@dataclass(frozen=True)
class Scoreboard:
    """A game at one moment.

    ``reached`` are the planets that rockets have crossed. ``lit`` are the fields to highlight, by
    player; empty for none. ``bots`` are the players that are bots.
    """

    game: Game
    reached: RocketCrosses = frozenset()
    lit: Sequence[Sequence[str]] = field(default=())
    bots: Collection[int] = ()

    @property
    def level(self) -> Level:
        """The level that is played."""
        return self.game.level

    @cached_property
    def scores(self) -> list[Score]:
        """The score of each sheet, as if the game ended now."""
        return self.game.scores()

    @cached_property
    def outcome(self) -> Outcome | None:
        """The outcome with the winners; None until the game is over."""
        return self.game.outcome()

    @cached_property
    def columns(self) -> list[Column]:
        """The players in seating order."""
        marks = marks_of_all(self.game.sheets, self.reached)
        winners = self.outcome.winners if self.outcome and not self.game.is_solo else ()
        return [
            Column(
                number,
                name,
                marks[number],
                self.scores[number],
                category_rows(self.level, self.scores[number]),
                number in winners,
                self.game.sheets[number].is_out,
                self.lit[number] if self.lit else (),
            )
            for number, name in enumerate(self.game.players)
        ]

    @cached_property
    def rows(self) -> list[ComparisonRow]:
        """The categories, each with the points of all players."""
        return comparison_rows(self.level, self.scores)

    @property
    def urls(self) -> dict[int, str]:
        """Addresses of the sheets on the page of results, by player."""
        return {number: f"#sheet-{number}" for number in range(len(self.game.players))}

    @property
    def cells(self) -> list[ResultRow]:
        """The `rows` for the page of results: each amount with a link to its sheet and fields."""
        return [
            ResultRow(
                row.name,
                row.sign,
                [
                    Cell(amount, url, number, item_of_category(self.scores[number], row.category))
                    for (number, url), amount in zip(self.urls.items(), row.amounts, strict=True)
                ],
            )
            for row in self.rows
        ]

    @cached_property
    def standing(self) -> Standing:
        """The players with their ranks and scores, and the outcome."""
        players = self.game.players
        return rank_players(
            players, self.scores, self.outcome, numbers=range(len(players)), bots=self.bots
        )

    @property
    def details(self) -> list[str]:
        """What the winner sentence leaves out, see `describe_result`."""
        return describe_result(self.standing, self.rows)

    @property
    def winner(self) -> str:
        """The winners and the deciding rule as a sentence; empty in a solo or unfinished game."""
        return self.standing.winner

    @property
    def grade(self) -> Grade | None:
        """The grade of a finished solo game; None for other games."""
        return grade_of(self.outcome)


def scoreboard_of(access: TableAccess) -> Scoreboard:
    """Return the scoreboard of a table as it is now."""
    loaded = event_loader.load_game(access, Game)
    reached = find_reached(loaded.entries, loaded.state.applied)
    return Scoreboard(loaded.state.game, reached, bots=bots_at(access))

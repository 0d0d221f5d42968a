"""Corrections of a sheet after a game: a player's draft, and the proposal to the other players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

from sheets.rules import Action, Game
from sheets.rules.doubts import find_doubts
from sheets.rules.final_sheet import format_final_sheet
from sheets.rules.paper_scoring import Paper
from sheets.scoring.marks import (
    PaperMarks,
    next_value,
    only_shape,
    place_values,
    read_paper,
    stored_marks,
    takes_number,
)
from sheets.tables.event_log import LogState
from sheets.text.doubts import describe_doubt
from sheets.text.labels import with_label
from sheets.text.symbols import MARK_NAMES, track_name


@dataclass(frozen=True)
class Correction:
    """A finished game and the action that corrects one of its sheets."""

    game: Game
    action: Action

    @cached_property
    def corrected(self) -> Game:
        """The game after the correction."""
        return self.game.apply(self.action)

    @property
    def player(self) -> str:
        """The name of the player whose sheet is corrected."""
        return self.game.players[self.action.player]

    @cached_property
    def changes(self) -> list[str]:
        """The changes in words, one for each field or number track, such as “c4: open”."""
        new = stored_marks(_paper_of(self.corrected), self.action.player)
        changed = _changed_places(self.game, self.action.player, new)
        return [self._said(at, value) for at, value in changed.items()]

    def _said(self, at: str, value: str) -> str:
        """Return the words for the new value of a field or number track."""
        track = self.game.level.number_tracks.get(at)
        if track:
            return with_label(track_name(self.game.level, track), value or "–")
        return with_label(at, MARK_NAMES[value])

    @property
    def totals(self) -> tuple[int, int]:
        """The total of the sheet before and after the correction."""
        old, new = (game.scores()[self.action.player].total for game in (self.game, self.corrected))
        return old, new

    @cached_property
    def doubts(self) -> list[str]:
        """Sentences that say why no legal game leads to the corrected sheets; empty if one may.

        Doubts that the sheets already raised before the correction are left out.
        """
        paper = _paper_of(self.corrected)
        before = find_doubts(_paper_of(self.game))
        return [
            describe_doubt(doubt, paper, is_named=True)
            for doubt in find_doubts(paper)
            if doubt not in before
        ]


class NumberChoice(NamedTuple):
    """A flag or race with a circled number on a sheet, and the numbers that could be circled.

    ``place`` is its key in the marks, ``name`` its name for players, ``chosen`` the circled number.
    """

    place: str
    name: str
    numbers: tuple[int, ...]
    chosen: int


@dataclass(frozen=True)
class Draft:
    """A sheet of a finished game while a player corrects it.

    ``marks`` are the marks with the corrections so far, as in `sheets.scoring.marks`.
    """

    game: Game
    player: int
    marks: PaperMarks

    @classmethod
    def of(cls, game: Game, player: int, changes: Mapping[str, str]) -> Self:
        """Return the draft of a player's sheet with changes.

        ``changes`` are the new values by field or number track; an empty value removes the mark.

        Raises:
            ValueError: there is no such field or track, or it cannot have that value.
        """
        level = game.level
        for at, value in changes.items():
            values = place_values(level, at)
            if not values or value not in ("", *values):
                raise ValueError("no such place or value")
        marks = {**stored_marks(_paper_of(game), player), **changes}
        marks = {at: value for at, value in marks.items() if value}
        fields = {at: value for at, value in marks.items() if at not in level.number_tracks}
        numbers = {
            at: marks.get(at, str(track.number_after(game.struck.get(at, 0))))
            for at, track in level.number_tracks.items()
            if takes_number(level, fields, at)
        }
        return cls(game, player, fields | numbers)

    def tapped(self, at: str, *, lava: bool) -> str:
        """Return the new value of a field after a tap; with ``lava`` the tap pours lava.

        On a rail level, a tap removes the mark, or draws the only track that fits. If several or
        none fit, the value stays empty: the player has to choose the track.
        """
        value, level = self.marks.get(at, ""), self.game.level
        if level.rails:
            return "" if value else only_shape(level, self.marks, at)
        return next_value(level, at, value, lava=lava, is_solo=self.game.is_solo)

    @property
    def changes(self) -> dict[str, str]:
        """New values of the changed fields and number tracks; empty for a removed mark."""
        return _changed_places(self.game, self.player, self.marks)

    @property
    def numbers(self) -> list[NumberChoice]:
        """The flags and races with a circled number on the sheet."""
        level = self.game.level
        return [
            NumberChoice(
                at,
                track_name(level, track),
                tuple(map(int, place_values(level, at))),
                int(self.marks[at]),
            )
            for at, track in level.number_tracks.items()
            if at in self.marks
        ]

    @property
    def correction(self) -> Correction:
        """The correction that the draft proposes."""
        marks: list[PaperMarks] = [
            stored_marks(_paper_of(self.game), player) for player in range(len(self.game.players))
        ]
        marks[self.player] = self.marks
        paper = read_paper(self.game.level, self.game.players, marks, self.game.is_solo)
        sheet = format_final_sheet(paper.sheets[self.player])
        return Correction(self.game, Action("correct", self.player, sheet=sheet))


def needs_all_players(state: LogState[Any]) -> bool:
    """Return whether all players must agree to the open proposal.

    That is so for a correction if no legal game leads to the corrected sheet.
    """
    proposal = state.proposal
    if not proposal or not proposal.correction:
        return False
    return bool(Correction(state.game, proposal.correction).doubts)


def read_changes(changes: Iterable[str]) -> dict[str, str]:
    """Parse the changes that a page sends, such as ``c4=cross``; return new values by field."""
    found = (change.partition("=") for change in changes)
    return {at: value for at, _equals, value in found}


def _changed_places(game: Game, player: int, marks: PaperMarks) -> dict[str, str]:
    """Return the values in ``marks`` that differ from the player's sheet, by field or track."""
    old, level = stored_marks(_paper_of(game), player), game.level
    places = (*(field.name for field in level.fields), *level.number_tracks)
    return {at: marks.get(at, "") for at in places if old.get(at) != marks.get(at)}


def _paper_of(game: Game) -> Paper:
    """Return the sheets of a game as paper sheets."""
    return Paper(game.level, game.level.id, game.players, game.sheets, game.is_solo, ())

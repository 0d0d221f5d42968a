"""Scoring of finished paper sheets whose game was not recorded.

Only the marks on the paper are known. `fill_numbers` adds the numbers that follow from them and
lists the unclear ones (such as those of a flag that two players reached without circling a number);
`score_paper` adds up; `sheets.rules.doubts.find_doubts` lists marks that no legal game leads to.
"""

from __future__ import annotations

from typing import NamedTuple

from sheets.rules.game import Outcome, decide
from sheets.rules.level import Level
from sheets.rules.scoring import Score, score_sheet
from sheets.rules.sheet import Sheet
from sheets.rules.tracks import NumberTrack


class UnclearNumber(NamedTuple):
    """A circled number that is missing on a player's sheet and has several possible values.

    ``choices`` are the possible numbers of the track, highest first.
    """

    player: int
    track: NumberTrack
    choices: tuple[int, ...]


class Paper(NamedTuple):
    """The sheets of one game at its end.

    ``level_id`` is the id of a shipped level where the document named one, else empty.
    """

    level: Level
    level_id: str
    players: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    is_solo: bool
    unclear: tuple[UnclearNumber, ...]


class PaperResult(NamedTuple):
    """The scores of all sheets, in their order, and the outcome."""

    scores: tuple[Score, ...]
    outcome: Outcome


def fill_numbers(paper: Paper) -> Paper:
    """Return the paper with derivable numbers filled in and the other missing ones as unclear.

    If one player has reached a track, this player has its first number. If several have, their
    order is unknown, so a number that is missing stays unclear.
    """
    sheets = list(paper.sheets)
    unclear = []
    for track in paper.level.number_tracks.values():
        takers = track.takers(sheets)
        for i in takers:
            if track.circled(sheets[i]) is not None:
                continue
            if len(takers) > 1:
                unclear.append(UnclearNumber(i, track, track.possible_numbers(len(takers))))
            else:
                sheets[i] = track.with_circled(sheets[i], track.numbers[0])
    return paper._replace(sheets=tuple(sheets), unclear=tuple(unclear))


def score_paper(paper: Paper) -> PaperResult:
    """Return the scores of the sheets and the outcome."""
    scores = tuple(score_sheet(sheet, solo=paper.is_solo) for sheet in paper.sheets)
    return PaperResult(scores, decide(scores, paper.level.ratings, is_solo=paper.is_solo))

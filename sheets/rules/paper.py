"""What are finished paper sheets worth, when nobody recorded the game?

Only what is on the paper is known. `fill_numbers` works out what follows from it and says what is
unclear (a flag reached by two players without a circled number, say); `score_paper` adds up;
`find_doubts` (`sheets.rules.doubts`) names what cannot have happened in a legal game.
"""

from __future__ import annotations

from typing import NamedTuple

from sheets.rules.game import Outcome, decide
from sheets.rules.level import Level
from sheets.rules.scoring import Score, score_sheet
from sheets.rules.sheet import Sheet
from sheets.rules.tracks import NumberTrack


class Unclear(NamedTuple):
    """A number the paper should show and does not: which one did this player circle?

    ``choices`` are the numbers of the track it can be, highest first.
    """

    player: int
    track: NumberTrack
    choices: tuple[int, ...]


class Paper(NamedTuple):
    """The sheets of one game as they lay on the table at its end.

    ``level_id`` is the id of a shipped level where the document named one, else empty.
    """

    level: Level
    level_id: str
    players: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    is_solo: bool
    unclear: tuple[Unclear, ...]


class PaperResult(NamedTuple):
    """The scores of all sheets, in their order, and who has won."""

    scores: tuple[Score, ...]
    outcome: Outcome


def fill_numbers(paper: Paper) -> Paper:
    """The paper with the numbers that follow from the sheets, and what is unclear about others.

    A single taker has got the first number of a track; of several, each must say theirs.
    """
    sheets = list(paper.sheets)
    unclear = []
    for track in paper.level.number_tracks.values():
        takers = track.takers(sheets)
        for i in takers:
            if track.circled(sheets[i]) is not None:
                continue
            if len(takers) > 1:
                unclear.append(Unclear(i, track, track.possible_numbers(len(takers))))
            else:
                sheets[i] = track.with_circled(sheets[i], track.numbers[0])
    return paper._replace(sheets=tuple(sheets), unclear=tuple(unclear))


def score_paper(paper: Paper) -> PaperResult:
    """What the sheets score and who has won."""
    scores = tuple(score_sheet(sheet, solo=paper.is_solo) for sheet in paper.sheets)
    return PaperResult(scores, decide(scores, paper.level.ratings, is_solo=paper.is_solo))

"""Handwriting for filled sheets, from a scored game or from sheets played on paper."""

from __future__ import annotations

from collections.abc import Sequence

from sheets.art.render.fonts import is_legible
from sheets.names.cleaning import clean_name
from sheets.printing.score_tracks import WrittenNumbers
from sheets.printing.sheet import Writing
from sheets.rules.game import Game
from sheets.rules.marks import marks_of
from sheets.rules.paper_scoring import Paper, score_paper
from sheets.rules.scoring import Score
from sheets.rules.sheet import Sheet


def paper_writings(paper: Paper) -> list[Writing]:
    """Return one writing per sheet of a ``dizzle-sheets/1`` document."""
    return _writings(paper.players, paper.sheets, score_paper(paper).scores)


def game_writings(game: Game) -> list[Writing]:
    """Return one writing per player, for the current position of a game."""
    return _writings(game.players, game.sheets, game.scores())


def illegible_names(writings: Sequence[Writing]) -> list[str]:
    """Return the names that cannot be printed, because the fonts lack some of their letters."""
    names = (writing.player for writing in writings)
    return [name for name in names if name and not is_legible(name)]


def _writings(
    players: Sequence[str], sheets: Sequence[Sheet], scores: Sequence[Score]
) -> list[Writing]:
    return [
        Writing(clean_name(player), number, marks_of(sheet), _filled(sheet, score))
        for number, (player, sheet, score) in enumerate(
            zip(players, sheets, scores, strict=True), start=1
        )
    ]


def _filled(sheet: Sheet, score: Score) -> WrittenNumbers:
    circled = {
        place: number
        for place, track in sheet.level.number_tracks.items()
        if (number := track.circled(sheet)) is not None
    }
    return WrittenNumbers(score.by_category, score.total, circled)

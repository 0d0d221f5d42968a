"""Structure and parser of ``dizzle-analysis/1``, the analysis of a game."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from sheets.documents.structure import (
    OTHER_FORMAT,
    Document,
    FieldName,
    Player,
    PlayerName,
    Shape,
    decode,
)
from sheets.documents.structure import Die as DieNumber
from sheets.rules import DocumentError

Count = Annotated[int, Meta(ge=0)]
ChoiceIndex = Annotated[int, Meta(ge=0, le=675)]
ActionNumber = Annotated[int, Meta(ge=0, le=5000)]


class EstimateEntry(Document):
    """Estimated mean; ``within`` is half the width of its confidence interval."""

    mean: float
    within: Annotated[float, Meta(ge=0)]


class Worth(Document):
    """Points and, except in solo games, the chance to win from 0 to 1; or differences of these."""

    points: EstimateEntry
    win: EstimateEntry | UnsetType = UNSET


class GameHead(Document):
    """The analysed game."""

    level: str
    players: Annotated[list[PlayerName], Meta(min_length=1, max_length=6)]
    actions: ActionNumber
    finished: bool
    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]


class Sources(Document):
    """Decomposition of a result: its value at the start, what was added to it, and at the end."""

    start: EstimateEntry
    luck: EstimateEntry
    play: EstimateEntry
    others: EstimateEntry
    end: EstimateEntry


class PlayerEntry(Document):
    """Results of one player."""

    name: PlayerName
    points: Sources
    costliest: Annotated[list[ActionNumber], Meta(max_length=3)]
    win: Sources | UnsetType = UNSET


class CourseEntry(Document):
    """Estimates at the start of a pass, or at the end of the game."""

    after: ActionNumber
    points: list[EstimateEntry]
    win: list[EstimateEntry] | UnsetType = UNSET
    luck: list[EstimateEntry] | UnsetType = UNSET
    play: list[EstimateEntry] | UnsetType = UNSET


class ChoiceEntry(Document):
    """One option of a decision, with its estimates."""

    do: Literal["place", "reroll", "drop", "return", "lava", "rocket", "track"]
    points: EstimateEntry
    more: Worth
    times: Count
    at: FieldName | UnsetType = UNSET
    die: DieNumber | UnsetType = UNSET
    shape: Shape | UnsetType = UNSET
    win: EstimateEntry | UnsetType = UNSET


class BestEntry(Document):
    """The best option by its estimate, and its lead over the one that was played."""

    choice: ChoiceIndex
    more: Worth
    times: Count
    clear: bool


class DecisionEntry(Document):
    """A decision of a player."""

    action: ActionNumber
    player: Player
    played: ChoiceIndex
    usual: ChoiceIndex
    choices: Annotated[list[ChoiceEntry], Meta(min_length=2, max_length=676)]
    play: Worth
    best: BestEntry | UnsetType = UNSET


class AnalysisDocument(Document):
    """Structure of a ``dizzle-analysis/1``."""

    format: Annotated[Literal["dizzle-analysis/1"], OTHER_FORMAT]
    game: GameHead
    bot: str
    seed: int
    confidence: Annotated[float, Meta(gt=0, lt=1)]
    round: Annotated[int, Meta(ge=1)]
    rounds: Annotated[int, Meta(ge=1)]
    games: Count
    players: Annotated[list[PlayerEntry], Meta(min_length=1, max_length=6)]
    course: Annotated[list[CourseEntry], Meta(min_length=1)]
    decisions: list[DecisionEntry]


def read_analysis(text: bytes) -> dict[str, Any]:
    """Return the document of a ``dizzle-analysis/1`` file. Raises DocumentError."""
    document = decode(text, AnalysisDocument)
    count = len(document["game"]["players"])
    if len(document["players"]) != count:
        raise DocumentError("player-count", ("players",), count=len(document["players"]))
    for number, decision in enumerate(document["decisions"]):
        if decision["player"] >= count:
            raise DocumentError("unknown-player", ("decisions", number), player=decision["player"])
        used = [decision["played"], decision["usual"], decision.get("best", {}).get("choice", 0)]
        if max(used) >= len(decision["choices"]):
            raise DocumentError("unusable", ("decisions", number))
    return document

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


class ValueEntry(Document):
    """Points and, except in solo games, the chance to win (0 to 1); or differences of these."""

    points: EstimateEntry
    win: EstimateEntry | UnsetType = UNSET


class GameHead(Document):
    """The analysed game; ``level`` is an id, ``actions`` the number of actions."""

    level: str
    players: Annotated[list[PlayerName], Meta(min_length=1, max_length=6)]
    actions: ActionNumber
    finished: bool
    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]


class Sources(Document):
    """Decomposition of a player's result: the first four parts add up to ``end``.

    ``start`` and ``end`` are the result expected at the start and at the end of the game. ``play``
    is due to the player's own choices, ``others`` to the choices of the other players.
    """

    start: EstimateEntry
    luck: EstimateEntry
    play: EstimateEntry
    others: EstimateEntry
    end: EstimateEntry


class PlayerEntry(Document):
    """Results of one player; ``costliest`` are the actions with the costliest mistakes."""

    name: PlayerName
    points: Sources
    costliest: Annotated[list[ActionNumber], Meta(max_length=3)]
    win: Sources | UnsetType = UNSET


class CourseEntry(Document):
    """Estimates for each player at the start of a pass, or at the end of the game.

    ``after`` is the number of actions before. ``luck`` and ``play`` are the points from luck and
    from the player's own choices since the previous entry; the first entry lacks them.
    """

    after: ActionNumber
    points: list[EstimateEntry]
    win: list[EstimateEntry] | UnsetType = UNSET
    luck: list[EstimateEntry] | UnsetType = UNSET
    play: list[EstimateEntry] | UnsetType = UNSET


class ChoiceEntry(Document):
    """One option of a decision, with estimates from ``times`` simulated games.

    ``more`` is the advantage over the option that was played.
    """

    do: Literal["place", "reroll", "drop", "return", "lava", "rocket", "track"]
    points: EstimateEntry
    more: ValueEntry
    times: Count
    at: FieldName | UnsetType = UNSET
    die: DieNumber | UnsetType = UNSET
    shape: Shape | UnsetType = UNSET
    win: EstimateEntry | UnsetType = UNSET


class BestEntry(Document):
    """The best option by its estimate, if another one was played.

    ``choice`` is its index in ``choices``; ``more`` is its advantage over the option that was
    played, in ``times`` new simulated games. ``clear``: the advantage is statistically significant.
    """

    choice: ChoiceIndex
    more: ValueEntry
    times: Count
    clear: bool


class DecisionEntry(Document):
    """A decision of a player.

    ``played`` and ``usual`` are the indexes in ``choices`` of the player's option and of the bot's.
    ``play`` is the difference between the values of these two.
    """

    action: ActionNumber
    player: Player
    played: ChoiceIndex
    usual: ChoiceIndex
    choices: Annotated[list[ChoiceEntry], Meta(min_length=2, max_length=676)]
    play: ValueEntry
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

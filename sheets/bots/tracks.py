"""Which track could somebody lay at the end of a pass, all of their pieces at once?

Track is laid for loops, and a piece alone means little: what one loop needs on a field is what the
others lack there. So each way begins with a loop that is still open, the most promising ones first,
and lays on all other fields what then looks best, as the greedy bot does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sheets.bots.loops import Loop
from sheets.bots.worth import Worth
from sheets.rules import Action, Game
from sheets.rules.level import SHAPES, bits
from sheets.rules.rails import OPPOSITE

MOST: Final = 8
"""So many ways are found at most."""


def find_tracks(game: Game, player: int) -> list[tuple[Action, ...]]:
    """Ways to draw all the track that a player owes, the most promising first; never empty.

    Each is a piece for every field, in reading order.
    """
    level, owed = game.level, game.owed[player]
    found: dict[tuple[Action, ...], None] = {}
    for shapes in _ways(game, player, owed):
        pieces = tuple(
            Action("track", player, level.fields[field].name, shape=shapes[field])
            for field in bits(owed)
        )
        found[pieces] = None
        if len(found) == MOST:
            break
    return list(found)


def _ways(game: Game, player: int, owed: int) -> Iterator[Mapping[int, str]]:
    """The shapes by field, the same ones perhaps again and again."""
    rated = sorted(Worth(game, player).loops, key=lambda loop: loop[0], reverse=True)
    loops = [loop for _, loop in rated if loop.fields & owed]
    for first in loops:
        yield _lay(game, player, owed, [first, *loops])
    if not loops:
        yield _lay(game, player, owed, loops)


def _lay(game: Game, player: int, owed: int, loops: Sequence[Loop]) -> Mapping[int, str]:
    """The pieces that these loops need, the first of them first, and elsewhere what joins most."""
    laid: dict[int, str] = {}
    left = owed
    for loop in loops:
        if loop.fields & left and all(
            loop.shapes.get(field, shape) == shape for field, shape in laid.items()
        ):
            for field in bits(loop.fields & left):
                laid[field] = loop.shapes[field]
            left &= ~loop.fields
    for field in bits(left):
        beyond = game.level.beyond[field]
        around = {**game.sheets[player].tracks, **laid}
        joined = {edge: OPPOSITE[edge] in around.get(other, "") for edge, other in beyond.items()}
        laid[field] = max(SHAPES, key=lambda shape: sum(joined.get(edge, 0) for edge in shape))
    return laid

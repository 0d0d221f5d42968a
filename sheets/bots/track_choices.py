"""Ways to draw all the track that a player owes at the end of a pass.

Track pays mostly in loops, but two loops may need different pieces on the same field. So each way
completes a different loop first, the one with the largest gain in the first way. The fields outside
this loop get the pieces of other loops that are compatible with it, or else the pieces that join
the most tracks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from sheets.bots.field_values import FieldValues
from sheets.bots.loops import Loop
from sheets.rules import Action, Game
from sheets.rules.level import SHAPES, bits
from sheets.rules.rails import OPPOSITE

MAX_WAYS: Final = 8
"""Maximum number of ways that `find_tracks` returns."""


def find_tracks(game: Game, player: int) -> list[tuple[Action, ...]]:
    """Return ways to draw all the track that a player owes, the best first; never empty.

    Each way has one piece for each owed field, in reading order.
    """
    level, owed = game.level, game.owed[player]
    found: dict[tuple[Action, ...], None] = {}
    for shapes in _ways(game, player, owed):
        pieces = tuple(
            Action("track", player, level.fields[field].name, shape=shapes[field])
            for field in bits(owed)
        )
        found[pieces] = None
        if len(found) == MAX_WAYS:
            break
    return list(found)


def _ways(game: Game, player: int, owed: int) -> Iterator[Mapping[int, str]]:
    """Yield ways as shapes by field, the best first; the same way may occur several times."""
    rated = sorted(FieldValues(game, player).loops, key=lambda loop: loop[0], reverse=True)
    loops = [loop for _, loop in rated if loop.fields & owed]
    for first in loops:
        yield _lay(game, player, owed, [first, *loops])
    if not loops:
        yield _lay(game, player, owed, loops)


def _lay(game: Game, player: int, owed: int, loops: Sequence[Loop]) -> Mapping[int, str]:
    """Return a shape for each owed field: one that a loop needs, else the one with most joints.

    Earlier loops take precedence; a loop that contradicts them is skipped.
    """
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
        beyond = game.level.track_neighbours[field]
        around = {**game.sheets[player].tracks, **laid}
        joined = {edge: OPPOSITE[edge] in around.get(other, "") for edge, other in beyond.items()}
        laid[field] = max(SHAPES, key=lambda shape: sum(joined.get(edge, 0) for edge in shape))
    return laid

"""State of a game at one moment, and the action that changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeVar

from sheets.rules.level import Level
from sheets.rules.sheet import Sheet

EXTRA_DICE: Final = 2
"""Number of extra dice a solo player rolls after each die placed."""


class Action(NamedTuple):
    """One action of the log of a ``dizzle-game/1`` document.

    ``do`` is one of `ACTS`. ``player`` is an index, ``at`` a field's name, ``die`` and ``dice`` are
    numbers thrown (1 to 6), ``shape`` a piece of track; unused attributes keep their defaults. A
    ``place`` with ``die`` 0 places a die of the field's own number. ``sheet`` is the
    corrected sheet, as `final_sheet.format_final_sheet` writes it.
    """

    do: str
    player: int = -1
    at: str = ""
    die: int = 0
    dice: tuple[int, ...] = ()
    shape: str = ""
    sheet: Mapping[str, object] | None = None


class State(NamedTuple):
    """The sheets of all players and whose turn it is; immutable.

    ``is_tracked``: the game records all rolls and the pool, not only the dice on sheets. ``phase``
    is ``erupt``, ``lava``, ``roll``, ``turn``, ``return``, ``extra``, ``marking``, ``open`` or
    ``finished``. ``player`` is the player to move in ``turn``, ``return`` and ``extra``, else None.
    ``passes_done`` counts the passes that have ended. ``pool`` is sorted. ``is_last_turn``: only
    one player is still in (`last-player`); ``has_rerolled``: the player to move has rerolled and
    must place. ``struck`` counts the numbers struck from each number track, by its ``place``.
    ``start_player`` starts this pass (`start-order`); after the end, it is the one who started the
    last pass.

    ``owed`` has the choices that each player still has to make, 0 for none: in phase ``lava`` the
    mask of the fields to choose from; in phase ``marking`` the mask of the fields that need a track
    on a rail level, else the number of rockets. It is empty in all other phases.
    """

    level: Level
    players: tuple[str, ...]
    is_tracked: bool
    phase: str
    sheets: tuple[Sheet, ...]
    player: int | None = None
    passes_done: int = 0
    pool: tuple[int, ...] = ()
    is_last_turn: bool = False
    has_rerolled: bool = False
    struck: Mapping[str, int] = {}
    owed: tuple[int, ...] = ()
    start_player: int = 0

    @property
    def is_finished(self) -> bool:
        """Whether the game is over."""
        return self.phase == "finished"

    @property
    def pass_number(self) -> int:
        """The current pass, counted from 1 over the whole game; after the end, the last one."""
        return self.passes_done + (not self.is_finished)

    @property
    def round_number(self) -> int:
        """The current round, counted from 1; after the end, the last one played."""
        return (self.pass_number - 1) // len(self.players) + 1

    @property
    def is_solo(self) -> bool:
        """Whether it is a solo game."""
        return len(self.players) == 1

    @property
    def dice_to_roll(self) -> int:
        """The number of dice that a roll in this phase has; 0 if the phase has no roll."""
        if self.phase == "roll":
            return self.level.dice[len(self.players)]
        return {"turn": len(self.pool), "extra": EXTRA_DICE, "erupt": 1}.get(self.phase, 0)


GameT = TypeVar("GameT", bound=State)
"""Type of a game; a function that carries out an action returns a game of the same type."""

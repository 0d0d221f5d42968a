"""Bots at a table: their strengths, and the decisions of the bots of each strength.

Workers of the process pool import this module, so it does not import the game families.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random, SystemRandom
from typing import Final

from sheets.bots.dice2.strengths import DICE2_STRENGTHS
from sheets.bots.expert_bot import ExpertBot
from sheets.bots.strengths import STRENGTHS as DIZZLE_STRENGTHS
from sheets.rules import Action, Game
from sheets.rules.dice2.sitting import Sitting
from sheets.tables.access import TableAccess

EASY: Final = "beginner"
"""Name of the weakest bots."""
MEDIUM: Final = "player"
"""Name of the bots that think one move ahead."""
HARD: Final = "expert"
"""Name of the strongest bots; a decision takes about a second (`background_bots`)."""

STRENGTHS: Final = (EASY, MEDIUM, HARD)
"""Names of the strengths, weakest first."""

_OLD_NAMES: Final[Mapping[str, str]] = {"random": EASY, "greedy": MEDIUM}
"""Strengths by the names that older tables, and pages loaded before an update, still use."""


def strength_of(bot: str) -> str:
    """Return the strength for the stored name of a bot. Raises ValueError for an unknown name."""
    strength = _OLD_NAMES.get(bot, bot)
    if strength not in STRENGTHS:
        raise ValueError("no such bot")
    return strength


def bots_at(access: TableAccess) -> dict[int, str]:
    """Return the strengths of the bots at a table, by seat."""
    return {seat.number: strength_of(seat.bot) for seat in access.all_seats if seat.bot}


def choose_dizzle(game: Game, player: int, strength: str) -> Action:
    """Return a bot's next action in a turn, or for an effect; a reroll has no dice yet."""
    return DIZZLE_STRENGTHS[strength](_new_random()).choose(game, player)


def think_dizzle(game: Game, player: int) -> Sequence[Action]:
    """Return the hard bot's next action, or all pieces of track that the player owes."""
    return ExpertBot(_new_random()).think(game, player)


def choose_dice2(game: Sitting, player: int, strength: str) -> Action:
    """Return a bot's action for the thrown die: where it goes, or a skip."""
    assert game.game  # noqa: S101  # every turn belongs to a game
    choice = DICE2_STRENGTHS[strength](_new_random()).choose(game.game, game.thrown)
    return Action(choice.do, choice.player, choice.at, game.thrown if choice.at else 0)


def think_dice2(game: Sitting, player: int) -> Sequence[Action]:
    """Return the hard bot's action for the thrown die, alone in a list."""
    return [choose_dice2(game, player, HARD)]


def _new_random() -> Random:
    """Return a random number generator for a bot, with an unpredictable seed."""
    return Random(SystemRandom().getrandbits(64))  # noqa: S311

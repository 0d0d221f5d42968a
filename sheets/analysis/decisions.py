"""Where in a recorded game had somebody a choice, and between what?"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from sheets.bots import GreedyBot
from sheets.rules import Action, Game
from sheets.rules.documents.game import Record, history
from sheets.rules.level import SHAPES


class Decision(NamedTuple):
    """A choice between at least two acts.

    ``number`` is the place of the act among those of the game, from 0; ``game`` is how it stood
    before. ``choices`` are what could be done; ``played`` and ``usual`` the places among them of
    what was done, and of what the bot does that plays on for everybody. A reroll has no dice.
    """

    number: int
    player: int
    game: Game
    choices: tuple[Action, ...]
    played: int
    usual: int


class Course(NamedTuple):
    """A recorded game, taken apart.

    ``starts`` are the places of the acts with which passes begin, and of the end; ``games`` how it
    stood then.
    """

    decisions: tuple[Decision, ...]
    starts: tuple[int, ...]
    games: tuple[Game, ...]


def take_apart(record: Record) -> Course:
    """The decisions of a game with tracked dice, and the beginnings of its passes.

    Raises:
        RuleViolation: at the first act that breaks a rule.
    """
    states = list(history(record))
    decisions = [
        decision
        for number, action in enumerate(record.actions)
        if (decision := _decision(number, states[number], action))
    ]
    starts = [0]
    starts += [n for n, game in enumerate(states) if n and _begins_pass(states[n - 1], game)]
    if starts[-1] != len(states) - 1:
        starts.append(len(states) - 1)
    return Course(tuple(decisions), tuple(starts), tuple(states[n] for n in starts))


def _begins_pass(before: Game, game: Game) -> bool:
    return game.passes_done > before.passes_done


def _decision(number: int, game: Game, action: Action) -> Decision | None:
    choices = choices_instead(game, action)
    if len(choices) < 2:
        return None
    # Chance decides between equals, each time in the same way.
    bot = GreedyBot(Random(f"usual/{number}"))  # noqa: S311  dice, not secrets
    usual = bot.choose(_narrowed(game, action), action.player)
    return Decision(
        number,
        action.player,
        game,
        tuple(choices),
        choices.index(_plain(game, action)),
        choices.index(usual),
    )


def choices_instead(game: Game, action: Action) -> Sequence[Action]:
    """All that the player could have done in place of an act; nothing for throws of dice.

    The order in which pieces of track are drawn changes nothing: there it is the shape alone that
    is chosen.
    """
    player, names = action.player, game.level.names
    match action.do:
        case "place":
            legal = game.legal().items()
            return [Action("place", player, at, die) for die, fields in legal for at in fields]
        case "reroll" | "drop":
            return [Action(do, player) for do in game.may()]
        case "return":
            return [Action("return", player, at) for at in names(game.sheets[player].dice)]
        case "lava":
            return [Action("lava", player, at) for at in names(game.owed[player])]
        case "rocket":
            planets = names(game.sheets[player].planets_left)
            return [Action("rocket", player, at) for at in planets]
        case "track":
            return [Action("track", player, action.at, shape=shape) for shape in SHAPES]
    return []


def _narrowed(game: Game, action: Action) -> Game:
    """The game as the bot shall see it: of several pieces of track it draws the same."""
    if action.do != "track":
        return game
    owed = list(game.owed)
    owed[action.player] = 1 << game.level.index[action.at]
    return game._replace(owed=tuple(owed))


def _plain(game: Game, action: Action) -> Action:
    """An act as it stands among the choices."""
    if action.do == "place":
        return action._replace(die=game.level.numbers[game.level.index[action.at]])
    return action._replace(dice=())

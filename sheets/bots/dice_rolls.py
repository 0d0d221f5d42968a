"""Dice throws and further actions of games that bots play."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from sheets.bots.protocol import Bot, deciding_players
from sheets.rules import Action, Game


def play_on(game: Game, bot: Bot, random: Random) -> Game:
    """Return the game after one more action: a throw, or a decision of the bot."""
    return game.apply(next_action(game, bot, random))


def next_action(game: Game, bot: Bot, random: Random) -> Action:
    """Return the next action with its dice: a throw, or a decision of the bot."""
    deciding = deciding_players(game)
    if not deciding:
        return throw_next(game, random)
    return with_dice(game, bot.choose(game, deciding[0]), random)


def play_to_end(game: Game, bot: Bot, random: Random) -> Game:
    """Return the finished game, with the bot playing all seats."""
    while not game.is_finished:
        game = play_on(game, bot, random)
    return game


def record_to_end(game: Game, bots: Sequence[Bot], random: Random) -> tuple[list[Action], Game]:
    """Return the actions until the end, and the finished game; ``bots`` has one for each seat."""
    actions = []
    while not game.is_finished:
        deciding = deciding_players(game)
        actions.append(next_action(game, bots[deciding[0] if deciding else 0], random))
        game = game.apply(actions[-1])
    return actions, game


def act(game: Game, action: Action, random: Random) -> Game:
    """Return the game after a bot's action; if it is a reroll, the dice are thrown first."""
    return game.apply(with_dice(game, action, random))


def with_dice(game: Game, action: Action, random: Random) -> Action:
    """Return a bot's action; if it is a reroll, with newly thrown dice."""
    if action.do != "reroll":
        return action
    return action._replace(dice=throw(random, len(game.pool)))


def throw_next(game: Game, random: Random) -> Action:
    """Return the throw that a game waits for: a roll, an eruption, or extra dice."""
    if game.phase == "erupt":
        return Action("erupt", die=random.randint(1, 6))
    return Action(game.phase, dice=throw(random, game.dice_to_roll))


def throw(random: Random, count: int) -> tuple[int, ...]:
    """Throw dice, and return their numbers."""
    return tuple(random.randint(1, 6) for _ in range(count))

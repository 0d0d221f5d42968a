"""Who throws the dice where bots play among themselves?"""

from __future__ import annotations

from random import Random

from sheets.bots.protocol import Bot, deciding_players
from sheets.rules import Action, Game


def play_on(game: Game, bot: Bot, random: Random) -> Game:
    """The game after one more act: dice are thrown, or the bot decides for whoever has to."""
    return game.apply(next_action(game, bot, random))


def next_action(game: Game, bot: Bot, random: Random) -> Action:
    """Return the next action with its dice: a throw, or what the bot decides for a player."""
    deciding = deciding_players(game)
    if not deciding:
        return throw_next(game, random)
    return with_dice(game, bot.choose(game, deciding[0]), random)


def play_to_end(game: Game, bot: Bot, random: Random) -> Game:
    """The game once the bot has played all seats to its end."""
    while not game.is_finished:
        game = play_on(game, bot, random)
    return game


def act(game: Game, action: Action, random: Random) -> Game:
    """The game after what a bot has decided, with the dice of its reroll."""
    return game.apply(with_dice(game, action, random))


def with_dice(game: Game, action: Action, random: Random) -> Action:
    """Return the action with the dice that it throws, if it is a reroll."""
    if action.do != "reroll":
        return action
    return action._replace(dice=throw(random, len(game.pool)))


def throw_next(game: Game, random: Random) -> Action:
    """The dice a game waits for when nobody has to decide: a roll, an eruption, solo's extra."""
    if game.phase == "erupt":
        return Action("erupt", die=random.randint(1, 6))
    return Action(game.phase, dice=throw(random, game.dice_to_roll))


def throw(random: Random, count: int) -> tuple[int, ...]:
    """That many dice."""
    return tuple(random.randint(1, 6) for _ in range(count))

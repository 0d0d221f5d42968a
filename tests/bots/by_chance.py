"""Positions of Dice² that come about by chance."""

from __future__ import annotations

from random import Random

from sheets.rules.dice2 import KINDS, Dice2Action, Dice2Game, new_game


def play_by_chance(name: str, players: int, seed: int, left: int = 3) -> Dice2Game:
    """A game played by chance until so many dice are left in all, or until it is over."""
    random = Random(seed)
    game = new_game(KINDS[name], players)
    while not game.is_finished and sum(game.dice_left) > left:
        die = random.randint(1, 6)
        fields = game.legal()[die]
        do, at = ("place", random.choice(fields)) if fields else ("skip", "")
        game = game.apply(Dice2Action(do, game.player, die, at))
    return game

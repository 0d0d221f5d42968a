"""Boards of Dice² as text drawings: a number with its player's letter, ``3a`` for a 3 of player 0.

A drawing shows any part of the board; ``at`` is the field of its top left corner.
"""

from __future__ import annotations

from sheets.rules.dice2 import KINDS, Board, Dice2Game, new_game
from sheets.rules.dice2.board import INDEX, SIDE

PLAYERS = "abc"
"""The letters of the players in their order."""


def board_of(drawing: str, at: str = "e5") -> Board:
    """Return the board of a drawing; dots are empty fields."""
    board = Board()
    top, left = divmod(INDEX[at], SIDE)
    for down, row in enumerate(drawing.strip().splitlines()):
        for right, square in enumerate(row.split()):
            if square != ".":
                index = (top + down) * SIDE + left + right
                board = board.with_die(index, PLAYERS.index(square[1]), int(square[0]))
    return board


def game_of(
    name: str, drawing: str, at: str = "e5", player: int = 0, players: int = 0
) -> Dice2Game:
    """Return a game with the drawn dice in which it is `player`'s turn."""
    kind = KINDS[name]
    game = new_game(kind, players or kind.player_counts[0], player)
    board = board_of(drawing, at)
    placed = [board.owners.count(i) for i in range(game.players)]
    return game._replace(
        board=board,
        dice_left=tuple(kind.dice_each - count for count in placed),
        last_placed=tuple(range(game.players)),
    )

"""Analysis of a finished game: the value of each choice, mistakes, and luck.

Greedy bots play the game to its end many times after each possible choice (`sheets.bots.playouts`).
The mean result is the value of the choice.
"""

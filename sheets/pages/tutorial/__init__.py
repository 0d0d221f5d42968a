"""Tutorial: the game on a part of level-1, in a few positions with one tap each."""

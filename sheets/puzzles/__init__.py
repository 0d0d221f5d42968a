"""Puzzles: positions of recorded games in which one choice is clearly the best."""

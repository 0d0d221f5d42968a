"""Scoring paper sheets after the game: what was ticked, read and doubted, and what it is worth."""

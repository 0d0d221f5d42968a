"""Scoring of paper sheets after the game: entered marks, doubts about them, scores and results."""

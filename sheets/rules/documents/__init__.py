"""Levels, games and final sheets as plain dicts of checked types, and back."""

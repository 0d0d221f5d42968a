"""Conversion of levels, games and final sheets from and to plain dicts of validated types."""

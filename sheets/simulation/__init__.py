"""Thousands of games of bots: what was counted, in one process or several."""

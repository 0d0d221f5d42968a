"""Suggested levels: the user's wish, outlines, goals, and the tuning of points and dice."""

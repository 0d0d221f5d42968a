"""Suggested levels: the wish, outlines, goals, and the search for a level that plays well."""

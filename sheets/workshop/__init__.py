"""Levels of one's own: drafts, edits one can undo, checks in plain words, suggestions, links."""

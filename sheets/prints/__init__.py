"""Choices of a print, its preview pages and its file, for all pages that print."""

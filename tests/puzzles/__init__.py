"""Tests of `sheets.puzzles`."""

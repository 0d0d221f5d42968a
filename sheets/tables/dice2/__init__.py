"""Dice² at a table: its files, what a phone and the screen there see of it, examples of it."""

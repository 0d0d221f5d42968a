"""Dice² at a table: files, view models of its pages, replay, example boards."""

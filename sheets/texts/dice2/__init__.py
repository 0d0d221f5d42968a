"""Translated sentences and names for everything that the rules of Dice² name."""

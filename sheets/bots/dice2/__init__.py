"""Bots for the games of Dice²."""

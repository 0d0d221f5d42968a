"""Translated sentences on refusals and scores in Dice²."""

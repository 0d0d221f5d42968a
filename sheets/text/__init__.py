"""Translated sentences and names for everything that rules and documents name."""

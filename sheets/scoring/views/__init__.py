"""Views of scorings and tallies."""

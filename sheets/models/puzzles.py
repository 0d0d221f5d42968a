"""Puzzles that were added to the site's own."""

from django.db import models


class AddedPuzzle(models.Model):
    """A puzzle that `manage.py puzzles` has found; ``document`` is its ``dizzle-puzzle/1``."""

    key = models.CharField(max_length=8, unique=True)
    document = models.JSONField()

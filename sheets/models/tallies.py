"""Model of tallies: the typed texts, unchanged."""

from django.db import models

from sheets.models.keyed import Keyed
from sheets.models.time_zones import InTimeZone


class Tally(Keyed, InTimeZone):
    """Points of a pad and the counts of all players, by the names of the form's fields.

    ``typed`` holds the texts of fields that are not empty. ``revision`` rises with every change.
    """

    share_digest = models.CharField(max_length=64, unique=True)
    typed = models.JSONField()
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return f"tally {self.pk}"

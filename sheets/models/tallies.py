"""Model of tallies: the texts of the tally form, as the user typed them."""

from django.db import models

from sheets.models.keyed_resource import Shareable
from sheets.models.time_zones import InTimeZone


class Tally(Shareable, InTimeZone):
    """Points printed on a pad, and how often each player crossed what pays, as typed into the form.

    ``typed`` has the texts of the form fields that are not empty, by the fields' names.
    ``revision`` rises with every change.
    """

    typed = models.JSONField()
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return f"tally {self.pk}"

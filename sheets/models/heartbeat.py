"""Model for the health check, which tests whether the database can store anything."""

from django.db import models


class Heartbeat(models.Model):
    """Single row, rewritten by each health check.

    ``padding`` makes it a little larger than what a move stores: if it fits, so does the next move.
    """

    beaten = models.DateTimeField(auto_now=True)
    padding = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.beaten}"

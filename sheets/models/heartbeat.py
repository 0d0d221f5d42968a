"""Model for the health check of the database: can it store anything."""

from django.db import models


class Heartbeat(models.Model):
    """Single row, rewritten periodically; ``padding`` makes it as large as a move."""

    beaten = models.DateTimeField(auto_now=True)
    padding = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.beaten}"

"""What is written only to see whether anything can be stored."""

from django.db import models


class Heartbeat(models.Model):
    """One row that is written anew now and then; ``padding`` makes it as large as a move."""

    beaten = models.DateTimeField(auto_now=True)
    padding = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.beaten}"

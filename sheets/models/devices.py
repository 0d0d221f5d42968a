"""What a device has opened, encrypted so that only the device can read it."""

from django.db import models


class Known(models.Model):
    """Something behind a key that a device has opened, see `sheets.access.devices`.

    ``kind`` is the beginning of its address: ``score``, ``tally``, ``workshop``, ``groups``;
    ``nobody`` says when a game was opened for no group. ``device_digest`` is that of the device's
    secret, ``digest`` that of the key, by which the thing is found; ``sealed`` is the key itself,
    encrypted with that secret. A device knows tables by its seats: a row of kind ``table`` only
    says that the device hides this table.
    """

    device_digest = models.CharField(max_length=64)
    kind = models.CharField(max_length=8)
    digest = models.CharField(max_length=64)
    sealed = models.CharField(max_length=200, blank=True)
    opened = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("device_digest", "digest"), name="known_once"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class HandOver(models.Model):
    """A link that lets one other device in, once: the first one's secret, encrypted with its key.

    ``device_digest`` is that of the secret: a device that forgets all deletes its links.
    """

    key_digest = models.CharField(max_length=64, unique=True)
    device_digest = models.CharField(max_length=64, blank=True, db_index=True)
    sealed = models.CharField(max_length=200)
    made = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"hand-over {self.pk}"

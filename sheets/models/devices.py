"""Models of the links that a device has opened, encrypted with the device's secret."""

from django.db import models


class Known(models.Model):
    """Record that a device has opened the resource behind a key, see `sheets.access.devices`.

    Attributes:
        device_digest: digest of the device's secret.
        kind: first part of the resource's address: ``score``, ``tally``, ``workshop`` or
            ``groups``. Rows of three other kinds stand for no opened key: ``table`` hides a table
            from the device's lists (the seats of a device lead to its tables), ``nobody`` records
            when the device last chose to play for no group, ``shared`` counts a further device
            with the same secret.
        digest: digest of the key, by which the resource is found.
        sealed: the key, encrypted with the device's secret.
        opened: time of the last visit.
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
    """Single-use link that transfers a device's secret to another device.

    ``sealed`` is the secret, encrypted with the link's key. ``device_digest`` is the digest of the
    secret; by it, a device that forgets everything deletes the links that it has made.
    """

    key_digest = models.CharField(max_length=64, unique=True)
    device_digest = models.CharField(max_length=64, blank=True, db_index=True)
    sealed = models.CharField(max_length=200)
    made = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"hand-over {self.pk}"

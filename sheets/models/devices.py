"""Models of the links that a device has opened, encrypted with the device's secret."""

from django.db import models


class Known(models.Model):
    """Resource behind a key that a device has opened, see `sheets.access.devices`.

    ``kind`` is the first part of its address: ``score``, ``tally``, ``workshop``, ``groups``;
    ``nobody`` records when the device last opened a game outside all groups. ``device_digest`` is
    the digest of the device's secret, ``digest`` that of the key, by which the resource is found;
    ``sealed`` is the key, encrypted with the device's secret. Tables are found by the device's
    seats: a row of kind ``table`` only hides a table from the device's lists.
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
    secret: a device that forgets everything deletes its links.
    """

    key_digest = models.CharField(max_length=64, unique=True)
    device_digest = models.CharField(max_length=64, blank=True, db_index=True)
    sealed = models.CharField(max_length=200)
    made = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"hand-over {self.pk}"

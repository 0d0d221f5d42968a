"""Base models of resources behind a secret link."""

from __future__ import annotations

from typing import Any

from django.db import models


class Keyed(models.Model):
    """Resource behind a key, see `sheets.access.keys`.

    Only digests of keys are stored, so that a reader of the database learns no link. ``touched`` is
    the time of the last change or, to a day, of the last visit: ``prune`` deletes by it.
    """

    key_digest = models.CharField(max_length=64, unique=True)
    touched = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        abstract = True


class Shareable(Keyed):
    """Resource with an edit link and a read-only link.

    ``share_digest`` is the digest of the read-only link's key.
    """

    share_digest: models.CharField[Any, str | None] = models.CharField(max_length=64, unique=True)

    class Meta:
        abstract = True

    @property
    def share_salt(self) -> str:
        """Salt that derives the key of the read-only link; empty if there is no such link."""
        return "share"


class Withdrawable(Shareable):
    """Resource whose edit link can be replaced, and whose read-only link can also be withdrawn.

    ``share_number`` is part of the read-only link's key, and 0 while there is no such link.
    """

    share_digest = models.CharField(max_length=64, unique=True, null=True)
    share_number = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True

    @property
    def share_salt(self) -> str:
        """Salt that differs for each read-only link ever created; empty if there is none."""
        return f"show {self.share_number}" if self.share_number else ""

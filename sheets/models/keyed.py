"""What is the same for everything that is reached by a link that holds a key?"""

from django.db import models


class Keyed(models.Model):
    """Something behind a key, see `sheets.access.keys`.

    Only digests of keys are stored, so that whoever reads the database learns no link. What also
    has a link for looking only keeps the digest of its key as ``share_digest``. ``touched`` is what
    `prune` looks at.
    """

    key_digest = models.CharField(max_length=64, unique=True)
    touched = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        abstract = True

    @property
    def share_salt(self) -> str:
        """What makes another key of a key, the one for looking only; empty if there is none."""
        return "share"


class Withdrawable(Keyed):
    """What has a link for looking only that can be withdrawn and made anew, and so can its own.

    ``share_number`` makes the key of the link for looking only, and is 0 while there is none.
    """

    share_digest = models.CharField(max_length=64, unique=True, null=True)
    share_number = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True

    @property
    def share_salt(self) -> str:
        """Another one for each link for looking only that was ever made."""
        return f"show {self.share_number}" if self.share_number else ""

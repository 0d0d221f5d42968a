"""What is kept of the work done beside the server: balance reports, and looks at games played."""

from django.db import models

from sheets.models.groups import Group
from sheets.models.tables import GameFile, Table
from sheets.models.workshop import WorkshopLevel


class Job(models.Model):
    """A balance report of a level of one's own, or a look at a game, that is asked for, being made
    or done.

    It belongs to one of ``level``, ``table`` and ``file``. ``document`` is the level or the game as
    it was when somebody asked. ``done`` of ``total`` games are played. ``report`` is what came of
    it; of a look at a game it is there, and becomes better, while the job goes on. ``worker`` names
    the process that does it and ``beat`` is when it was last heard of: a process that is silent for
    long has been killed. ``reason`` says why a job failed. A look may be asked for by a ``group``,
    which wants no more than the first answer; ``first`` is what everybody gave away by that, see
    `sheets.analysis.given_away`.

    ``address_digest`` and ``device_digest`` are the requester's, see `sheets.beside.quotas`. They
    are personal data, and empty once the job is done, cancelled or failed.
    """

    WAITING, RUNNING, DONE, CANCELLED, FAILED = "waiting", "running", "done", "cancelled", "failed"

    level = models.ForeignKey(
        WorkshopLevel, on_delete=models.CASCADE, null=True, related_name="balance_jobs"
    )
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="looks")
    file = models.ForeignKey(GameFile, on_delete=models.CASCADE, null=True, related_name="looks")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, null=True, related_name="looks")
    document = models.JSONField()
    state = models.CharField(max_length=12, default=WAITING, db_index=True)
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True)
    first = models.JSONField(null=True)
    reason = models.CharField(max_length=24, default="", blank=True)
    worker = models.CharField(max_length=32, default="", blank=True)
    address_digest = models.CharField(max_length=64, default="", blank=True)
    device_digest = models.CharField(max_length=64, default="", blank=True)
    asked = models.DateTimeField(auto_now_add=True)
    beat = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}: {self.state}"

    @property
    def kind(self) -> str:
        """``report`` on a level, or ``look`` at a game."""
        return "report" if self.level_id else "look"

"""Job queue: balance reports and analyses of games."""

from django.db import models

from sheets.models.tables import GameFile, Table
from sheets.models.workshop import WorkshopLevel


class Job(models.Model):
    """Job of any state: a balance report of an own level, or an analysis of a game.

    It belongs to one of ``level``, ``table`` and ``file``. ``document`` is the level or the game
    at the time of the request. ``done`` of ``total`` simulated games are played. ``report`` is the
    result; an analysis stores its first result early and improves it while the job runs. ``worker``
    names the process that has claimed the job, ``beat`` is the time of the last heartbeat of this
    process (see `sheets.jobs.queue`). ``reason`` says why the job, or its first attempt, failed.

    ``address_digest`` and ``device_digest`` are the requester's, see `sheets.jobs.requester`. They
    are personal data, and empty once the job is done, cancelled or failed.
    """

    WAITING, RUNNING, DONE, CANCELLED, FAILED = "waiting", "running", "done", "cancelled", "failed"
    ACTIVE = (WAITING, RUNNING)

    level = models.ForeignKey(
        WorkshopLevel, on_delete=models.CASCADE, null=True, related_name="balance_jobs"
    )
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="looks")
    file = models.ForeignKey(GameFile, on_delete=models.CASCADE, null=True, related_name="looks")
    document = models.JSONField()
    state = models.CharField(max_length=12, default=WAITING, db_index=True)
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True)
    reason = models.CharField(max_length=24, default="", blank=True)
    worker = models.CharField(max_length=32, default="", blank=True)
    address_digest = models.CharField(max_length=64, default="", blank=True)
    device_digest = models.CharField(max_length=64, default="", blank=True)
    asked = models.DateTimeField(auto_now_add=True)
    beat = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}: {self.state}"

    @property
    def is_active(self) -> bool:
        """Whether the job waits or runs."""
        return self.state in self.ACTIVE

    @property
    def kind(self) -> str:
        """``report`` for a balance report of a level, ``look`` for an analysis of a game."""
        return "report" if self.level_id else "look"

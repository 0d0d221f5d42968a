"""What is kept of the work done beside the server: balance reports of levels of one's own."""

from django.db import models

from sheets.models.workshop import WorkshopLevel


class BalanceJob(models.Model):
    """A balance report that is asked for, being made, or done.

    ``document`` is the level as it was when somebody asked. ``done`` of ``total`` games are played.
    ``worker`` names the process that makes the report and ``beat`` is when it was last heard of:
    a process that is silent for long has been killed. ``reason`` says why a job failed.
    """

    WAITING, RUNNING, DONE, CANCELLED, FAILED = "waiting", "running", "done", "cancelled", "failed"

    level = models.ForeignKey(WorkshopLevel, on_delete=models.CASCADE, related_name="balance_jobs")
    document = models.JSONField()
    state = models.CharField(max_length=12, default=WAITING, db_index=True)
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True)
    reason = models.CharField(max_length=24, default="", blank=True)
    worker = models.CharField(max_length=32, default="", blank=True)
    asked = models.DateTimeField(auto_now_add=True)
    beat = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"balance report {self.pk}: {self.state}"

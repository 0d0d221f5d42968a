"""What is kept of a level of one's own: the draft, the latest changes of it, an empty sheet.

Such a level is listed nowhere. One link edits it, another shows it.
"""

from django.db import models

from sheets.models.keyed import Withdrawable


class WorkshopLevel(Withdrawable):
    """A level under construction.

    ``document`` is the draft of `sheets.workshop.draft`: a ``dizzle-level/1`` that may still lack
    something. ``is_bought`` says that somebody copies a sheet they own. ``position`` is the number
    of the last change; ``revision`` rises with all that is done. ``share_number`` makes the key of
    the showing link, and is 0 while there is none. ``requests`` are the names of the last requests
    carried out. ``guide_step`` is the step of the guided way that was opened
    last, empty before there was one. ``sheet_has`` is what its owner says of the sheet, and
    ``compared`` the things on it that they have compared with the paper, each as it looked then.
    """

    document = models.JSONField()
    is_bought = models.BooleanField(default=False)
    revision = models.PositiveIntegerField(default=0)
    position = models.PositiveIntegerField(default=0)
    requests = models.JSONField(default=list)
    guide_step = models.CharField(max_length=20, default="", blank=True)
    sheet_has = models.JSONField(default=list)
    compared = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"workshop level {self.pk}"


class DraftChange(models.Model):
    """One change of a draft: what the changed parts were ``before`` and are ``after`` it; on which
    fields there is nothing is a part, too.

    One that takes another one back, or makes it once more, ``turns`` that round: its number.
    ``page`` is the device on which it was made (of old ones the window), ``entry`` what was typed
    there digit by digit; both may be empty. The oldest changes of a level are deleted, so that the
    number in ``turns`` may lead to none.
    """

    level = models.ForeignKey(WorkshopLevel, on_delete=models.CASCADE, related_name="changes")
    number = models.PositiveIntegerField()
    before = models.JSONField()
    after = models.JSONField()
    turns = models.PositiveIntegerField(null=True)
    page = models.CharField(max_length=24, default="", blank=True)
    entry = models.CharField(max_length=24, default="", blank=True)

    class Meta:
        # Of what it was called first: what is stored stays where it is.
        db_table = "sheets_workshopstep"
        constraints = (
            models.UniqueConstraint(fields=("level", "number"), name="workshop_step_once"),
        )

    def __str__(self) -> str:
        return f"change {self.number}"


class EmptySheet(models.Model):
    """The empty sheet that a level was entered from, photographed and laid flat.

    It is for those who edit the level, and goes with it. ``picture`` (WebP) and ``layout`` are the
    parts of a `sheets.scanning.unknown.template.Template`, ``seen`` is what was read on it: a
    `sheets.workshop.seen.Seen`. Its fields have the names that they had when it was read.
    """

    level = models.OneToOneField(WorkshopLevel, models.CASCADE, related_name="empty_sheet")
    picture = models.BinaryField()
    layout = models.JSONField()
    seen = models.JSONField()

    def __str__(self) -> str:
        return f"empty sheet of {self.level_id}"

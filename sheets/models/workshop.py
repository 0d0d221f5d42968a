"""Models of workshop levels: the draft, its latest changes, the photo of an empty sheet.

Such a level is listed nowhere. One link edits it, another shows it.
"""

from django.db import models

from sheets.models.keyed_resource import Withdrawable


class WorkshopLevel(Withdrawable):
    """A level under construction.

    Attributes:
        document: the draft (`sheets.workshop.draft`): a ``dizzle-level/1`` that may be incomplete.
        is_bought: whether it is the copy of a bought sheet.
        revision: number of applied acts.
        position: number of the last applied change; the changes after it were undone.
        requests: idempotency keys of the latest acts.
        guide_step: step of the guide that was opened last; empty before the first step.
        sheet_has: features of the bought sheet that the user has ticked.
        compared: keys of the things that the user has compared with the paper
            (`sheets.workshop.paper_checklist`); a thing that changes gets another key.

    ``share_number`` makes the key of the link that shows the level, 0 if there is none.
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
    """A change of a draft, stored for undo and redo.

    Attributes:
        number: position in the order of the changes, from 1.
        before: the changed parts as they were, see `sheets.workshop.history.difference`.
        after: the changed parts as they became.
        page: id of the device that last made, undid or redid the change; may be empty.
        revision: the level's revision after that; 0 if it is unknown.
        entry: id of one input, such as typing in a field: its edits are one change; may be empty.
    """

    level = models.ForeignKey(WorkshopLevel, on_delete=models.CASCADE, related_name="changes")
    number = models.PositiveIntegerField()
    before = models.JSONField()
    after = models.JSONField()
    page = models.CharField(max_length=24, default="", blank=True)
    revision = models.PositiveIntegerField(default=0)
    entry = models.CharField(max_length=24, default="", blank=True)

    class Meta:
        # The model's first name: the table keeps its name.
        db_table = "sheets_workshopstep"
        constraints = (
            models.UniqueConstraint(fields=("level", "number"), name="workshop_step_once"),
        )

    def __str__(self) -> str:
        return f"change {self.number}"


class EmptySheet(models.Model):
    """The rectified photo of the empty sheet from which a level was entered.

    Only editors of the level see it. ``picture`` (WebP) and ``layout`` are the parts of a
    `sheets.vision.pads.template.Template`, ``seen`` is a
    `sheets.workshop.photo_result.EmptySheetContent`, with the fields' names at the time when the
    photo was read.
    """

    level = models.OneToOneField(WorkshopLevel, models.CASCADE, related_name="empty_sheet")
    picture = models.BinaryField()
    layout = models.JSONField()
    seen = models.JSONField()

    def __str__(self) -> str:
        return f"empty sheet of {self.level_id}"

"""What is kept of a scoring: its players' paper sheets, and no more than that needs."""

from django.db import models

from sheets.models.keyed import Keyed
from sheets.models.time_zones import InTimeZone


class Scoring(Keyed, InTimeZone):
    """The paper sheets of one game, tapped in to be scored.

    ``level`` is the ``dizzle-level/1`` document as it was when scoring began: a level file that
    changes later changes no old score. ``is_solo`` None stands for the rule: one sheet is solo.
    ``is_bought`` says that the level is a sheet somebody has bought, ``bought_level`` which, until
    that is deleted, see `sheets.access.export_rules`. ``revision`` rises with every change. Where
    it was begun with sheets of a file, ``file_digest`` is that of their content.
    """

    share_digest = models.CharField(max_length=64, unique=True)
    level = models.JSONField()
    is_solo = models.BooleanField(null=True)
    last_number = models.PositiveSmallIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    file_digest = models.CharField(max_length=64, blank=True)
    is_bought = models.BooleanField(default=False)
    bought_level = models.ForeignKey("WorkshopLevel", models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"scoring {self.pk}"


class PaperSheet(models.Model):
    """One player's sheet; its ``number`` within the scoring is never given again.

    ``is_blank``: somebody has said that nothing is crossed on it, so that it is not waited for.
    """

    scoring = models.ForeignKey(Scoring, on_delete=models.CASCADE, related_name="sheets")
    number = models.PositiveSmallIntegerField()
    player = models.CharField(max_length=40, blank=True)
    is_blank = models.BooleanField(default=False)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("scoring", "number"), name="sheet_number_once"),
        )

    def __str__(self) -> str:
        return self.player or f"sheet {self.number}"


class Mark(models.Model):
    """What stands in one place of a sheet, see `sheets.scoring.marks`."""

    sheet = models.ForeignKey(PaperSheet, on_delete=models.CASCADE, related_name="marks")
    at = models.CharField(max_length=16)
    value = models.CharField(max_length=16)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("sheet", "at"), name="one_mark_per_place"),)

    def __str__(self) -> str:
        return f"{self.at} {self.value}"


class SheetPicture(models.Model):
    """The photo of a sheet, laid flat, that somebody wanted to be kept; it goes with the sheet.

    ``act`` is that of the changes it came with: it goes with them, too, when they are taken back.
    """

    sheet = models.OneToOneField(PaperSheet, on_delete=models.CASCADE, related_name="picture")
    act = models.CharField(max_length=16, blank=True)
    jpeg = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"picture of {self.sheet_id}"


class Change(models.Model):
    """One person's change of one place, kept so that they can take it back.

    Changes with the same ``act`` were made by one tap and are taken back together.
    """

    sheet = models.ForeignKey(PaperSheet, on_delete=models.CASCADE, related_name="changes")
    device = models.CharField(max_length=32)
    act = models.CharField(max_length=16)
    at = models.CharField(max_length=16)
    before = models.CharField(max_length=16, blank=True)
    after = models.CharField(max_length=16, blank=True)
    is_undone = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.at}: {self.before or '-'} to {self.after or '-'}"


class Receipt(models.Model):
    """A request that was carried out, so that the same one sent again changes nothing."""

    scoring = models.ForeignKey(Scoring, on_delete=models.CASCADE, related_name="receipts")
    request = models.CharField(max_length=40)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("scoring", "request"), name="carried_out_once"),
        )

    def __str__(self) -> str:
        return self.request

"""Models of scorings: the paper sheets of a game, their marks, changes and photos."""

from typing import Final

from django.db import models

from sheets.models.keyed_resource import Shareable
from sheets.models.time_zones import InTimeZone


class Scoring(Shareable, InTimeZone):
    """Paper sheets of one game, entered to be scored.

    ``level`` is the ``dizzle-level/1`` document at the start of scoring: later changes of a level
    file change no old score. ``is_solo`` None stands for the default: one sheet is a solo game.
    ``last_number`` is the number of the sheet that was added last.
    ``is_bought``: the level is a bought sheet; ``bought_level`` is its workshop level until that is
    deleted, see `sheets.access.export_rules`. ``revision`` rises with every change. If the scoring
    began with sheets from a file, ``file_digest`` is the digest of their content.
    """

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
    """Sheet of one player; its ``number`` within the scoring is never reused.

    ``is_blank``: the user has confirmed that nothing is crossed on it, so its marks are not
    missing.
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
    """Marks on one field of a sheet, or a circled number, see `sheets.scoring.marks`.

    ``at`` is a field (``c4``) or the identifier of a number track (``flag red``); ``value`` is the
    word for the marks on the field, or the number.
    """

    sheet = models.ForeignKey(PaperSheet, on_delete=models.CASCADE, related_name="marks")
    at = models.CharField(max_length=16)
    value = models.CharField(max_length=16)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("sheet", "at"), name="one_mark_per_place"),)

    def __str__(self) -> str:
        return f"{self.at} {self.value}"


class SheetPicture(models.Model):
    """Rectified photo of a sheet, stored if the user wants it; deleted with the sheet.

    ``act`` is the `Change.act` of the changes read from the photo: their undo deletes the photo.
    """

    sheet = models.OneToOneField(PaperSheet, on_delete=models.CASCADE, related_name="picture")
    act = models.CharField(max_length=16, blank=True)
    jpeg = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"picture of {self.sheet_id}"


class Change(models.Model):
    """Change of one `Mark` by a device, stored for undo.

    ``before`` and ``after`` are values of the mark, empty for none. Changes with the same ``act``
    were made by one tap and are undone together.
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
    """Idempotency key of a request that was carried out: sent again, it changes nothing."""

    REQUEST_LENGTH: Final = 40
    """Number of characters of an idempotency key that are stored."""

    scoring = models.ForeignKey(Scoring, on_delete=models.CASCADE, related_name="receipts")
    request = models.CharField(max_length=REQUEST_LENGTH)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("scoring", "request"), name="carried_out_once"),
        )

    def __str__(self) -> str:
        return self.request

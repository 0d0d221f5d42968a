"""Storage of pictures of rectified sheets in a scoring."""

from __future__ import annotations

from sheets.access.keys import Access
from sheets.models import PaperSheet, Scoring, SheetPicture
from sheets.photos.worker.messages import StoredPicture


def keep_picture(sheet: PaperSheet, picture: StoredPicture, act: str) -> None:
    """Store a picture of a sheet that has none.

    ``act`` is the act that has entered the marks from the photo; undoing it deletes the picture.
    """
    SheetPicture.objects.create(
        sheet=sheet, act=act, jpeg=picture.jpeg, width=picture.width, height=picture.height
    )


def find_picture(access: Access[Scoring], number: int) -> SheetPicture | None:
    """Return the picture of the sheet with this number, or None."""
    return SheetPicture.objects.filter(sheet__scoring=access.resource, sheet__number=number).first()


def drop_picture(access: Access[Scoring], number: int) -> None:
    """Delete the picture of a sheet, if it has one. Raises NotAllowed."""
    access.refuse_unless_edits()
    SheetPicture.objects.filter(sheet__scoring=access.resource, sheet__number=number).delete()

"""Storage of pictures of sheets with their scoring."""

from __future__ import annotations

from sheets.access.keys import Access
from sheets.models import PaperSheet, Scoring, SheetPicture
from sheets.photos.seen import StoredPicture


def keep_picture(sheet: PaperSheet, picture: StoredPicture, act: str) -> None:
    """Store a picture with a sheet that has none, until the act that brought it is undone."""
    SheetPicture.objects.create(
        sheet=sheet, act=act, jpeg=picture.jpeg, width=picture.width, height=picture.height
    )


def find_picture(access: Access[Scoring], number: int) -> SheetPicture | None:
    """Find the picture of a sheet by the sheet's number."""
    return SheetPicture.objects.filter(sheet__scoring=access.thing, sheet__number=number).first()


def drop_picture(access: Access[Scoring], number: int) -> None:
    """Delete the picture of a sheet. Raises NotAllowed."""
    access.refuse_unless_edits()
    SheetPicture.objects.filter(sheet__scoring=access.thing, sheet__number=number).delete()

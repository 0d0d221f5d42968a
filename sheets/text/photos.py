"""Sentences on photos and sheets that could not be read: the reason and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REFUSALS: Final[Mapping[str, str | Promise]] = {
    "not-a-picture": _(
        "This file is not a photo that can be read. JPEG, PNG, WebP, GIF, PDF and TIFF can."
    ),
    "password": _(
        "This PDF is protected by a password. Save it without one, or scan the sheets again."
    ),
    "damaged": _("This PDF or TIFF is damaged. Scan the sheets again, or save them as JPEG files."),
    "too-many-pages": _(
        "This file has too many pages: at most 20. Split it, or scan fewer sheets at once."
    ),
    "blank": _("There is nothing on this page but blank paper."),
    "heic": _(
        "This photo is in Apple’s HEIC format, which this browser cannot turn into a JPEG. On the"
        " iPhone open this page in Safari, or save the photo as a JPEG first."
    ),
    "too-large": _(
        "This photo is too large: at most 20 megabytes and 50 megapixels. Take it at the usual"
        " setting of your camera."
    ),
    "too-small": _(
        "This picture is too small to see the fields. Send the photo itself, not a preview."
    ),
    "no-sheet": _(
        "The photo shows none of our sheets. All four black corner squares of a "
        "sheet have to be in the photo; sheets of bought pads have none."
    ),
    "markers": _(
        "Too few corners of this sheet are in the photo. Take it again with all four black squares"
        " in it, and no finger or pen on them. Where the printer has cut squares off, tap the"
        " crosses in."
    ),
    "which-level": _(
        "The app cannot tell which level this is: the QR code is not readable, or it "
        "is a level of your own. Choose the level first, then photograph the sheet "
        "from there."
    ),
    "does-not-fit": _(
        "This sheet shows another level than expected, or it is too crumpled. Lay it flat; for a "
        "level of your own, begin on its page."
    ),
    "corners": _(
        "These four points are not the corners of a sheet. Drag each mark onto another corner."
    ),
    "not-at-corners": _(
        "No sheet could be read from these corners. Put the marks exactly on the outer corners of"
        " the four black squares, or photograph the sheet again, flat and in even light."
    ),
    "blurred": _(
        "This photo is blurred. Hold the phone still, wipe its lens, and wait until the picture is"
        " sharp."
    ),
    "too-dark": _("This photo is too dark. Switch on a lamp, or go to a window."),
    "time-limit": _(
        "Reading this photo took too long, so it was stopped. Take it again with fewer sheets, and"
        " with as little as possible around them."
    ),
    "memory-limit": _(
        "Reading this photo needs more memory than one photo may have here. Send it at a lower"
        " resolution, as a JPEG."
    ),
    "not-read": _(
        "This photo could not be read because of an error in this program. A new photo of the same"
        " sheet may work."
    ),
    "busy": _("Many photos are being read just now. Send this one again in a minute."),
    "slow": _(
        "This photo was not read in time, because there is too much else to do here just now. Send"
        " it again in a few minutes."
    ),
    "too-often": _(
        "That was a lot of photos in a short time. Wait a minute, then send this one again."
    ),
    "not-kept": _("The photo of a sheet cannot be saved. Score the sheets without saving photos."),
    "stored-limit": _(
        "Your network has stored as much as it can today. Score the sheets without "
        "saving photos, or try again later."
    ),
    "no-file": _("Choose at least one photo first."),
}
"""Sentence by reason of the photo reader (`sheets.vision.refusals`) or of a page for photos."""

EMPTY_REFUSALS: Final[Mapping[str, str | Promise]] = {
    **REFUSALS,
    "no-sheet": _(
        "The photo shows no sheet with numbered fields. Lay one empty sheet flat in "
        "good light, with nothing on it, and photograph it from above, so that it "
        "fills the picture."
    ),
    "corners": _(
        "These four points are not the corners of a sheet with so many columns and rows. Drag each"
        " mark onto another corner, and count 2 to 26 columns and rows."
    ),
    "not-at-corners": _(
        "No sheet could be read from these corners. Count its columns and rows again, and put the"
        " marks exactly on the outer corners of its fields. Rows that are shifted against each"
        " other cannot be read this way."
    ),
    "time-limit": _(
        "Reading this photo took too long, so it was stopped. Take it again with nothing but the"
        " sheet in it."
    ),
    "stored-limit": _(
        "Your network has stored as much as it can today. Try again in an hour, or tomorrow."
    ),
    "other-sheet": _(
        "Most numbers on this sheet differ from those of your level. Photograph an empty sheet of "
        "this level, from above and in good light."
    ),
}
"""`REFUSALS` for photos of an empty sheet."""

PAD_REFUSALS: Final[Mapping[str, str | Promise]] = {
    **REFUSALS,
    "no-sheet": _(
        "The photo shows no sheet of your pad. Lay one sheet flat in good light, and "
        "photograph it from above, so that it fills the picture."
    ),
    "does-not-fit": _(
        "This does not look like your pad’s empty sheet. Lay one sheet flat, and photograph it from"
        " above, with all of its fields in the picture; or tap its crosses in."
    ),
    "not-at-corners": _(
        "No sheet of your pad could be read from these corners. Put the marks exactly on the outer"
        " corners of its fields, or photograph the sheet again, flat and in even light."
    ),
}
"""`REFUSALS` for photos of filled sheets of a bought pad."""

AT_CORNERS: Final = frozenset({"no-sheet", "markers", "does-not-fit", "corners", "not-at-corners"})
"""Reasons for which the user can mark the corners of the sheet in the same photo."""

RETRYABLE: Final = frozenset({"busy", "slow", "too-often"})
"""Reasons that are temporary: the same photo can be sent again."""

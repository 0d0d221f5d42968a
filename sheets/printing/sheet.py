"""Whole printed sheet, as parts in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.art.render.items import Part
from sheets.printing.geometry import Frame, PlacedSheet, layout_hash, marker_id
from sheets.printing.grid import draw_grid
from sheets.printing.heading import draw_footer, draw_name_line, draw_table, draw_title
from sheets.printing.legend import draw_legend
from sheets.printing.machine_codes import draw_marker, draw_qr, qr_content
from sheets.printing.round_tracker import draw_tracker
from sheets.printing.score_tracks import WrittenNumbers
from sheets.printing.scores import draw_scores
from sheets.rules.level import SHAPES, Level
from sheets.rules.marks import DICE, Marks
from sheets.text.symbols import in_language


class Writing(NamedTuple):
    """Handwriting on a sheet: name, marks and numbers.

    ``number`` is the number of the player, counted from 1.
    """

    player: str = ""
    number: int = 1
    marks: Marks = MappingProxyType({})
    filled: WrittenNumbers | None = None


BLANK: Final = Writing()
"""Handwriting of a blank sheet: empty."""


def draw_sheet(
    level: Level, frame: Frame, address: str, writing: Writing = BLANK
) -> tuple[Part, ...]:
    """Return a sheet without markers and QR code, which differ between the sheets of a page.

    ``address`` is the text of the address line.
    """
    name = in_language(level.name)
    tracker, low = draw_tracker(level, frame)
    alt = _("%(name)s: %(columns)d columns and %(rows)d rows of fields.") % {
        "name": name,
        "columns": level.columns,
        "rows": level.rows,
    }
    alt = " ".join((alt, *spoken_marks(writing.marks)))
    scores = draw_scores(level, frame, low + 3.0 * frame.text_scale, writing.filled)
    return (
        Part("H1", tuple(draw_title(level, frame))),
        Part("P", tuple(draw_name_line(frame, writing.player, writing.number))),
        Part("Figure", tuple(draw_grid(level, frame, writing.marks)), alt),
        *draw_table(level, frame),
        *draw_legend(level, frame),
        Part("P", tuple(tracker)),
        Part("P", tuple(scores)),
        Part("P", tuple(draw_footer(level, frame, address))),
    )


def spoken_marks(marks: Marks) -> Iterator[str]:
    """Yield a sentence for each kind of mark on a filled sheet, for screen readers."""
    sentences = (
        (("cross", "rocket"), _("Crossed: %(fields)s.")),
        (SHAPES, _("Tracks: %(fields)s.")),
        (DICE, _("Dice: %(fields)s.")),
        (("exploded",), _("Exploded: %(fields)s.")),
        (("lava",), _("Lava: %(fields)s.")),
    )
    for kinds, sentence in sentences:
        names = [name for name, stack in marks.items() if not set(kinds).isdisjoint(stack)]
        if names:
            yield sentence % {"fields": ", ".join(names)}


def draw_codes(level: Level, frame: Frame, placed: PlacedSheet) -> tuple[Part, ...]:
    """Return the markers and the QR code of a sheet on its page; empty if the print has none."""
    items = [
        draw_marker(marker_id(placed.place, corner), box)
        for corner, box in enumerate(frame.markers)
    ]
    if frame.qr:
        content = qr_content(level.id, placed.number, layout_hash(level, frame))
        items.append(draw_qr(content, frame.qr))
    return (Part("Artifact", tuple(items)),) if items else ()

"""Whole printed sheet, as parts in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.geometry import Frame, Leaf, layout_hash, marker_id
from sheets.printing.codes import draw_marker, draw_qr, qr_content
from sheets.printing.grid import draw_grid
from sheets.printing.heading import draw_footer, draw_name_line, draw_table, draw_title
from sheets.printing.legend import draw_legend
from sheets.printing.round_tracker import draw_tracker
from sheets.printing.scores import draw_scores
from sheets.printing.tracks import Filled
from sheets.render.items import Part
from sheets.rules.level import SHAPES, Level
from sheets.rules.marks import DICE, Marks
from sheets.texts.symbols import in_language


class Writing(NamedTuple):
    """Handwriting on a sheet, which a blank sheet lacks.

    ``number`` is that of the player, counted from 1.
    """

    player: str = ""
    number: int = 1
    marks: Marks = MappingProxyType({})
    filled: Filled | None = None


BLANK: Final = Writing()
"""Handwriting of a blank sheet: none."""


def draw_sheet(
    level: Level, frame: Frame, address: str, writing: Writing = BLANK
) -> tuple[Part, ...]:
    """Return a sheet without its codes, which differ between copies.

    ``address`` is the site in the address line.
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
    said = (
        (("cross", "rocket"), _("Crossed: %(fields)s.")),
        (SHAPES, _("Tracks: %(fields)s.")),
        (DICE, _("Dice: %(fields)s.")),
        (("exploded",), _("Exploded: %(fields)s.")),
        (("lava",), _("Lava: %(fields)s.")),
    )
    for kinds, sentence in said:
        names = [name for name, stack in marks.items() if not set(kinds).isdisjoint(stack)]
        if names:
            yield sentence % {"fields": ", ".join(names)}


def draw_codes(level: Level, frame: Frame, leaf: Leaf) -> tuple[Part, ...]:
    """Return the markers and the QR code of a sheet on its page, unless they are left out."""
    items = [
        draw_marker(marker_id(leaf.place, corner), box) for corner, box in enumerate(frame.markers)
    ]
    if frame.qr:
        content = qr_content(level.id, leaf.number, layout_hash(level, frame))
        items.append(draw_qr(content, frame.qr))
    return (Part("Artifact", tuple(items)),) if items else ()

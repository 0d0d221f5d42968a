"""View models of read sheets, for the templates of the photo pages."""

from __future__ import annotations

import json
import secrets
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.photos.page_context import PhotoPageContext
from sheets.photos.worker.messages import Box, Place, SheetResult, TurnedPicture
from sheets.rules import Level
from sheets.scoring.marks import PaperMarks, takes_number
from sheets.scoring.sentences import field_name, number_question
from sheets.text.photos import AT_CORNERS
from sheets.text.symbols import MARK_NAMES

MAX_ANSWERS: Final = 3
"""Maximum number of answers in a question; taps on the picture cycle through all of them."""

UNCLEAR_QUESTIONS: Final = 12
"""Number of questions about one sheet from which the page suggests another photo."""

_CROP_MARGIN: Final = 0.6
"""Margin around a place in its crop, as a share of the width of the place's widest box."""


_JPEG: Final = b"\xff\xd8"
"""First bytes of a JPEG file."""


class ShownTurn(NamedTuple):
    """Picture of a sheet in one orientation; ``turn`` is its counter-clockwise quarter turns."""

    turn: int
    picture: str


class Answer(NamedTuple):
    """A possible answer: its value, its label, and the id of the shape that represents it."""

    value: str
    label: str
    shape: str


@dataclass(frozen=True)
class ShownPlace:
    """A field or number track on a read sheet.

    ``is_asked``: the reading is doubtful, so the page asks the user about it.
    """

    level: Level
    place: Place
    is_asked: bool

    @property
    def at(self) -> str:
        """Name of the field or number track, such as ``c4`` or ``flag red``."""
        return self.place.at

    @property
    def best(self) -> str:
        """Most likely value; empty for no mark."""
        return self.place.answers[0]

    @property
    def question(self) -> str:
        """Text of the question: the name of the field, or a question for the circled number."""
        if track := self.level.number_tracks.get(self.at):
            return number_question(self.level, track)
        return field_name(self.level, self.level.fields[self.level.index[self.at]])

    @property
    def answers(self) -> list[Answer]:
        """The most likely answers, at most `MAX_ANSWERS`."""
        return self.all_answers[:MAX_ANSWERS]

    @property
    def all_answers(self) -> list[Answer]:
        """All possible answers, by descending likelihood."""
        return [_answer(self.place, value) for value in self.place.answers]

    @property
    def tap_target(self) -> Box:
        """Box of the tap target; for numbers it includes a margin, because they are small."""
        box = self._extent()
        return _widen(box, box[3] // 2 if self.place.numbers else 0)

    @property
    def mark_boxes(self) -> list[dict[str, Any]]:
        """Boxes of the place, each with the shape to draw on it for the most likely value."""
        numbers = self.place.numbers or ("",)
        return [
            {
                "box": box,
                "number": number,
                "shape": _shape(self.best, number, bool(self.place.numbers)),
            }
            for box, number in zip(self.place.boxes, numbers, strict=True)
        ]

    @property
    def crop(self) -> Box:
        """Part of the picture that shows the place with a margin."""
        margin = round(_CROP_MARGIN * max(box[2] for box in self.place.boxes))
        return _widen(self._extent(), margin)

    def _extent(self) -> Box:
        """Return the bounding box of the place."""
        left = min(box[0] for box in self.place.boxes)
        top = min(box[1] for box in self.place.boxes)
        right = max(box[0] + box[2] for box in self.place.boxes)
        low = max(box[1] + box[3] for box in self.place.boxes)
        return left, top, right - left, low - top


@dataclass(frozen=True)
class ShownSheet:
    """A read sheet, or one that was not read.

    Attributes:
        index: number of the sheet on the web page.
        seen: result of the reading.
        level: level of the sheet, None if unknown.
        refused: sentence with the reason why it was not read, else empty.
        belongs_to: number of the scoring's sheet that it belongs to, 0 for a new one, None if
            unknown.
        asks_missing_numbers: whether to ask about a number track that the player has reached, but
            without a circled number: other players may have taken all numbers.
        request: idempotency key of the form with this sheet.
    """

    index: int
    seen: SheetResult
    level: Level | None
    refused: str
    belongs_to: int | None = None
    asks_missing_numbers: bool = False
    request: str = field(default_factory=partial(secrets.token_urlsafe, 12))

    @property
    def can_mark_corners(self) -> bool:
        """Whether the user can mark the corners of the sheet, because it was not found."""
        return self.seen.refused in AT_CORNERS

    @property
    def width(self) -> int:
        """Width of the picture, in pixels."""
        return self.seen.size[0]

    @property
    def height(self) -> int:
        """Height of the picture, in pixels."""
        return self.seen.size[1]

    @property
    def picture(self) -> str:
        """Picture of the rectified sheet as a data URL."""
        return _data_url("image/jpeg", self.seen.picture)

    @property
    def blank(self) -> str:
        """Picture of the empty sheet as a data URL."""
        kind = "image/jpeg" if self.seen.blank.startswith(_JPEG) else "image/png"
        return _data_url(kind, self.seen.blank)

    @property
    def name(self) -> str:
        """Picture of the name line as a data URL; empty without one."""
        return _data_url("image/jpeg", self.seen.name) if self.seen.name else ""

    @cached_property
    def places(self) -> list[ShownPlace]:
        """Fields and number tracks with more than one possible value."""
        level = self.level
        if level is None:
            return []
        marks = {place.at: place.answers[0] for place in self.seen.places if place.answers[0]}
        most = marks | {
            place.at: _likeliest_mark(place) for place in self.seen.places if place.is_asked
        }
        return [
            ShownPlace(
                level,
                one,
                (one.is_asked and not _is_out_of_reach(level, most, one))
                or (self.asks_missing_numbers and _lacks_number(level, marks, one.at)),
            )
            for one in self.seen.places
        ]

    @property
    def asked(self) -> list[ShownPlace]:
        """Fields and number tracks that the page asks about."""
        return [place for place in self.places if place.is_asked]

    @property
    def is_unclear(self) -> bool:
        """Whether there are so many questions that the user should take a better photo."""
        return len(self.asked) >= UNCLEAR_QUESTIONS

    @property
    def marks(self) -> str:
        """Most likely value of each place that has one, as JSON."""
        return json.dumps({place.at: place.best for place in self.places if place.best})

    @property
    def values(self) -> dict[str, Sequence[str]]:
        """All possible values by place, for the script."""
        return {place.at: place.place.answers for place in self.places}


def show_sheets(
    page_context: PhotoPageContext, sheets: Sequence[SheetResult], first: int
) -> list[ShownSheet]:
    """Return the view models of the sheets of a photo, numbered from ``first`` on."""
    # A single player always circles the first number; at a table the app knows the order.
    asks_missing_numbers = (
        max(first + len(sheets) - 1, len(page_context.sheets)) > 1 and not page_context.table
    )
    shown = []
    for i, seen in enumerate(sheets):
        level = page_context.levels[seen.level] if seen.level >= 0 else None
        refused = str(page_context.refusals[seen.refused]) if seen.refused else ""
        if level and page_context.wanted and level != page_context.wanted:
            refused = _(
                "This is a sheet of another level. Only sheets of the same level are taken here."
            )
        belongs_to = page_context.known_sheet(first + i, len(sheets))
        shown.append(ShownSheet(first + i, seen, level, refused, belongs_to, asks_missing_numbers))
    return shown


def show_turned(turned: Sequence[TurnedPicture]) -> list[ShownTurn]:
    """Return the view models of the possible orientations of a photo."""
    return [ShownTurn(one.turn, _data_url("image/jpeg", one.picture)) for one in turned]


def _widen(box: Box, margin: int) -> Box:
    """Return a box with an additional margin on all sides."""
    left, top, width, height = box
    return left - margin, top - margin, width + 2 * margin, height + 2 * margin


def _lacks_number(level: Level, marks: PaperMarks, at: str) -> bool:
    """Return whether a place is a flag or race that is reached, but has no circled number."""
    return at in level.number_tracks and at not in marks and takes_number(level, marks, at)


def _likeliest_mark(place: Place) -> str:
    """Return the most likely value of a place that is a mark, not empty."""
    return next(value for value in place.answers if value)


def _is_out_of_reach(level: Level, most: PaperMarks, place: Place) -> bool:
    """Return whether a number track cannot have a circled number, so that nobody need check it.

    Its most likely answer is no number, and the player has not reached it, even with the marks
    ``most``. These are the marks of the sheet if every doubtful place has a mark.
    """
    if place.at not in level.number_tracks or place.answers[0]:
        return False
    return not takes_number(level, most, place.at)


def _answer(place: Place, value: str) -> Answer:
    if place.numbers:
        return Answer(value, value or _("none circled"), "")
    return Answer(value, str(MARK_NAMES[value]), value and f"read-{value}")


def _shape(value: str, number: str, is_number: bool) -> str:
    if is_number:
        return "read-ring" if value == number else ""
    return value and f"read-{value}"


def _data_url(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{b64encode(content).decode()}"

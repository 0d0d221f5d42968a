"""Presentation of read sheets for the template of the photo pages."""

from __future__ import annotations

import json
import secrets
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from sheets.photos.desk import Desk
from sheets.photos.seen import Box, Place, SeenSheet, Turned
from sheets.rules import Level
from sheets.scoring.marks import Marks, takes_number
from sheets.scoring.words import field_name, number_question
from sheets.texts.symbols import MARKS

MAX_ANSWERS: Final = 3
"""Maximum number of answers offered for a field; taps on it in the picture cycle through all."""

MANY_QUESTIONS: Final = 12
"""Number of questions about one sheet from which another photo is less trouble."""

_CROP_MARGIN: Final = 0.6
"""Margin of a place's crop on each side, as a share of its widest box."""


_JPEG: Final = b"\xff\xd8"
"""First bytes of a JPEG file."""


class ShownTurn(NamedTuple):
    """Picture of a sheet in one orientation; ``turn`` is its counter-clockwise quarter turns."""

    turn: int
    picture: str


class Answer(NamedTuple):
    """A value, its label, and the id of the shape that represents it."""

    value: str
    label: str
    shape: str


@dataclass(frozen=True)
class ShownPlace:
    """A place on a read sheet; ``is_asked``: the user should check it."""

    level: Level
    place: Place
    is_asked: bool

    @property
    def at(self) -> str:
        """Name of the place."""
        return self.place.at

    @property
    def best(self) -> str:
        """Likeliest value."""
        return self.place.answers[0]

    @property
    def question(self) -> str:
        """Text of the question: the field's name, or which number is circled."""
        if track := self.level.number_tracks.get(self.at):
            return number_question(self.level, track)
        return field_name(self.level, self.level.fields[self.level.index[self.at]])

    @property
    def answers(self) -> list[Answer]:
        """Likeliest answers, at most `MAX_ANSWERS`."""
        return self.all_answers[:MAX_ANSWERS]

    @property
    def all_answers(self) -> list[Answer]:
        """All possible answers, by descending likelihood."""
        return [_answer(self.place, value) for value in self.place.answers]

    @property
    def reach(self) -> Box:
        """Tap target; that of numbers has a margin, because they are small."""
        box = self._extent()
        return _widen(box, box[3] // 2 if self.place.numbers else 0)

    @property
    def spots(self) -> list[dict[str, Any]]:
        """Boxes of the place, each with the shape to draw for the best value."""
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
        index: number of the sheet on the page.
        refused: sentence with the reason why it was not read, else empty.
        belongs_to: number of the scoring's sheet that it shows, 0 for a new player's, None if
            unknown.
        owes: whether to ask for numbers that are reached and not circled, as another player may
            have circled them.
        request: idempotency key of the form with this sheet.
    """

    index: int
    seen: SeenSheet
    level: Level | None
    refused: str
    belongs_to: int | None = None
    owes: bool = False
    request: str = field(default_factory=partial(secrets.token_urlsafe, 12))

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
        """Places with more than one possible value."""
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
                or (self.owes and _owes(level, marks, one.at)),
            )
            for one in self.seen.places
        ]

    @property
    def asked(self) -> list[ShownPlace]:
        """Places that the user should check."""
        return [place for place in self.places if place.is_asked]

    @property
    def is_unclear(self) -> bool:
        """Whether a better photo is less trouble than all the questions."""
        return len(self.asked) >= MANY_QUESTIONS

    @property
    def marks(self) -> str:
        """Best answers as JSON."""
        return json.dumps({place.at: place.best for place in self.places if place.best})

    @property
    def values(self) -> dict[str, Sequence[str]]:
        """All possible values of each place, for the script."""
        return {place.at: place.place.answers for place in self.places}


def show_sheets(desk: Desk, sheets: Sequence[SeenSheet], first: int) -> list[ShownSheet]:
    """Prepare the sheets of a photo for the page, numbered from ``first`` on."""
    # A single player always has the first number; at a table the app knows the order.
    owes = max(first + len(sheets) - 1, len(desk.sheets)) > 1 and not desk.table
    shown = []
    for i, seen in enumerate(sheets):
        level = desk.levels[seen.level] if seen.level >= 0 else None
        refused = str(desk.refusals[seen.refused]) if seen.refused else ""
        if level and desk.wanted and level != desk.wanted:
            refused = _(
                "This is a sheet of another level. Only sheets of the same level are taken here."
            )
        belongs_to = desk.known_sheet(first + i, len(sheets))
        shown.append(ShownSheet(first + i, seen, level, refused, belongs_to, owes))
    return shown


def show_turned(turned: Sequence[Turned]) -> list[ShownTurn]:
    """Prepare the possible orientations of a photo for the page."""
    return [ShownTurn(one.turn, _data_url("image/jpeg", one.picture)) for one in turned]


def _widen(box: Box, margin: int) -> Box:
    """Add a margin on all sides of a box."""
    left, top, width, height = box
    return left - margin, top - margin, width + 2 * margin, height + 2 * margin


def _owes(level: Level, marks: Marks, at: str) -> bool:
    """Whether the place is a flag or race that is reached, without a circled number."""
    return at in level.number_tracks and at not in marks and takes_number(level, marks, at)


def _likeliest_mark(place: Place) -> str:
    """Return the likeliest answer that is a mark."""
    return next(value for value in place.answers if value)


def _is_out_of_reach(level: Level, most: Marks, place: Place) -> bool:
    """Whether a track's best answer is no number, and even the most possible crosses need none."""
    if place.at not in level.number_tracks or place.answers[0]:
        return False
    return not takes_number(level, most, place.at)


def _answer(place: Place, value: str) -> Answer:
    if place.numbers:
        return Answer(value, value or _("none circled"), "")
    return Answer(value, str(MARKS[value]), value and f"read-{value}")


def _shape(value: str, number: str, is_number: bool) -> str:
    if is_number:
        return "read-ring" if value == number else ""
    return value and f"read-{value}"


def _data_url(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{b64encode(content).decode()}"

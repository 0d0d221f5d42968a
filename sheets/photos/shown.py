"""What does the page show of a sheet that was read? All that its template asks for."""

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

MOST_ANSWERS: Final = 3
"""So many are offered for a field; tapping on it in the picture goes through all."""

MANY_ASKED: Final = 12
"""So many questions about one sheet are more trouble than another photo of it."""

_AROUND: Final = 0.6
"""How much around a place is shown of it, in parts of its larger side."""


_JPEG: Final = b"\xff\xd8"


class ShownTurn(NamedTuple):
    """A sheet as it stands when its photo is turned; ``turn`` in quarters against the clock."""

    turn: int
    picture: str


class Answer(NamedTuple):
    """A value, what is said of it, and the shape that is drawn for it."""

    value: str
    said: str
    shape: str


@dataclass(frozen=True)
class ShownPlace:
    """A place on a sheet that was read; ``is_asked``: a person shall look at it."""

    level: Level
    place: Place
    is_asked: bool

    @property
    def at(self) -> str:
        """Its name."""
        return self.place.at

    @property
    def best(self) -> str:
        """The likeliest value."""
        return self.place.answers[0]

    @property
    def question(self) -> str:
        """Which field, or which number is circled?"""
        if track := self.level.number_tracks.get(self.at):
            return number_question(self.level, track)
        return field_name(self.level, self.level.fields[self.level.index[self.at]])

    @property
    def answers(self) -> list[Answer]:
        """The likeliest ones."""
        return self.all_answers[:MOST_ANSWERS]

    @property
    def all_answers(self) -> list[Answer]:
        """Everything that may stand there, the likeliest first."""
        return [_answer(self.place, value) for value in self.place.answers]

    @property
    def reach(self) -> Box:
        """Where a tap is meant for it: numbers are small, so a little around them counts, too."""
        left, top, width, height = self._extent()
        around = height // 2 if self.place.numbers else 0
        return left - around, top - around, width + 2 * around, height + 2 * around

    @property
    def spots(self) -> list[dict[str, Any]]:
        """Where it can be tapped, and what is drawn there for its best value."""
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
        """The part of the picture that shows it and a little around."""
        left, top, width, height = self._extent()
        around = round(_AROUND * max(box[2] for box in self.place.boxes))
        return left - around, top - around, width + 2 * around, height + 2 * around

    def _extent(self) -> Box:
        """The least that holds all its boxes."""
        left = min(box[0] for box in self.place.boxes)
        top = min(box[1] for box in self.place.boxes)
        right = max(box[0] + box[2] for box in self.place.boxes)
        low = max(box[1] + box[3] for box in self.place.boxes)
        return left, top, right - left, low - top


@dataclass(frozen=True)
class ShownSheet:
    """A sheet that was read, or ``refused``: why it was not, as a sentence.

    ``index`` tells it from all others on the page; ``belongs_to`` is the number of the sheet of a
    scoring that it shows, 0 for one more player's, None where nobody knows. ``owes``: a number that
    it has reached and not circled is asked for, as others may have it. ``request`` names what is
    taken over with it: the same sheets under the same name become no second scoring.
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
        """Of the flat picture, in pixels."""
        return self.seen.size[0]

    @property
    def height(self) -> int:
        """Of the flat picture, in pixels."""
        return self.seen.size[1]

    @property
    def picture(self) -> str:
        """The flat sheet as an address of its own."""
        return _data("image/jpeg", self.seen.picture)

    @property
    def blank(self) -> str:
        """The sheet as printed."""
        kind = "image/jpeg" if self.seen.blank.startswith(_JPEG) else "image/png"
        return _data(kind, self.seen.blank)

    @property
    def name(self) -> str:
        """Where a name is written; empty without one."""
        return _data("image/jpeg", self.seen.name) if self.seen.name else ""

    @cached_property
    def places(self) -> list[ShownPlace]:
        """All that may be marked."""
        level = self.level
        if level is None:
            return []
        marks = {place.at: place.answers[0] for place in self.seen.places if place.answers[0]}
        most = marks | {place.at: _marked(place) for place in self.seen.places if place.is_asked}
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
        """What a person shall look at."""
        return [place for place in self.places if place.is_asked]

    @property
    def is_unclear(self) -> bool:
        """Whether a better photo is less trouble than to look at all that is asked."""
        return len(self.asked) >= MANY_ASKED

    @property
    def marks(self) -> str:
        """The best answers as JSON."""
        return json.dumps({place.at: place.best for place in self.places if place.best})

    @property
    def values(self) -> dict[str, Sequence[str]]:
        """All answers of each place, for the script."""
        return {place.at: place.place.answers for place in self.places}


def show_sheets(desk: Desk, sheets: Sequence[SeenSheet], first: int) -> list[ShownSheet]:
    """What is shown of the sheets of a photo, numbered from ``first`` on."""
    # Alone, the first number follows; at a table the app knows who came when.
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
    """The ways in which a photo may be upright."""
    return [ShownTurn(one.turn, _data("image/jpeg", one.picture)) for one in turned]


def _owes(level: Level, marks: Marks, at: str) -> bool:
    """Whether a flag or race is reached of which no number is circled."""
    return at in level.number_tracks and at not in marks and takes_number(level, marks, at)


def _marked(place: Place) -> str:
    """The likeliest of its answers that is a mark."""
    return next(value for value in place.answers if value)


def _is_out_of_reach(level: Level, most: Marks, place: Place) -> bool:
    """Whether no number is likely there, nor can be with the most that may be crossed."""
    if place.at not in level.number_tracks or place.answers[0]:
        return False
    return not takes_number(level, most, place.at)


def _answer(place: Place, value: str) -> Answer:
    if place.numbers:
        said = value or _("none circled")
        return Answer(value, said, "")
    return Answer(value, str(MARKS[value]), value and f"read-{value}")


def _shape(value: str, number: str, is_number: bool) -> str:
    if is_number:
        return "read-ring" if value == number else ""
    return value and f"read-{value}"


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{b64encode(content).decode()}"

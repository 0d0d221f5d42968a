"""Context of a page that reads photos: possible levels, and the destination of the sheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from django.utils.functional import Promise

from sheets.access.keys import Access
from sheets.models import EmptySheet, PaperSheet, Scoring, WorkshopLevel
from sheets.photos.seen import PadParts
from sheets.rules import Level
from sheets.rules.level import MOST_PLAYERS
from sheets.tables.access import TableAccess
from sheets.texts.photos import PAD_REFUSALS, REFUSALS


@dataclass(frozen=True)
class Desk:
    """Context of a page that reads photos.

    Attributes:
        levels: levels that sheets may have.
        address: path of the page; the paths of its acts are below it.
        back: URL of the page that leads here.
        known: levels that the user has named, see `sheets.scanning.reading.read_photo`.
        query: query string of the page and all its acts.
        wanted: if given, only sheets of this level are accepted.
        access: scoring that the sheets are added to; without it, they begin one.
        sheets: sheets of that scoring, with player's name and number of marks.
        first: number of the sheet whose photo is expected first, 0 for none.
        table: if given, the sheet is compared with that of the ``seat``, and becomes no scoring.
        seat: seat at the table, from 0.
        empty: empty sheet of a bought pad, if the level was entered from its photo.
        bought: level of a bought pad, which a new scoring refers to.
    """

    levels: tuple[Level, ...]
    address: str
    back: str
    known: tuple[Level, ...] = ()
    query: str = ""
    wanted: Level | None = None
    access: Access[Scoring] | None = None
    sheets: tuple[tuple[PaperSheet, str, int], ...] = ()
    first: int = 0
    table: TableAccess | None = None
    seat: int = 0
    empty: EmptySheet | None = None
    bought: WorkshopLevel | None = None

    @property
    def pad(self) -> PadParts | None:
        """Template for reading a pad's sheets, None for printed sheets with markers."""
        if not self.empty:
            return None
        return PadParts(bytes(self.empty.picture), msgspec.json.encode(self.empty.layout))

    @property
    def refusals(self) -> Mapping[str, str | Promise]:
        """Sentences about photos that cannot be read, by reason."""
        return PAD_REFUSALS if self.empty else REFUSALS

    @property
    def has_room(self) -> bool:
        """Whether the scoring can have one more player."""
        return len(self.sheets) < MOST_PLAYERS

    def is_solo(self, more: int) -> bool | None:
        """Whether it is a solo game with ``more`` new sheets; None leaves it to the default."""
        if len(self.sheets) + more > 1:
            return False
        return self.access.thing.is_solo if self.access else None

    @property
    def marked(self) -> str:
        """Numbers of the sheets with marks, which the page sends back to detect conflicts."""
        return ",".join(str(row.number) for row, _name, marks in self.sheets if marks)

    def level(self, name: str) -> Level | None:
        """Return the level with that id, if its sheets are accepted here."""
        accepted = [self.wanted] if self.wanted else self.levels
        return next((level for level in accepted if level.id == name), None)

    def known_sheet(self, index: int, count: int) -> int | None:
        """Return the number of the scoring's sheet that a photo shows, None if unknown.

        It is known if the user has chosen one sheet and photographed one. In a scoring without
        players it is 0, as each sheet becomes a new one.

        Args:
            index: the sheet's number on the page.
            count: number of sheets on the photo.
        """
        if not self.sheets:
            return 0
        is_only = index == count == 1
        return self.first if is_only and self.first else None

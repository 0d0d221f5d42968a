"""Context of a page that reads photos: possible levels, and the destination of the sheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from django.utils.functional import Promise

from sheets.access.keys import Access
from sheets.models import EmptySheet, PaperSheet, Scoring, WorkshopLevel
from sheets.photos.worker.messages import PadParts
from sheets.rules import Level
from sheets.rules.level import MAX_PLAYERS
from sheets.tables.access import TableAccess
from sheets.text.photos import PAD_REFUSALS, REFUSALS


@dataclass(frozen=True)
class PhotoPageContext:
    """Context of a page that reads photos.

    Attributes:
        levels: levels of the sheets that photo reading recognises.
        address: path of the page; the paths of its forms are below it.
        back: URL of the page that links to this page.
        known: levels that the user has named, see `sheets.vision.reading.read_photo`.
        query: query string of the page and of all its forms.
        wanted: the only level whose sheets are accepted; None to accept all ``levels``.
        access: scoring that the sheets are added to; None if they begin a new one.
        sheets: sheets of that scoring, each with the player's name and the number of marks.
        first: number of the scoring's sheet whose photo is expected first, 0 for none.
        table: table whose sheet is compared with the paper; None to store the sheets in a scoring.
        seat: seat of the compared sheet at the table, from 0.
        empty: empty sheet of a bought pad, if the level was entered from its photo.
        bought: level of a bought pad, for reference in a new scoring.
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
        """Template to read filled sheets of a pad; None for printed sheets with markers."""
        if not self.empty:
            return None
        return PadParts(bytes(self.empty.picture), msgspec.json.encode(self.empty.layout))

    @property
    def refusals(self) -> Mapping[str, str | Promise]:
        """Sentences about photos that cannot be read, by the name of the reason."""
        return PAD_REFUSALS if self.empty else REFUSALS

    @property
    def has_room(self) -> bool:
        """Whether the scoring can have one more player."""
        return len(self.sheets) < MAX_PLAYERS

    def is_solo(self, more: int) -> bool | None:
        """Return whether the game is solo if ``more`` sheets are added.

        None if they are one sheet of a new scoring; the default of scorings then applies.
        """
        if len(self.sheets) + more > 1:
            return False
        return self.access.resource.is_solo if self.access else None

    @property
    def marked(self) -> str:
        """Numbers of the scoring's sheets that have marks, separated by commas.

        The page sends them back, to detect that another device has marked a sheet meanwhile.
        """
        return ",".join(str(row.number) for row, _name, marks in self.sheets if marks)

    def level(self, name: str) -> Level | None:
        """Return the level with the id ``name``; None if its sheets are not accepted here."""
        accepted = [self.wanted] if self.wanted else self.levels
        return next((level for level in accepted if level.id == name), None)

    def known_sheet(self, index: int, count: int) -> int | None:
        """Return the number of the scoring's sheet that a photographed sheet belongs to.

        It is known if the user has chosen one sheet and the first photo shows a single sheet;
        otherwise it is None. In a new scoring it is 0, because each sheet becomes a new one.

        Args:
            index: number of the photographed sheet on the web page.
            count: number of sheets on its photo.
        """
        if not self.sheets:
            return 0
        is_only = index == count == 1
        return self.first if is_only and self.first else None

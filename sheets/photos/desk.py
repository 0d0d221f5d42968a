"""For whom is a photo read: which levels may it show, and whose sheets can they become?"""

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
    """A place where photos are read.

    ``levels`` are what sheets may be, ``known`` those that somebody named. With ``wanted`` only
    sheets of that level are taken. ``address`` is that of its page, below which its acts are, and
    ``query`` what stands behind all of them; ``back`` is the page it was opened from. ``access``
    is the scoring that sheets are taken into, with its ``sheets``, their players' names and how
    many marks each has; without it they begin one. ``first`` is the number of the sheet whose
    photo is expected first, 0 for none. With ``table`` a sheet becomes no scoring: it is compared
    with that of the ``seat`` there. With ``empty`` sheets are leaves of a pad that somebody has
    entered from its photo; a scoring that they begin is of the ``bought`` level.
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
        """What photos of a pad's leaves are read by."""
        if not self.empty:
            return None
        return PadParts(bytes(self.empty.picture), msgspec.json.encode(self.empty.layout))

    @property
    def refusals(self) -> Mapping[str, str | Promise]:
        """What is said of photos that cannot be read, by name."""
        return PAD_REFUSALS if self.empty else REFUSALS

    @property
    def has_room(self) -> bool:
        """Whether one more player can come."""
        return len(self.sheets) < MOST_PLAYERS

    def is_solo(self, more: int) -> bool | None:
        """Whether it is a solo game with so many more sheets; None leaves it to the rule."""
        if len(self.sheets) + more > 1:
            return False
        return self.access.thing.is_solo if self.access else None

    @property
    def marked(self) -> str:
        """The numbers of the sheets on which something stands, for the page to send back."""
        return ",".join(str(row.number) for row, _name, marks in self.sheets if marks)

    def level(self, name: str) -> Level | None:
        """The level of that id, if sheets of it are taken here."""
        taken = [self.wanted] if self.wanted else self.levels
        return next((level for level in taken if level.id == name), None)

    def known_sheet(self, index: int, count: int) -> int | None:
        """The number of the sheet of the scoring that a photo shows, None where nobody knows.

        It is known where somebody has asked for one sheet and photographed one, and where there
        are no players yet: then each sheet becomes a new one, 0.

        Args:
            index: the sheet's number on the page.
            count: how many sheets the photo shows.
        """
        if not self.sheets:
            return 0
        is_only = index == count == 1
        return self.first if is_only and self.first else None

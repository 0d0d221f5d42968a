"""View model of the comparison of a photographed paper sheet with the sheet at a table."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _

from sheets.photos.forms import ReviewedSheet
from sheets.rules import Level
from sheets.rules.marks import Marks
from sheets.scoring.marks import field_marks
from sheets.scoring.sentences import field_name
from sheets.tables import paper_comparison
from sheets.tables.access import TableAccess
from sheets.tables.paper_comparison import Comparison, Difference
from sheets.tables.seat_view import SeatView, view_seat
from sheets.text.refusals import explain
from sheets.text.symbols import MARK_NAMES, track_name


class NotEnterable(NamedTuple):
    """A field whose mark on paper cannot be entered at the table now; ``why`` is a sentence."""

    name: str
    why: str


@dataclass(frozen=True)
class SheetComparison:
    """A paper sheet, compared with the sheet of a seat at a table.

    ``request`` is the idempotency key of the form that enters the differences at the table.
    """

    access: TableAccess
    seat: int
    sheet: ReviewedSheet
    request: str = field(default_factory=lambda: secrets.token_urlsafe(12))

    @cached_property
    def _view(self) -> SeatView:
        return view_seat(self.access, seat=self.seat)

    @cached_property
    def comparison(self) -> Comparison:
        """Differences between the paper sheet and the sheet at the table."""
        return paper_comparison.compare(
            self._view.game, self.seat, self.sheet.marks, self.sheet.unread
        )

    @cached_property
    def _plan(self) -> tuple[list[str], list[NotEnterable]]:
        acts, refused = paper_comparison.acts_of_paper(
            self._view.state, self.seat, self.sheet.marks
        )
        soon = _("It can be taken over once this pass goes on: compare again then.")
        not_enterable = [
            NotEnterable(self._name(at), explain(why, self._view.names) if why else soon)
            for at, why in refused.items()
        ]
        return [act.at for act in acts], not_enterable

    @property
    def level(self) -> Level:
        """Level of both sheets."""
        return self._view.level

    @property
    def moment(self) -> str:
        """Token for the compared state of the table (`LogState.moment`)."""
        return self._view.state.moment

    @property
    def marks(self) -> str:
        """Marks on paper as JSON, value by place.

        A number track without a circled number has an empty value; an unread one is missing.
        """
        read = sorted(self.level.number_tracks.keys() - self.sheet.unread)
        return json.dumps(dict.fromkeys(read, "") | dict(self.sheet.marks))

    @property
    def on_paper(self) -> Marks:
        """Marks on paper, by field."""
        return field_marks(self.level, self.sheet.marks)

    @property
    def at_table(self) -> Marks:
        """Marks of the seat at the table, by field."""
        return self._view.marks[self.seat]

    @property
    def differing_fields(self) -> list[str]:
        """Names of the fields with different marks on paper and at the table, to highlight."""
        return [one.at for one in self.comparison.differences if one.at in self.level.index]

    @property
    def places(self) -> str:
        """Names of the fields and number tracks that differ, as a JSON list."""
        return json.dumps([one.at for one in self.comparison.differences])

    @property
    def enterable(self) -> list[str]:
        """Names of the fields marked only on paper whose marks the rules allow at the table now."""
        return self._names(self._plan[0])

    @property
    def not_enterable(self) -> list[NotEnterable]:
        """Fields marked only on paper whose marks cannot be entered at the table now."""
        return self._plan[1]

    @property
    def extra(self) -> list[str]:
        """Names of the fields marked only at the table."""
        return self._names(one.at for one in self.comparison.of_kind(paper_comparison.EXTRA))

    @property
    def dice(self) -> list[str]:
        """Names of the fields with a die at the table and no mark on paper."""
        return self._names(self.comparison.dice)

    @property
    def differing(self) -> list[str]:
        """Sentences about fields and number tracks marked differently on paper and at the table."""
        kinds = (paper_comparison.BOMB, paper_comparison.NUMBER, paper_comparison.OTHER)
        return [self._sentence(one) for kind in kinds for one in self.comparison.of_kind(kind)]

    @property
    def unread_numbers(self) -> list[str]:
        """Sentences about numbers circled at the table that were not read on paper."""
        sheet = self._view.game.sheets[self.seat]
        tracks = self.level.number_tracks
        circled = [(at, track.circled(sheet)) for at, track in tracks.items()]
        return [
            _("%(what)s: %(here)s is circled here.")
            % {"what": self._track_name(at), "here": number}
            for at, number in circled
            if number and at in self.sheet.unread
        ]

    def entered_since(self, before: SheetComparison) -> list[str]:
        """Return the names of the fields that were entered at the table since ``before``.

        Their marks were missing at the table in the earlier comparison ``before``, and are not now.
        """
        missing = {one.at for one in self.comparison.of_kind(paper_comparison.MISSING)}
        was = before.comparison.of_kind(paper_comparison.MISSING)
        return self._names(one.at for one in was if one.at not in missing)

    def _names(self, fields: Iterable[str]) -> list[str]:
        return [self._name(at) for at in fields]

    def _name(self, at: str) -> str:
        return field_name(self.level, self.level.fields[self.level.index[at]])

    def _track_name(self, at: str) -> str:
        name = track_name(self.level, self.level.number_tracks[at])
        return name[:1].upper() + name[1:]

    def _sentence(self, one: Difference) -> str:
        if one.at in self.level.number_tracks:
            none = _("none circled")
            facts = {"what": self._track_name(one.at)}
            facts |= {"paper": one.paper or none, "here": one.here or none}
        else:
            facts = {"what": self._name(one.at)}
            facts |= {"paper": str(MARK_NAMES[one.paper]), "here": str(MARK_NAMES[one.here])}
        return _("%(what)s: on your paper %(paper)s, here %(here)s.") % facts

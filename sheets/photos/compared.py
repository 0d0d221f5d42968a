"""Comparison of a photographed paper sheet with the seat's sheet at a table, for the page."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext as _

from sheets.photos.taken import TakenSheet
from sheets.rules import Level
from sheets.rules.marks import Marks
from sheets.scoring.marks import field_marks
from sheets.scoring.words import field_name
from sheets.tables import paper
from sheets.tables.access import TableAccess
from sheets.tables.paper import Comparison, Difference
from sheets.tables.seat_view import SeatView, view_seat
from sheets.texts.refusals import explain
from sheets.texts.symbols import MARKS, track_name


class NotEnterable(NamedTuple):
    """A field that cannot be entered at the table now, and the reason as a sentence."""

    name: str
    why: str


@dataclass(frozen=True)
class Compared:
    """A paper sheet compared with a seat's; ``request`` is the idempotency key of its act."""

    access: TableAccess
    seat: int
    sheet: TakenSheet
    request: str = field(default_factory=lambda: secrets.token_urlsafe(12))

    @cached_property
    def _view(self) -> SeatView:
        return view_seat(self.access, seat=self.seat)

    @cached_property
    def comparison(self) -> Comparison:
        """Differences between paper and table."""
        return paper.compare(self._view.game, self.seat, self.sheet.marks, self.sheet.unread)

    @cached_property
    def _plan(self) -> tuple[list[str], list[NotEnterable]]:
        acts, refused = paper.acts_of_paper(self._view.state, self.seat, self.sheet.marks)
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
        """State of the table that was compared, see `LogState.moment`."""
        return self._view.state.moment

    @property
    def marks(self) -> str:
        """Marks on paper as JSON; a track without a circled number has an empty value."""
        read = sorted(self.level.number_tracks.keys() - self.sheet.unread)
        return json.dumps(dict.fromkeys(read, "") | dict(self.sheet.marks))

    @property
    def on_paper(self) -> Marks:
        """Marks of the fields on paper."""
        return field_marks(self.level, self.sheet.marks)

    @property
    def here(self) -> Marks:
        """Marks of the fields at the table."""
        return self._view.marks[self.seat]

    @property
    def ringed(self) -> list[str]:
        """Names of the fields that differ, which the page highlights."""
        return [one.at for one in self.comparison.differences if one.at in self.level.index]

    @property
    def places(self) -> str:
        """Names of all places that differ, as JSON."""
        return json.dumps([one.at for one in self.comparison.differences])

    @property
    def taken_now(self) -> list[str]:
        """Fields marked only on paper that can be entered at the table now."""
        return self._names(self._plan[0])

    @property
    def not_enterable(self) -> list[NotEnterable]:
        """Fields marked only on paper that cannot be entered at the table now."""
        return self._plan[1]

    @property
    def extra(self) -> list[str]:
        """Fields marked only at the table."""
        return self._names(one.at for one in self.comparison.of_kind(paper.EXTRA))

    @property
    def dice(self) -> list[str]:
        """Fields with a die at the table and without a mark on paper."""
        return self._names(self.comparison.dice)

    @property
    def differing(self) -> list[str]:
        """Sentences about the places with different marks on paper and at the table."""
        kinds = (paper.BOMB, paper.NUMBER, paper.OTHER)
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

    def taken_since(self, before: Compared) -> list[str]:
        """Return the fields that were missing at the table in ``before`` and no longer are."""
        missing = {one.at for one in self.comparison.of_kind(paper.MISSING)}
        was = before.comparison.of_kind(paper.MISSING)
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
            facts |= {"paper": str(MARKS[one.paper]), "here": str(MARKS[one.here])}
        return _("%(what)s: on your paper %(paper)s, here %(here)s.") % facts

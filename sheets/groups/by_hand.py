"""One game of old paper, typed on a phone: who of the group had how many points?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Final, NamedTuple

from django.db.models import F, Max
from django.utils.translation import gettext as _

from sheets.groups.entering import Entered, last_day, named_twice, persons_in
from sheets.groups.pasted import read_day, read_points
from sheets.levels import shipped_levels
from sheets.models import Group, GroupPlayer
from sheets.people.names import NAME_LENGTH, clean_name
from sheets.rules.level import MOST_PLAYERS
from sheets.texts.symbols import in_language
from sheets.texts.wrong import NO_FIELD

MOST_SHOWN: Final = 12
"""So many players stand on the page at once, those who have played last; the others are folded."""

FEWEST_NEW: Final = 2


class Row(NamedTuple):
    """Somebody who may have played: ``field`` is what is typed; without a player somebody new."""

    field: str
    player: GroupPlayer | None
    name: str
    points: str


class ByHand(NamedTuple):
    """What stands in the form, the game it means, and what is wrong with it, by fields."""

    day: str
    level: str
    other: str
    rows: list[Row]
    game: Entered | None
    wrong: dict[str, str]

    @property
    def told(self) -> str:
        """The game as text, by which a page says that it has shown just this."""
        return "" if self.game is None else json.dumps(self.game, default=str)

    @property
    def shown(self) -> list[Row]:
        """The players who stand on the page at once."""
        return [row for row in self.rows if row.player][:MOST_SHOWN]

    @property
    def folded(self) -> list[Row]:
        """The other players."""
        return [row for row in self.rows if row.player][MOST_SHOWN:]

    @property
    def new(self) -> list[Row]:
        """The places for names that nobody of the group has."""
        return [row for row in self.rows if not row.player]


def empty_form(group: Group, day: str, level: str) -> ByHand:
    """The form for one more game, of a day and a level as the last one had them."""
    other = "" if level in shipped_levels() else level
    level = level if level in shipped_levels() else ""
    return ByHand(day, level, other, _rows(group, {}), None, {})


def read_form(group: Group, sent: Mapping[str, str]) -> ByHand:
    """What was typed, and the game that it means."""
    rows = _rows(group, sent)
    wrong: dict[str, str] = {}
    day = _read_day(sent.get("day", ""), wrong)
    other = clean_name(sent.get("other", ""))[:60]
    level = sent.get("level", "") if sent.get("level", "") in shipped_levels() else ""
    totals = _totals(group, rows, wrong)
    called = other or (in_language(shipped_levels()[level].name) if level else "")
    game = Entered(day, called, tuple(totals)) if day and not wrong else None
    return ByHand(sent.get("day", "")[:10], level, other, rows, game, wrong)


def _read_day(text: str, wrong: dict[str, str]) -> date | None:
    day = read_day(text)
    if day is None:
        wrong["day"] = _("On which day was it?")
    elif day > last_day():
        wrong["day"] = _("This day is yet to come.")
    return day


def _totals(group: Group, rows: list[Row], wrong: dict[str, str]) -> list[tuple[str, int]]:
    totals: list[tuple[str, int]] = []
    for row in rows:
        points = read_points(row.points)
        if row.points and points is None:
            wrong[f"points-{row.field}"] = _("A number of points, please.")
        elif points is not None and not row.name:
            wrong[f"name-{row.field}"] = _("Who had these points?")
        elif points is None and row.name and not row.player:
            wrong[f"points-{row.field}"] = _("How many points?")
        elif points is not None:
            totals.append((row.name, points))
    names = [name for name, _points in totals]
    if twice := named_twice(persons_in(group, names), names):
        wrong[NO_FIELD] = _("“%(name)s” is in this game twice.") % {"name": twice}
    if len(totals) > MOST_PLAYERS:
        wrong[NO_FIELD] = _("At most six play in one game.")
    if not totals and not wrong:
        wrong[NO_FIELD] = _("Type the points of everyone who played.")
    return totals


def _rows(group: Group, sent: Mapping[str, str]) -> list[Row]:
    people = group.players.filter(merged_into=None, is_retired=False)
    latest = people.annotate(last=Max("results__played"))
    known = list(latest.order_by(F("last").desc(nulls_last=True), "number"))
    rows = [
        Row(f"{one.number}", one, one.name, sent.get(f"points-{one.number}", "").strip()[:6])
        for one in known
    ]
    for number in range(1, max(FEWEST_NEW, MOST_PLAYERS - len(known)) + 1):
        field = f"new-{number}"
        name = clean_name(sent.get(f"name-{field}", ""))[:NAME_LENGTH]
        rows.append(Row(field, None, name, sent.get(f"points-{field}", "").strip()[:6]))
    return rows

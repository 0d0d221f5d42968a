"""Form for a game of old paper, typed or corrected: a row of points for each player."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import F, Max, Q
from django.utils.translation import gettext as _

from sheets.groups.days import read_day
from sheets.groups.entering import (
    Entered,
    last_day,
    named_twice,
    persons_in,
    typed_game,
)
from sheets.groups.filters import level_names
from sheets.groups.pasted import read_points
from sheets.groups.titles import title_among
from sheets.groups.winners import LOST, WON, Had, Undecided, find_best
from sheets.levels import shipped_levels
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult
from sheets.people.names import NAME_LENGTH, clean_name
from sheets.rules.level import MOST_PLAYERS
from sheets.texts.symbols import in_language
from sheets.texts.wrong import NO_FIELD

MOST_SHOWN: Final = 12
"""Maximum number of players that the page shows unfolded, those who have played last."""

FEWEST_NEW: Final = 2
"""Minimum number of rows for players who are new to the group."""


class Row(NamedTuple):
    """A row of the form: input for a player, or for a new one if ``player`` is None.

    ``field`` is the suffix of its form fields. ``mark`` is `WON`, `LOST` or empty.
    ``is_somebody``: the row is that of an anonymous result in the game that is corrected.
    """

    field: str
    player: GroupPlayer | None
    name: str
    points: str
    mark: str
    is_somebody: bool = False


class ByHand(NamedTuple):
    """State of the form: its input, the game it describes if valid, and its errors by field."""

    day: str
    level: str
    other: str
    rows: list[Row]
    game: Entered | None
    wrong: dict[str, str]

    @property
    def told(self) -> str:
        """The game as JSON; the page sends it back to confirm that it has shown this game."""
        return "" if self.game is None else json.dumps(self.game, default=str)

    @property
    def shown(self) -> list[Row]:
        """Rows that the page shows unfolded."""
        return [row for row in self.rows if row.player or row.is_somebody][:MOST_SHOWN]

    @property
    def folded(self) -> list[Row]:
        """Rows of the other players."""
        return [row for row in self.rows if row.player or row.is_somebody][MOST_SHOWN:]

    @property
    def new(self) -> list[Row]:
        """Rows for players who are new to the group."""
        return [row for row in self.rows if not row.player and not row.is_somebody]


def empty_form(group: Group, day: str, level: str) -> ByHand:
    """Return the form for a new game, with the day and level of the one typed before."""
    other = "" if level in shipped_levels() else level
    level = level if level in shipped_levels() else ""
    return ByHand(day, level, other, _rows(group, {}), None, {})


def form_of(game: GroupGame) -> ByHand:
    """Return the form filled with a typed game, to correct it."""
    level = game.level_id if game.level_id in shipped_levels() else ""
    is_other = game.level_name and not level
    other = title_among(level_names(game.group), game) if is_other else ""
    results = list(game.results.select_related("player"))
    by_points = find_best([one.points for one in results])
    # No marks if points decide the winner: corrected points then decide it as well.
    has_marks = [i for i, one in enumerate(results) if one.won] != by_points
    sent = {}
    for one in results:
        sent[f"points-{_field_of(one)}"] = "" if one.points is None else str(one.points)
        if has_marks and (one.won or one.points is None):
            sent[f"mark-{_field_of(one)}"] = WON if one.won else LOST
    return ByHand(str(game.evening), level, other, _rows(game.group, sent, game), None, {})


def read_form(group: Group, sent: Mapping[str, str], game: GroupGame | None = None) -> ByHand:
    """Validate the form's input; ``game`` is the one that is corrected, if any."""
    rows = _rows(group, sent, game)
    wrong: dict[str, str] = {}
    day = _read_day(sent.get("day", ""), wrong)
    other = clean_name(sent.get("other", ""))[:60]
    level = sent.get("level", "") if sent.get("level", "") in shipped_levels() else ""
    had = _had_in(group, rows, wrong)
    called = other or (in_language(shipped_levels()[level].name) if level else "")
    found = None
    if day and not wrong:
        try:
            found = typed_game(day, called, had)
        except Undecided as undecided:
            wrong[NO_FIELD] = undecided_sentence(undecided.reason)
    return ByHand(sent.get("day", "")[:10], level, other, rows, found, wrong)


def _read_day(text: str, wrong: dict[str, str]) -> date | None:
    day = read_day(text)
    if day is None:
        wrong["day"] = _("On which day was it?")
    elif day > last_day():
        wrong["day"] = _("This day is yet to come.")
    return day


def _had_in(group: Group, rows: Sequence[Row], wrong: dict[str, str]) -> list[tuple[str, Had]]:
    """Return the name and input of each player who took part; add errors to ``wrong``."""
    had: list[tuple[str, Had]] = []
    for row in rows:
        points = read_points(row.points)
        has_played = points is not None or bool(row.mark)
        if row.points and points is None:
            wrong[f"points-{row.field}"] = _("A number of points, please.")
        elif has_played and not row.name and not row.is_somebody:
            wrong[f"name-{row.field}"] = _("Who was this?")
        elif not has_played and row.name and not row.player:
            wrong[f"points-{row.field}"] = _("How many points?")
        elif has_played:
            had.append((row.name, Had(points, row.mark)))
    names = [name for name, _had in had]
    if twice := named_twice(persons_in(group, names), names):
        wrong[NO_FIELD] = _("“%(name)s” is in this game twice.") % {"name": twice}
    if len(had) > MOST_PLAYERS:
        wrong[NO_FIELD] = _("At most six play in one game.")
    if not had and not wrong:
        wrong[NO_FIELD] = _("Type the points of everyone who played.")
    return had


def undecided_sentence(reason: str) -> str:
    """Return the error message for a reason of `Undecided`."""
    if reason == "alone":
        return _("Type the points of a game alone.")
    if reason == "beaten":
        return _("Another player has more points than the winner.")
    return _("Who won? Type all points, or say who won.")


def _field_of(one: GroupResult) -> str:
    """Return the suffix of the form fields for a result of the game that is corrected."""
    return f"{one.player.number}" if one.player else f"somebody-{one.seat}"


def _rows(group: Group, sent: Mapping[str, str], game: GroupGame | None = None) -> list[Row]:
    results = list(game.results.select_related("player", "typed")) if game else []
    here = {one.player_id: one for one in results}
    is_wanted = Q(is_retired=False) | Q(pk__in=[pk for pk in here if pk])
    people = group.players.filter(is_wanted, merged_into=None)
    latest = people.annotate(last=Max("results__played"))
    known = list(latest.order_by(F("last").desc(nulls_last=True), "number"))
    known.sort(key=lambda one: one.pk not in here)

    def row(field: str, player: GroupPlayer | None, name: str, *, is_somebody: bool = False) -> Row:
        points, mark = sent.get(f"points-{field}", ""), sent.get(f"mark-{field}", "")
        mark = mark if mark in (WON, LOST) else ""
        return Row(field, player, name, points.strip()[:6], mark, is_somebody)

    rows = [row(_field_of(one), None, "", is_somebody=True) for one in results if not one.player]
    for one in known:
        # The row keeps the name that was typed, although its player has been merged since.
        typed = here[one.pk].typed if one.pk in here else None
        rows.append(row(f"{one.number}", one, (typed or one).name))
    for number in range(1, max(FEWEST_NEW, MOST_PLAYERS - len(known)) + 1):
        field = f"new-{number}"
        name = clean_name(sent.get(f"name-{field}", ""))[:NAME_LENGTH]
        rows.append(row(field, None, name))
    return rows

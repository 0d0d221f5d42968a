"""Form for a game of old paper, typed or corrected: a row of points for each player."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import F, Max, Q
from django.utils.translation import gettext as _

from sheets.groups.dates import read_day
from sheets.groups.filters import level_names
from sheets.groups.game_titles import title_among
from sheets.groups.paper_games_import import (
    PaperGame,
    find_duplicate_name,
    identify_persons,
    last_day,
    typed_game,
)
from sheets.groups.pasted_table import parse_points
from sheets.groups.winners import LOST, WON, TypedResult, UndecidedWinner, find_best
from sheets.levels import shipped_levels
from sheets.models import Group, GroupGame, GroupPlayer, GroupResult
from sheets.names.cleaning import NAME_LENGTH, clean_name
from sheets.names.markup import mark_names
from sheets.rules.level import MAX_PLAYERS
from sheets.text.form_errors import NO_FIELD
from sheets.text.symbols import in_language

MAX_UNFOLDED_ROWS: Final = 12
"""Maximum number of players that the page shows unfolded, those who have played last."""

MIN_NEW_ROWS: Final = 2
"""Minimum number of rows for players who are new to the group."""


class EntryRow(NamedTuple):
    """A row of the form: input for a player, or for a new one if ``player`` is None.

    ``field`` is the suffix of its form fields. ``mark`` is `WON`, `LOST` or empty.
    ``is_somebody``: the row is for an anonymous result of the game to correct; ``player`` is None.
    """

    field: str
    player: GroupPlayer | None
    name: str
    points: str
    mark: str
    is_somebody: bool = False


class EntryFormState(NamedTuple):
    """State of the form: its input, the game it describes if valid, and its errors by field."""

    day: str
    level: str
    other: str
    rows: list[EntryRow]
    game: PaperGame | None
    wrong: dict[str, str]

    @property
    def confirmation(self) -> str:
        """The game as JSON; the page sends it back to confirm that it has shown this game."""
        return "" if self.game is None else json.dumps(self.game, default=str)

    @property
    def shown(self) -> list[EntryRow]:
        """Rows that the page shows unfolded."""
        return [row for row in self.rows if row.player or row.is_somebody][:MAX_UNFOLDED_ROWS]

    @property
    def folded(self) -> list[EntryRow]:
        """Rows of players beyond `MAX_UNFOLDED_ROWS`, which the page shows folded."""
        return [row for row in self.rows if row.player or row.is_somebody][MAX_UNFOLDED_ROWS:]

    @property
    def new(self) -> list[EntryRow]:
        """Rows for players who are new to the group."""
        return [row for row in self.rows if not row.player and not row.is_somebody]


def empty_form(group: Group, day: str, level: str) -> EntryFormState:
    """Return the form for a new game, filled in with the day and level of the previous game."""
    other = "" if level in shipped_levels() else level
    level = level if level in shipped_levels() else ""
    return EntryFormState(day, level, other, _rows(group, {}), None, {})


def form_of(game: GroupGame) -> EntryFormState:
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
    return EntryFormState(str(game.evening), level, other, _rows(game.group, sent, game), None, {})


def read_form(
    group: Group, sent: Mapping[str, str], game: GroupGame | None = None
) -> EntryFormState:
    """Validate the form's input; ``game`` is the one that is corrected, if any."""
    rows = _rows(group, sent, game)
    wrong: dict[str, str] = {}
    day = _read_day(sent.get("day", ""), wrong)
    other = clean_name(sent.get("other", ""))[:60]
    level = sent.get("level", "") if sent.get("level", "") in shipped_levels() else ""
    typed_results = _typed_results(group, rows, wrong)
    called = other or (in_language(shipped_levels()[level].name) if level else "")
    found = None
    if day and not wrong:
        try:
            found = typed_game(day, called, typed_results)
        except UndecidedWinner as undecided:
            wrong[NO_FIELD] = undecided_sentence(undecided.reason)
    return EntryFormState(sent.get("day", "")[:10], level, other, rows, found, wrong)


def _read_day(text: str, wrong: dict[str, str]) -> date | None:
    day = read_day(text)
    if day is None:
        wrong["day"] = _("On which day was it?")
    elif day > last_day():
        wrong["day"] = _("This day is yet to come.")
    return day


def _typed_results(
    group: Group, rows: Sequence[EntryRow], wrong: dict[str, str]
) -> list[tuple[str, TypedResult]]:
    """Return the name and input of each player who took part; add errors to ``wrong``."""
    typed_results: list[tuple[str, TypedResult]] = []
    for row in rows:
        points = parse_points(row.points)
        has_played = points is not None or bool(row.mark)
        if row.points and points is None:
            wrong[f"points-{row.field}"] = _("A number of points, please.")
        elif has_played and not row.name and not row.is_somebody:
            wrong[f"name-{row.field}"] = _("Who was this?")
        elif not has_played and row.name and not row.player:
            wrong[f"points-{row.field}"] = _("How many points?")
        elif has_played:
            typed_results.append((row.name, TypedResult(points, row.mark)))
    names = [name for name, _typed in typed_results]
    if twice := find_duplicate_name(identify_persons(group, names), names):
        sentence = _("“%(name)s” is in this game twice.") % {"name": twice}
        wrong[NO_FIELD] = mark_names(sentence, [twice])
    if len(typed_results) > MAX_PLAYERS:
        wrong[NO_FIELD] = _("At most six play in one game.")
    if not typed_results and not wrong:
        wrong[NO_FIELD] = _("Type the points of everyone who played.")
    return typed_results


def undecided_sentence(reason: str) -> str:
    """Return the error message for a reason of `UndecidedWinner`."""
    if reason == "alone":
        return _("Type the points of a game alone.")
    if reason == "beaten":
        return _("Another player has more points than the winner.")
    return _("Who won? Type all points, or say who won.")


def _field_of(one: GroupResult) -> str:
    """Return the suffix of the form fields for a result of the game that is corrected."""
    return f"{one.player.number}" if one.player else f"somebody-{one.seat}"


def _rows(group: Group, sent: Mapping[str, str], game: GroupGame | None = None) -> list[EntryRow]:
    results = list(game.results.select_related("player", "typed")) if game else []
    results_by_player = {one.player_id: one for one in results}
    is_wanted = Q(is_retired=False) | Q(pk__in=[pk for pk in results_by_player if pk])
    people = group.players.filter(is_wanted, merged_into=None)
    latest = people.annotate(last=Max("results__played"))
    known = list(latest.order_by(F("last").desc(nulls_last=True), "number"))
    known.sort(key=lambda one: one.pk not in results_by_player)

    def row(
        field: str, player: GroupPlayer | None, name: str, *, is_somebody: bool = False
    ) -> EntryRow:
        points, mark = sent.get(f"points-{field}", ""), sent.get(f"mark-{field}", "")
        mark = mark if mark in (WON, LOST) else ""
        return EntryRow(field, player, name, points.strip()[:6], mark, is_somebody)

    rows = [row(_field_of(one), None, "", is_somebody=True) for one in results if not one.player]
    for one in known:
        # The row keeps the name that was typed, although its player has been merged since.
        typed = results_by_player[one.pk].typed if one.pk in results_by_player else None
        rows.append(row(f"{one.number}", one, (typed or one).name))
    for number in range(1, max(MIN_NEW_ROWS, MAX_PLAYERS - len(known)) + 1):
        field = f"new-{number}"
        name = clean_name(sent.get(f"name-{field}", ""))[:NAME_LENGTH]
        rows.append(row(field, None, name))
    return rows

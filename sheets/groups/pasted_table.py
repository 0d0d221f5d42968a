"""Parser for pasted tables of old games: a row for each game, a column for each player."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy

from sheets.groups.dates import DayColumn, read_days
from sheets.groups.identity_keys import GameKey
from sheets.groups.paper_games_import import (
    MAX_POINTS,
    PaperGame,
    find_duplicate_name,
    identify_persons,
    key_of,
    typed_game,
)
from sheets.groups.players import MAX_GROUP_PLAYERS
from sheets.groups.winners import LOST, WON, TypedResult, UndecidedWinner
from sheets.models import Group
from sheets.names.cleaning import NAME_LENGTH, clean_name, cut_name
from sheets.rules.level import MAX_PLAYERS
from sheets.text.languages import in_every_language

MAX_LINES: Final = 500
"""Maximum number of games that are read from a table."""


class FaultyLine(NamedTuple):
    """A faulty line of a table: its number from 1, its text as typed, and its first error.

    ``why`` is the kind of error, and ``what`` the text or name that it is about:

    - ``day``: a cell that is no day
    - ``weekday``: a day written with a weekday on which it does not fall
    - ``ahead``: the day is in the future
    - ``points``: a cell that is no number of points
    - ``share``: a cell that is no share of the win
    - ``no-name``: points in a column without a name
    - ``twice``: a person who is named twice
    - ``many``: too many players
    - ``empty``: no player has points
    - or the reason of `UndecidedWinner`
    """

    number: int
    line: str
    why: str
    what: str = ""


class ParsedTable(NamedTuple):
    """Parsed table: its games without duplicates, and its faulty lines.

    ``duplicate_count`` is the number of lines that repeat a game, ``skipped_count`` the number of
    lines that were not read. ``days`` has the order of day and month in which the dates were read.
    ``has_results``: it is a table of results, in which ``skipped_count`` counts games instead of
    lines.
    """

    games: list[PaperGame]
    faulty_lines: list[FaultyLine]
    duplicate_count: int = 0
    skipped_count: int = 0
    days: DayColumn = DayColumn()
    has_results: bool = False


def read_table(
    text: str, group: Group, *, is_month_first: bool = False, is_chosen: bool = False
) -> ParsedTable:
    """Parse a pasted table: its first `MAX_LINES` games, and the faulty lines among them.

    The first line has the names of the players as headings. Each further line has the day, the
    level if there is a column for it, and the totals; a player without a total did not play. Two
    columns can have the same person, but not in one game. `read_days` decides the order of day and
    month.
    """
    rows = table_rows(text)
    if not rows:
        return ParsedTable([], [])
    heads = [
        cut_name(clean_name(cell), NAME_LENGTH) for cell in rows[0].cells[: 2 + MAX_GROUP_PLAYERS]
    ]
    games: dict[GameKey, PaperGame] = {}
    duplicate_count = 0
    faulty_lines: list[FaultyLine] = []
    lines = rows[1:]
    has_level = _has_level(heads, [row.cells for row in lines])
    first = 2 if has_level else 1
    names = heads[first:][:MAX_GROUP_PLAYERS]
    people = identify_persons(group, names)
    days = read_days(
        [row.cells[0] for row in lines], is_month_first=is_month_first, is_chosen=is_chosen
    )
    for row, day, fault in zip(lines[:MAX_LINES], days.days, days.faults, strict=False):
        cells = row.cells[first:]
        read = [
            (name, parse_typed_result(cell))
            for name, cell in zip(names, cells, strict=False)
            if name
        ]
        typed_results = [(name, one) for name, one in read if one is not None]
        why, what = fault or _points_fault(names, cells) or ("", "")
        if not why and (who := find_duplicate_name(people, [name for name, _one in typed_results])):
            why, what = "twice", who
        if day and not why:
            level = clean_name(row.cells[1])[:60] if has_level else ""
            try:
                game = typed_game(day, level, typed_results)
            except UndecidedWinner as undecided:
                why = undecided.reason
            else:
                duplicate_count += key_of(game) in games
                games.setdefault(key_of(game), game)
        if why:
            faulty_lines.append(FaultyLine(row.number, row.line[:120], why, what[:40]))
    skipped_count = max(0, len(lines) - MAX_LINES)
    return ParsedTable(list(games.values()), faulty_lines, duplicate_count, skipped_count, days)


def _is_blank(cell: str) -> bool:
    return not cell.strip()


class TableRow(NamedTuple):
    """A row of a table: the number of its line, from 1, the line as typed, and its cells."""

    number: int
    line: str
    cells: list[str]


def table_rows(text: str) -> list[TableRow]:
    """Return the non-empty rows of a table, without empty columns at its left.

    Empty if the text is no table.
    """
    try:
        rows = [row for row in _rows(text) if not all(map(_is_blank, row.cells))]
    except csv.Error:  # a quote that never ends
        return []
    # A table may have been copied together with empty columns to its left.
    margin = min((len(list(takewhile(_is_blank, row.cells))) for row in rows), default=0)
    return [row._replace(cells=row.cells[margin:]) for row in rows]


def first_row(text: str) -> list[str]:
    """Return the cells of the first non-empty row of a table; none if there is no such row."""
    try:
        return next((row.cells for row in _rows(text) if not all(map(_is_blank, row.cells))), [])
    except csv.Error:  # a quote that never ends
        return []


def _rows(text: str) -> Iterator[TableRow]:
    """Yield the rows of a table; a row has the number of its first line. Raises csv.Error.

    Blanks at the beginning stay, because the first row often begins with an empty cell, above the
    days.
    """
    lines = list(io.StringIO(text, newline=None))
    reader = csv.reader(lines, delimiter=_delimiter(text))
    begin = 0
    for cells in reader:
        typed = "".join(lines[begin : reader.line_num]).strip("\r\n")
        yield TableRow(begin + 1, typed, cells)
        begin = reader.line_num


def _points_fault(names: Sequence[str], cells: Sequence[str]) -> tuple[str, str] | None:
    """Return the first error in the points of a line, as ``why`` and ``what`` of `FaultyLine`."""
    filled = [
        (name, cell.strip())
        for name, cell in zip_longest(names, cells, fillvalue="")
        if cell.strip()
    ]
    for name, cell in filled:
        if parse_typed_result(cell) is None:
            return "points", cell
        if not name:
            return "no-name", cell
    if len(filled) > MAX_PLAYERS:
        return "many", ""
    return None if filled else ("empty", "")


def _has_level(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the second column has levels, by its heading or by most of its cells."""
    called = {word.casefold() for word in in_every_language(gettext_lazy("Level")).values()}
    if len(heads) > 1 and heads[1].casefold() in called:
        return True
    cells = [row[1] for row in rows if len(row) > 1 and row[1].strip()]
    # A single mistyped total does not turn a column of points into one of levels.
    return 2 * sum(parse_typed_result(cell) is None for cell in cells) > len(cells)


def parse_typed_result(cell: str) -> TypedResult | None:
    """Read a cell such as "44", "won" or "44 won", in any language; None if it is none of these.

    All words for a win or a defeat on the pages of groups count.
    """
    rest, _space, word = cell.strip().rpartition(" ")
    won = (gettext_lazy("won"), gettext_lazy("Won"), gettext_lazy("Winner"))
    labels = {WON: won, LOST: (gettext_lazy("lost"), gettext_lazy("Played"))}
    words = {
        word.casefold(): mark
        for mark, shown in labels.items()
        for label in shown
        for word in in_every_language(label).values()
    }
    mark = words.get(word.casefold(), "")
    points = parse_points(rest if mark else cell)
    has_more = bool(rest.strip()) or not mark
    return None if has_more and points is None else TypedResult(points, mark)


def parse_points(cell: str) -> int | None:
    """Parse a number of points; None if it is none."""
    text = cell.strip().replace("−", "-")
    return int(text) if re.fullmatch(rf"-?\d{{1,{len(str(MAX_POINTS))}}}", text) else None


def _delimiter(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max("\t;,", key=first.count)

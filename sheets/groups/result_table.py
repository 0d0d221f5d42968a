"""Writer and reader for a group's results as a table (CSV)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from sheets.groups import pasted_table
from sheets.groups.dates import read_days
from sheets.groups.filters import KINDS, kind_names, level_names
from sheets.groups.game_titles import title_among
from sheets.groups.identity_keys import GameKey
from sheets.groups.paper_games_import import (
    PaperGame,
    find_duplicate_name,
    find_known_games,
    identify_persons,
    key_of,
)
from sheets.groups.pasted_table import (
    MAX_LINES,
    FaultyLine,
    ParsedTable,
    TableRow,
    first_row,
    table_rows,
)
from sheets.groups.statistics import BATCH_SIZE
from sheets.groups.winners import Rank, rank_all
from sheets.models import Group, GroupResult
from sheets.names.cleaning import NAME_LENGTH, clean_name, cut_name
from sheets.rules.level import MAX_PLAYERS
from sheets.scoring.spreadsheet import format_table, unescape_formulas
from sheets.text.languages import in_every_language, languages

COLUMNS: Final = {
    "day": gettext_lazy("Date"),
    "level": gettext_lazy("Game"),
    "player": gettext_lazy("Player"),
    "points": gettext_lazy("Points"),
    "place": gettext_lazy("Place"),
    "share": gettext_lazy("Share of the win"),
    "kind": gettext_lazy("Kind"),
    "number": gettext_lazy("Game number"),
}
"""Columns of the table, with their headings."""

REQUIRED: Final = ("day", "player", "points", "share", "number")
"""Columns by which the table is recognised; the others may have been deleted."""

MAX_TITLE_LENGTH: Final = 200
"""Maximum length of the title of a level, as in the file of a group."""

POINTS: Final = re.compile(r"-?\d{1,4}")
"""Pattern of a cell with points, within the limit of the file of a group."""

PLACE: Final = re.compile(r"[1-6]")
"""Pattern of a cell with the place of a player in the game, 1 to 6."""

SHARE: Final = re.compile(r"0|1|[01]\.\d{1,10}")
"""Pattern of a cell with a share of the win, with a decimal point."""


class _Line(NamedTuple):
    """A line of the table; ``player`` is empty for a player without a name.

    ``day_fault`` is an entry of `DayColumn.faults`; if it is None, ``day`` is not.
    """

    row: TableRow
    cells: Mapping[str, str]
    day: date | None
    day_fault: tuple[str, str] | None
    player: str
    points: int | None
    share: float | None


def format_results(group: Group) -> bytes:
    """Return all results as a CSV file, one line for each result, the first game first."""
    names, kinds = level_names(group), dict(zip(KINDS, kind_names(), strict=True))
    rows: list[list[Any]] = [[str(heading) for heading in COLUMNS.values()]]
    found = GroupResult.objects.filter(game__group=group, game__is_open=False)
    for one in (
        found.select_related("game", "player")
        .order_by("game__number", "seat")
        .iterator(chunk_size=BATCH_SIZE)
    ):
        name = one.player.name if one.player else one.label or _("someone")
        points = "" if one.points is None else one.points
        day = one.game.evening.isoformat()
        columns = [day, title_among(names, one.game), name, points, one.place, round(one.won, 3)]
        rows.append([*columns, kinds.get(one.game.kind, ""), one.game.number])
    return format_table(rows).encode("utf-8-sig")


def decode_table(text: bytes) -> str:
    """Decode a file that a spreadsheet has saved; empty if its encoding is unknown."""
    encodings = ("utf-16",) if text[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            return text.decode(encoding)
        except UnicodeDecodeError:
            continue
    return ""


def is_result_table(content: bytes) -> bool:
    """Return whether a file is a table of results."""
    return _has_result_columns(_columns(first_row(decode_table(content))))


def read_table(
    text: str, group: Group, *, is_month_first: bool = False, is_chosen: bool = False
) -> ParsedTable:
    """Read a table of results in any language, or one with a column for each player.

    Of the games in a table of results that are new to the group, at most `MAX_LINES` are returned.
    The other arguments are those of `read_days`, which decides the order of day and month.
    """
    rows = table_rows(text)
    columns = _columns(rows[0].cells) if rows else {}
    if not _has_result_columns(columns):
        return pasted_table.read_table(
            text, group, is_month_first=is_month_first, is_chosen=is_chosen
        )
    lines = [
        (row, {key: _cell(row.cells, index) for key, index in columns.items()}) for row in rows[1:]
    ]
    days = read_days(
        [cells["day"] for _row, cells in lines], is_month_first=is_month_first, is_chosen=is_chosen
    )
    by_game: defaultdict[tuple[str, str], list[_Line]] = defaultdict(list)
    for (row, cells), day, day_fault in zip(lines, days.days, days.faults, strict=True):
        by_game[cells["number"], cells["day"]].append(_line(row, cells, day, day_fault))
    all_lines = [line for game_lines in by_game.values() for line in game_lines]
    people = identify_persons(group, [*{line.player: 0 for line in all_lines if line.player}])
    games: list[PaperGame] = []
    faulty_lines: list[FaultyLine] = []
    copies: Counter[GameKey] = Counter()
    for game_lines in by_game.values():
        day = game_lines[0].day
        fault = _fault(game_lines, people)
        if fault or not day:
            faulty_lines += [fault] if fault else []
        else:
            game = _game(game_lines, day)
            games.append(game._replace(copy=copies[key_of(game)]))
            copies[key_of(game)] += 1
    known = find_known_games(group, games)
    skipped = set([game for game in games if game not in known][MAX_LINES:])
    games = [game for game in games if game not in skipped]
    return ParsedTable(games, faulty_lines, 0, len(skipped), days, has_results=True)


def _columns(heads: Sequence[str]) -> dict[str, int]:
    """Return the index of each column whose heading is one of `COLUMNS`, in any language."""
    by_heading = {
        translation.casefold(): column
        for column, heading in COLUMNS.items()
        for translation in in_every_language(heading).values()
    }
    called = [by_heading.get(clean_name(head).casefold(), "") for head in heads]
    return {column: called.index(column) for column in COLUMNS if column in called}


def _has_result_columns(columns: Collection[str]) -> bool:
    return all(column in columns for column in REQUIRED)


def _line(
    row: TableRow, cells: Mapping[str, str], day: date | None, day_fault: tuple[str, str] | None
) -> _Line:
    name = cut_name(clean_name(unescape_formulas(cells["player"])), NAME_LENGTH)
    points, share = cells["points"].replace("−", "-"), cells["share"].replace(",", ".")
    return _Line(
        row,
        cells,
        day,
        day_fault,
        "" if name in _anonymous_texts() else name,
        int(points) if POINTS.fullmatch(points) else None,
        float(share) if SHARE.fullmatch(share) else None,
    )


def _fault(lines: Sequence[_Line], people: Mapping[str, int]) -> FaultyLine | None:
    """Return the first error in the lines of a game; None if there is none."""
    for line in lines:
        points, share = line.cells["points"], line.cells["share"]
        if line.day_fault:
            return _faulty_line(line, *line.day_fault)
        if points and line.points is None:
            return _faulty_line(line, "points", points)
        if share and (line.share is None or line.share > 1):
            return _faulty_line(line, "share", share)
    if len(lines) > MAX_PLAYERS:
        return _faulty_line(lines[MAX_PLAYERS], "many")
    if who := find_duplicate_name(people, [line.player for line in lines]):
        last = [line for line in lines if line.player == who][-1]
        return _faulty_line(last, "twice", who)
    if all(line.points is None and line.share is None for line in lines):
        return _faulty_line(lines[0], "empty")
    return None


def _faulty_line(line: _Line, why: str, what: str = "") -> FaultyLine:
    return FaultyLine(line.row.number, line.row.line[:120], why, what[:40])


def _game(lines: Sequence[_Line], day: date) -> PaperGame:
    cells = lines[0].cells
    kind = _kinds().get(cells.get("kind", "").casefold(), "typed")
    level = clean_name(unescape_formulas(cells.get("level", "")))[:MAX_TITLE_LENGTH]
    if kind == "tally" or level in _unknown_level_texts():
        level = ""
    totals = tuple((line.player, line.points) for line in lines)
    return PaperGame(day, level, totals, kind, _ranks(lines))


def _ranks(lines: Sequence[_Line]) -> tuple[Rank, ...]:
    """Return the rank of each player; empty if no share of the win is known."""
    if all(line.share is None for line in lines):
        return ()
    shares = [line.share or 0.0 for line in lines]
    winners = [seat for seat, share in enumerate(shares) if share]
    ranks = []
    for line, share, (by_points, equal) in zip(
        lines, shares, rank_all([line.points for line in lines], winners), strict=True
    ):
        place = line.cells.get("place", "")
        # The table rounds shares, such as a third.
        won = equal if abs(share - equal) < 0.01 else share
        ranks.append((int(place) if PLACE.fullmatch(place) else by_points, won))
    return tuple(ranks)


@cache
def _kinds() -> dict[str, str]:
    """Return the kinds of games by their names in any language, in lower case."""
    found: dict[str, str] = {}
    for language in languages():
        with override(language):
            found |= zip(map(str.casefold, kind_names()), KINDS, strict=True)
    return found


@cache
def _anonymous_texts() -> Collection[str]:
    """Return the texts for an anonymous player in the table, in all languages."""
    return set(in_every_language(gettext_lazy("someone")).values())


@cache
def _unknown_level_texts() -> Collection[str]:
    """Return the texts for a game without a known level in the table, in all languages."""
    return set(in_every_language(gettext_lazy("Game")).values())


def _cell(cells: Sequence[str], index: int) -> str:
    return " ".join(cells[index].split()) if index < len(cells) else ""

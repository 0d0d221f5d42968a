"""Legend of a level: its symbols, lines and areas, their effects and points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.artwork import svg
from sheets.artwork.compose import field_group
from sheets.artwork.drawings import symbol_id
from sheets.rules import Field, Level, Line
from sheets.rules.level import parse_column
from sheets.rules.symbols import SYMBOLS, Pays
from sheets.texts.points import in_points
from sheets.texts.symbols import line_name, symbol_name

_ORDER = tuple(SYMBOLS)
"""Order of symbols in the legend."""

_EFFECTS = {
    "key": gettext_lazy("opens every lock of its colour, from the next pass on"),
    "lock": gettext_lazy("takes a die once its key was crossed in an earlier pass"),
    "rocket": gettext_lazy("crosses a planet of your choice when the pass ends"),
    "rocket-planet": gettext_lazy("a rocket that other rockets can reach"),
    "planet": gettext_lazy("can be crossed by a rocket from anywhere"),
    "volcano": gettext_lazy("turns the fields around it into lava, pass by pass"),
}
"""Effect of each symbol that does not pay, as the rest of a sentence about it."""


class Sign(NamedTuple):
    """Entry of the legend: a symbol's drawing id, name, number on the sheet, and effect."""

    drawing: str
    group: str
    name: str
    amount: int
    sentence: str


class Pay(NamedTuple):
    """Line or area of the legend, with its points.

    ``where`` is the bit mask of its fields, from which it is drawn; 0 for a row or a column, which
    is named instead.
    """

    name: str
    points: str
    where: int = 0


def facts_of(level: Level) -> dict[str, Any]:
    """Return the context of ``levels/_facts.html`` and ``levels/_set_ups.html`` for a level."""
    return {
        "level": level,
        "legend": legend(level),
        "lines": line_pays(level),
        "areas": area_pays(level),
        "set_ups": [(n, level.dice[n], level.rounds[n]) for n in level.player_counts],
        "drawings": drawings_of(level),
    }


def legend(level: Level) -> list[Sign]:
    """Return the legend of a level's symbols; printed marks first, bridges and walls last."""
    found: dict[tuple[str, str], list[Field]] = {}
    for field in level.fields:
        if field.symbol:
            found.setdefault((field.symbol, field.colour), []).append(field)
    return [
        *_printed(level),
        *(
            Sign(
                drawing=symbol_id(symbol, colour),
                group=field_group(fields[0]),
                name=symbol_name(level, symbol, colour),
                amount=len(fields),
                sentence=str(_EFFECTS.get(symbol) or _paying(level, symbol, colour, len(fields))),
            )
            for (symbol, colour), fields in sorted(
                found.items(), key=lambda item: _ORDER.index(item[0][0])
            )
        ),
        *_joined(level),
    ]


def line_pays(level: Level) -> list[Pay]:
    """Return the level's lines and their points.

    Rows come first, from the top, then columns, from the left, then chains.
    """
    found = []
    for line in sorted(level.lines, key=_line_order):
        points = in_points(line.points)
        if line.kind == "fields":
            found.append(Pay(", ".join(level.names(line.fields)), points, line.fields))
        else:
            found.append(Pay(line_name(line.kind, line.which), points))
    return found


def _line_order(line: Line) -> tuple[int, int]:
    """Return the sort key of a line."""
    match line.kind:
        case "row":
            return 0, int(line.which)
        case "column":
            return 1, parse_column(line.which)
        case _:
            return 2, 0


def area_pays(level: Level) -> list[Pay]:
    """Return the level's bordered areas and their points."""
    found = []
    for area in level.areas:
        name = ", ".join(level.names(area.fields))
        if area.race:
            numbers = _format_track(level, area.race)
            points = _("a race for %(numbers)s") % {"numbers": numbers}
        else:
            points = in_points(area.points)
        found.append(Pay(name, points, area.fields))
    return found


def _format_track(level: Level, numbers: tuple[int, ...]) -> str:
    """Return a track's numbers, with dots behind a last number that is never struck off."""
    return "-".join(map(str, numbers)) + ("-…" if level.repeat_last else "")


def _printed(level: Level) -> Iterator[Sign]:
    if count := sum(field.printed for field in level.fields):
        yield Sign(
            "cross-print", "", _("printed cross"), count, _("This is where you set out from.")
        )
    if level.printed_tracks:
        shape = sorted(level.printed_tracks.values())[0]
        yield Sign(
            f"track-{shape}-print",
            "",
            _("printed track"),
            len(level.printed_tracks),
            _("This is where you set out from; it counts like your own."),
        )


def _joined(level: Level) -> Iterator[Sign]:
    """Yield the entries on bridges, which join fields, and walls, which separate them."""
    if level.links:
        sentence = _("The fields at both ends are neighbours as if they touched.")
        yield Sign("sign-link", "", _("bridge"), len(level.links), sentence)
    if level.walls:
        sentence = _("The fields on both sides are no neighbours.")
        yield Sign("sign-wall", "", _("wall"), len(level.walls), sentence)


def _paying(level: Level, symbol: str, colour: str, count: int) -> str:
    pays = SYMBOLS[symbol].pays
    if pays is Pays.TRACK:
        return _("%(numbers)s points: the sooner, the more") % {
            "numbers": _format_track(level, level.flag_tracks[colour])
        }
    amount = level.points_by_colour[symbol][colour] if colour else level.points[symbol]
    if pays is Pays.ALL:
        if count == 2:
            return _("%(points)s when both are crossed") % {"points": in_points(amount)}
        return ngettext(
            "%(points)s when it is crossed", "%(points)s when all %(count)s are crossed", count
        ) % {"points": in_points(amount), "count": count}
    match pays:
        case Pays.EACH:
            sentence = _("%(points)s each") if colour else _("%(points)s when crossed")
        case Pays.EXPLODED:
            sentence = _("%(points)s when it explodes; on your own 2 points when crossed")
        case Pays.ON_LOOP:
            sentence = _("%(points)s when it lies on a loop")
        case _:
            raise ValueError(f"{symbol} needs a sentence of its own")
    return sentence % {"points": in_points(amount)}


def drawings_of(*levels: Level) -> set[str]:
    """Return the ids of all drawings in the sheets, legends and difficulty dice of the levels."""
    ids = {id for level in levels for id in svg.sheet_ids(level)}
    ids |= {sign.drawing for level in levels for sign in legend(level)}
    ids |= {f"die-{level.difficulty}" for level in levels if level.difficulty}
    return {id for id in ids if not id.startswith("open-lock")}

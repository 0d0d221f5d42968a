"""Legend of a level: its symbols, lines and areas, their effects and points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sheets.art import svg
from sheets.art.drawings import symbol_id
from sheets.art.field_contents import field_group
from sheets.rules import Field, Level, Line
from sheets.rules.level import parse_column
from sheets.rules.symbols import SYMBOLS, Pays
from sheets.text.points import format_points
from sheets.text.symbols import line_name, symbol_name

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
"""Effect of each symbol that does not pay, in words that follow the name of the symbol."""


class LegendSymbol(NamedTuple):
    """Entry of the legend for a symbol.

    ``drawing`` is its id in the page's sprite, ``group`` its colour group (`field_group`),
    ``amount`` how often the level has it, and ``sentence`` its effect.
    """

    drawing: str
    group: str
    name: str
    amount: int
    sentence: str


class LegendGoal(NamedTuple):
    """Entry of the legend for a line or an area, with its points.

    ``where`` is the bit mask of its fields, which the legend draws; 0 for a row or a column, for
    which the name is enough.
    """

    name: str
    points: str
    where: int = 0


def legend_context(level: Level) -> dict[str, Any]:
    """Return the context of ``levels/_facts.html`` and ``levels/_set_ups.html`` for a level."""
    return {
        "level": level,
        "legend": legend(level),
        "lines": legend_lines(level),
        "areas": legend_areas(level),
        "set_ups": [(n, level.dice[n], level.rounds[n]) for n in level.player_counts],
        "drawings": drawing_ids(level),
    }


def legend(level: Level) -> list[LegendSymbol]:
    """Return the legend of a level's symbols; printed marks first, bridges and walls last."""
    found: dict[tuple[str, str], list[Field]] = {}
    for field in level.fields:
        if field.symbol and level.by_symbol[field.symbol]:  # a house rule can remove the bombs
            found.setdefault((field.symbol, field.colour), []).append(field)
    return [
        *_printed(level),
        *(
            LegendSymbol(
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
        *_links_and_walls(level),
    ]


def legend_lines(level: Level) -> list[LegendGoal]:
    """Return the level's lines and their points.

    Rows come first, from the top, then columns, from the left, then chains.
    """
    found = []
    for line in sorted(level.lines, key=_line_order):
        points = format_points(line.points)
        if line.kind == "fields":
            found.append(LegendGoal(", ".join(level.names(line.fields)), points, line.fields))
        else:
            found.append(LegendGoal(line_name(line.kind, line.which), points))
    return found


def _line_order(line: Line) -> tuple[int, int]:
    """Return the sort key of a line in the order of `legend_lines`."""
    match line.kind:
        case "row":
            return 0, int(line.which)
        case "column":
            return 1, parse_column(line.which)
        case _:
            return 2, 0


def legend_areas(level: Level) -> list[LegendGoal]:
    """Return the level's bordered areas and their points."""
    found = []
    for area in level.areas:
        name = ", ".join(level.names(area.fields))
        if area.race:
            numbers = _format_track(level, area.race)
            points = _("a race for %(numbers)s") % {"numbers": numbers}
        else:
            points = format_points(area.points)
        found.append(LegendGoal(name, points, area.fields))
    return found


def _format_track(level: Level, numbers: tuple[int, ...]) -> str:
    """Format the numbers of a number track, with dots after a last number that never runs out."""
    return "-".join(map(str, numbers)) + ("-…" if level.repeat_last else "")


def _printed(level: Level) -> Iterator[LegendSymbol]:
    if count := sum(field.printed for field in level.fields):
        yield LegendSymbol(
            "cross-print", "", _("printed cross"), count, _("This is where you set out from.")
        )
    if level.printed_tracks:
        shape = sorted(level.printed_tracks.values())[0]
        yield LegendSymbol(
            f"track-{shape}-print",
            "",
            _("printed track"),
            len(level.printed_tracks),
            _("This is where you set out from; it counts like your own."),
        )


def _links_and_walls(level: Level) -> Iterator[LegendSymbol]:
    """Yield the entries on bridges, which join fields, and walls, which separate them."""
    if level.links:
        sentence = _("The fields at both ends are neighbours as if they touched.")
        yield LegendSymbol("sign-link", "", _("bridge"), len(level.links), sentence)
    if level.walls:
        sentence = _("The fields on both sides are no neighbours.")
        yield LegendSymbol("sign-wall", "", _("wall"), len(level.walls), sentence)


def _paying(level: Level, symbol: str, colour: str, count: int) -> str:
    pays = SYMBOLS[symbol].pays
    if pays is Pays.TRACK:
        return _("%(numbers)s points: the sooner, the more") % {
            "numbers": _format_track(level, level.flag_tracks[colour])
        }
    amount = level.points_by_colour[symbol][colour] if colour else level.points[symbol]
    if pays is Pays.ALL:
        if count == 2:
            return _("%(points)s when both are crossed") % {"points": format_points(amount)}
        return ngettext(
            "%(points)s when it is crossed", "%(points)s when all %(count)s are crossed", count
        ) % {"points": format_points(amount), "count": count}
    match pays:
        case Pays.EACH:
            sentence = _("%(points)s each") if colour else _("%(points)s when crossed")
        case Pays.EXPLODED:
            sentence = _("%(points)s when it explodes; on your own 2 points when crossed")
        case Pays.ON_LOOP:
            sentence = _("%(points)s when it lies on a loop")
        case _:
            raise ValueError(f"{symbol} needs a sentence of its own")
    return sentence % {"points": format_points(amount)}


def drawing_ids(*levels: Level) -> set[str]:
    """Return the ids of all drawings in the sheets, legends and difficulty dice of the levels."""
    ids = {id for level in levels for id in svg.sheet_ids(level)}
    ids |= {sign.drawing for level in levels for sign in legend(level)}
    ids |= {f"die-{level.difficulty}" for level in levels if level.difficulty}
    return {id for id in ids if not id.startswith("open-lock")}

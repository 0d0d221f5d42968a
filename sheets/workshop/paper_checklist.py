"""Checklist for the comparison of a level with its paper sheet, apart from the squares of the grid.

The ``key`` of an item is a digest of its kind and its appearance. If the user changes it later, it
gets another key, and so loses its tick until the user has compared it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sheets.art.layout import format_amount
from sheets.rules.level import DICE, RATINGS, ROUNDS, parse_field
from sheets.rules.symbols import PAYING
from sheets.text.design_warnings import name_fields
from sheets.text.labels import with_label
from sheets.text.points import format_points
from sheets.text.symbols import plain_symbol_name
from sheets.workshop.draft import Document, Draft, entry_fields, in_reading_order, kinds
from sheets.workshop.guide import STEPS

QUARTERS: Final[Mapping[float, str]] = {0.25: "¼", 0.5: "½", 0.75: "¾"}
"""Notation of the fractions of a field by which a row can be shifted."""


class ChecklistItem(NamedTuple):
    """A property of the sheet to tick off.

    ``fields`` are the fields to highlight. ``step`` is the step of the guide in which the user
    corrects the property. ``opens`` is the part to open in that step: ``edge row 2``, ``chain 0``,
    ``area 1``, ``field a2``, or an input such as ``#points-Gy``.
    """

    key: str
    step: str
    sentence: str
    fields: tuple[str, ...] = ()
    opens: str = ""

    @property
    def group(self) -> str:
        """Heading above the item: the title of the step in which the property was entered."""
        return str(STEPS[self.step].title)


class _UnkeyedItem(NamedTuple):
    """A checklist item without a key; ``looks`` is its appearance on the paper, as JSON data."""

    step: str
    looks: Any
    sentence: str
    fields: Collection[str] = ()
    opens: str = ""


def find_checklist_items(document: Document) -> list[ChecklistItem]:
    """Return all items to compare, in the order of the steps in which they were entered."""
    draft = Draft(document)
    found = [found for part in _PARTS for found in part(draft)]
    return [
        ChecklistItem(_key(one), one.step, one.sentence, _in_order(one.fields), one.opens)
        for one in found
    ]


def _key(found: _UnkeyedItem) -> str:
    text = json.dumps([found.step, found.looks, _in_order(found.fields)], sort_keys=True)
    return sha256(text.encode()).hexdigest()[:16]


def _in_order(fields: Collection[str]) -> tuple[str, ...]:
    return tuple(in_reading_order(fields))


def _shifts(draft: Draft) -> Iterator[_UnkeyedItem]:
    for row, by in enumerate(draft.parts.get("shifts", ()), start=1):
        if not by:
            continue
        right, left = (
            _("Row %(row)d: moved to the right by %(by)s of a field"),
            _("Row %(row)d: moved to the left by %(by)s of a field"),
        )
        sentence = (right if by > 0 else left) % {"row": row, "by": QUARTERS[abs(by)]}
        fields = {name for name in draft.names if parse_field(name)[1] + 1 == row}
        yield _UnkeyedItem("shifts", [row, by], sentence, fields, f"field a{row}")


def _pairs(draft: Draft) -> Iterator[_UnkeyedItem]:
    for kind, sentence in (
        ("links", _("Bridge between %(first)s and %(second)s")),
        ("walls", _("Wall between %(first)s and %(second)s")),
    ):
        for pair in draft.parts.get(kind, ()):
            yield _UnkeyedItem(
                "pairs", kind, sentence % {"first": pair[0], "second": pair[1]}, pair
            )


def _lines(draft: Draft) -> Iterator[_UnkeyedItem]:
    lines = draft.parts.get("lines", [])
    chains = 0
    for line in lines:
        points = format_points(line["points"])
        if "row" in line:
            words = _("Row %(row)s: %(points)s") % {"row": line["row"], "points": points}
            opens = f"edge row {line['row']}"
        elif "column" in line:
            column = line["column"]
            words = _("Column %(column)s: %(points)s") % {"column": column, "points": points}
            opens = f"edge column {column}"
        else:
            fields = name_fields(tuple(line["fields"]))
            words = _("Chain %(fields)s: %(points)s") % {"fields": fields, "points": points}
            opens = f"chain {chains}"
            chains += 1
        yield _UnkeyedItem("arrows", line, words, entry_fields(draft, line), opens)
    words = ngettext(
        "%(count)d arrow in all, and no other on the paper",
        "%(count)d arrows in all, and no other on the paper",
        len(lines),
    )
    yield _UnkeyedItem("arrows", len(lines), words % {"count": len(lines)})


def _areas(draft: Draft) -> Iterator[_UnkeyedItem]:
    areas = draft.parts.get("areas", [])
    for i, area in enumerate(areas):
        fields = name_fields(tuple(area["fields"]))
        if "race" in area:
            step = "races"
            numbers = _numbers_of(area["race"])
            words = _("Race for %(fields)s: %(numbers)s") % {"fields": fields, "numbers": numbers}
        else:
            step = "areas"
            points = format_points(area.get("points", 0))
            words = _("Area %(fields)s: %(points)s") % {"fields": fields, "points": points}
        yield _UnkeyedItem(step, area, words, area["fields"], f"area {i}")
    words = ngettext(
        "%(count)d border in all, and no other on the paper",
        "%(count)d borders in all, and no other on the paper",
        len(areas),
    )
    yield _UnkeyedItem("areas", len(areas), words % {"count": len(areas)})


def _points(draft: Draft) -> Iterator[_UnkeyedItem]:
    points = draft.parts.get("points", {})
    for kind in kinds(draft):
        symbol, _sep, colour = kind.partition(" ")
        amount = points.get(symbol)
        if colour:
            amount = (amount or {}).get(colour)
        # Missing amounts are among the errors (`find_errors`).
        if symbol not in PAYING or amount is None:
            continue
        places = {name: square.symbol for name, square in draft.places() if square.kind == kind}
        what = plain_symbol_name(symbol, colour)
        pays = _numbers_of(amount) if isinstance(amount, list) else format_points(amount)
        sentence = with_label(what[:1].upper() + what[1:], pays)
        opens = f"#points-{next(iter(places.values()))}"
        yield _UnkeyedItem("points", [kind, amount], sentence, places, opens)
    is_ranked = "flag" in points or any("race" in area for area in draft.parts.get("areas", ()))
    if is_ranked:
        is_kept = bool(draft.parts.get("repeat_last"))
        sentence = (
            _("The last number of a flag or race is never used up")
            if is_kept
            else _("The last number of a flag or race is struck off like all others")
        )
        yield _UnkeyedItem("points", ["last", is_kept], sentence, (), "#repeat-last")


def _counts(draft: Draft) -> Iterator[_UnkeyedItem]:
    dice = {str(players): count for players, count in DICE.items()} | draft.parts.get("dice", {})
    rounds = {str(players): count for players, count in ROUNDS.items()}
    rounds |= draft.parts.get("rounds", {})
    for players in sorted({*dice} & {*rounds}):
        sentence = _("%(players)s: %(dice)s, %(rounds)s") % {
            "players": _counted(
                ngettext("%(count)d player", "%(count)d players", int(players)), int(players)
            ),
            "dice": _counted(
                ngettext("%(count)d die", "%(count)d dice", dice[players]), dice[players]
            ),
            "rounds": _counted(
                ngettext("%(count)d round", "%(count)d rounds", rounds[players]), rounds[players]
            ),
        }
        looks = [players, dice[players], rounds[players]]
        yield _UnkeyedItem(
            "counts", looks, sentence, (), f"[data-count=dice][data-players='{players}']"
        )
    totals = list(draft.parts.get("ratings") or RATINGS)
    words = _("Grades from these points: %(totals)s") % {"totals": ", ".join(map(str, totals))}
    yield _UnkeyedItem("counts", totals, words, (), "[data-grade='1']")


def _counted(words: str, count: int) -> str:
    return words % {"count": count}


def _numbers_of(numbers: list[int]) -> str:
    return " · ".join(map(format_amount, numbers))


_PARTS: Final[tuple[Callable[[Draft], Iterator[_UnkeyedItem]], ...]] = (
    _shifts,
    _pairs,
    _lines,
    _areas,
    _points,
    _counts,
)
"""Functions that yield the items of each part of a level, in the order of the steps."""

"""Examples of rules: small sheets, drawn like those of levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from sheets.rules import Level, parse_level

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Example(NamedTuple):
    """Sheet that shows a rule.

    ``document`` is a level's document without id and name. ``marks`` and ``ringed``, the fields
    with a ring, are arguments of `sheets.art.svg.draw_sheet`. ``caption`` is the text below
    the drawing, ``description`` its text alternative for screen readers.
    """

    document: Mapping[str, Any]
    marks: Mapping[str, Sequence[str]]
    ringed: tuple[str, ...]
    caption: _StrPromise
    description: _StrPromise


_CORNER: Final = ["2 5 3 {} 6", "1x 4x 2 3 5B", "6 1 5 2 4"]
"""Grid with a field to insert: the corner e1 has two neighbours, this field and a bomb."""

EXAMPLES: Final[Mapping[str, Example]] = {
    "first-die": Example(
        {"grid": ["2 5 3", "6 4x 1", "3 2 6"]},
        {},
        ("b1", "a2", "c2", "b3"),
        _("The first die may lie on any ringed field. Corners do not touch."),
        _("A cross in the middle of nine fields. The four at its edges are ringed."),
    ),
    "next-die": Example(
        {"grid": ["2 5 3 1", "6 4x 1 5", "3 2 6 4"]},
        {"c2": ("die-1",), "c3": ("die-6",)},
        ("c1", "d2", "b3", "d3"),
        _("After the 1 and the 6 it goes on beside either of them, no longer beside the cross."),
        _("A cross on b2, dice on c2 and c3. Ringed: c1 and d2 beside c2, b3 and d3 beside c3."),
    ),
    "free": Example(
        {"grid": ["4x 2 3Lr 5 6B -P 1"], "points": {"bomb": -2}},
        {"b1": ("die-2",), "d1": ("lava",), "e1": ("exploded",)},
        ("g1",),
        _(
            "From the left: cross, own die, closed lock, lava, exploded bomb, planet. Only the 1 "
            "is free."
        ),
        _("Seven fields in a row. The last one, a plain 1, is ringed."),
    ),
    "boxed-in": Example(
        {"grid": [row.format("4Lr") for row in _CORNER], "points": {"bomb": -2}},
        {"e1": ("die-6",), "e2": ("exploded",)},
        ("a1", "b1", "c2", "a3", "b3"),
        _(
            "Boxed in by two edges, a closed lock and an exploded bomb: the next die jumps to a "
            "ringed field."
        ),
        _(
            "A die in the corner on e1. d1 is a closed lock, e2 an exploded bomb. Ringed are all "
            "free fields beside the crosses on a2 and b2: a1, b1, c2, a3 and b3."
        ),
    ),
    "not-boxed-in": Example(
        {"grid": [row.format("4") for row in _CORNER], "points": {"bomb": -2}},
        {"e1": ("die-6",), "e2": ("exploded",)},
        ("d1",),
        _("Without the lock it is not boxed in: it goes on at the 4, even while no 4 comes up."),
        _("The same sheet, but d1 is a free 4. It alone is ringed."),
    ),
    "joined": Example(
        {
            "grid": ["3 4 1 5", "2 5x 2 6", "6 1 4 3"],
            "links": [["b2", "d1"]],
            "walls": [["b2", "c2"]],
        },
        {},
        ("b1", "d1", "a2", "b3"),
        _("The bridge leads from the cross to the 5; the wall keeps it from the 2 on its right."),
        _(
            "A cross on b2, a bridge from it to d1, a wall between b2 and c2. Ringed: b1, a2, b3 "
            "and d1."
        ),
    ),
    "lava": Example(
        {"grid": ["2 3 -V 3", "3 1 3 4", "5 3 6 3"]},
        {"c2": ("lava",)},
        ("b1", "d1"),
        _(
            "A 3 was rolled: lava flows to a ringed field. The other 3s touch neither volcano nor "
            "lava."
        ),
        _(
            "A volcano on c1, lava on c2 below it. The 3s on b1 and d1 are ringed, three others "
            "are not."
        ),
    ),
    "loop": Example(
        {"grid": ["3 4 1 5", "2 5 2 6", "6 1 4 3"], "marks": "tracks", "points": {}},
        {
            "a1": ("ES",),
            "b1": ("EW",),
            "c1": ("SW",),
            "a2": ("NE",),
            "b2": ("EW",),
            "c2": ("NW",),
            "c3": ("EW",),
            "d3": ("NW",),
        },
        (),
        _(
            "Six tracks close a loop: as the longest one it scores 6 × 3 points. The other two "
            "score 2."
        ),
        _(
            "A closed loop through a1, b1, c1, c2, b2 and a2; below it two tracks on c3 and d3 "
            "that go nowhere."
        ),
    ),
}
"""Example by the name that rules refer to (`chapters.Rule.example`)."""


@cache
def example_level(name: str) -> Level:
    """Return the level of an example's sheet."""
    return parse_level({"id": f"example-{name}", "name": name, **EXAMPLES[name].document})

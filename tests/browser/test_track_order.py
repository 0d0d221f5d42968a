"""Order in which the script of a scored sheet offers tracks, compared with the server's order.

Without a network the script ranks them by the marks on this device.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any, Final

from sheets.documents import structure
from sheets.levels import find_level
from sheets.rules import Level
from sheets.rules.level import EDGES, SHAPES, format_field
from sheets.scoring import store
from sheets.scoring.marks import field_values, only_shape, rank_shapes
from tests.browser.conftest import NewContext
from tests.score_levels import RAILS, sheets_document

LEVELS: Final = 3
"""Number of random levels."""

SHEETS: Final = 40
"""Number of sheets of each level."""

COLUMNS: Final = 5
"""Number of columns of a level."""

ROWS: Final = 4
"""Number of rows of a level."""

SCRIPT = """async ([sheets, fields]) => {
    const { onlyShape, rankShapes } = await import("/static/sheets/score/taps.js");
    return [rankShapes, onlyShape].map((asked) =>
        sheets.map((marks) => fields.map((at) => asked(marks, at))));
}"""
"""Script that ranks the tracks for fields of sheets."""


def random_rail_level(random: Random) -> dict[str, Any]:
    """Return a rail level with holes, walls and printed tracks."""
    places = [(column, row) for row in range(ROWS) for column in range(COLUMNS)]
    fields = {place for place in places if random.random() < 0.85}
    walls = [
        [format_field(column, row), format_field(column + right, row + down)]
        for column, row in places
        for right, down in (EDGES["E"], EDGES["S"])
        if {(column, row), (column + right, row + down)} <= fields and random.random() < 0.15
    ]
    grid = [["1" if (x, y) in fields else "." for x in range(COLUMNS)] for y in range(ROWS)]
    tracks = {
        format_field(*place): random.choice(SHAPES) for place in random.sample(sorted(fields), 3)
    }
    rows = [" ".join(row) for row in grid]
    return RAILS | {"grid": rows, "tracks": tracks, "walls": walls, "points": {}}


def random_tracks(random: Random, level: Level) -> dict[str, str]:
    """Return random tracks on some of the fields without printed ones."""
    much = random.random()
    free = [field.name for field in level.fields if field_values(level, field.name)]
    return {at: random.choice(SHAPES) for at in free if random.random() < much}


def test_script_and_server_rank_tracks_alike(live_app: str, new_context: NewContext) -> None:
    page = new_context().new_page()
    for seed in range(LEVELS):
        random = Random(seed)
        text = json.dumps(
            sheets_document(random_rail_level(random), {"player": "Ana"}, {"player": "Ben"})
        )
        paper = structure.read_sheets(text.encode(), find_level)
        level = paper.level
        page.goto(f"{live_app}/score/{store.create_from_paper(paper)}/1/")
        sheets = [random_tracks(random, level) for _ in range(SHEETS)]
        fields = [field.name for field in level.fields]
        ranked, only = page.evaluate(SCRIPT, [sheets, fields])
        assert ranked == [[rank_shapes(level, marks, at) for at in fields] for marks in sheets]
        assert only == [[only_shape(level, marks, at) for at in fields] for marks in sheets]
        assert {"", "ES", "NW"} < {shape for found in only for shape in found}
        # The order differs between fields, because it depends on their neighbours.
        assert {shapes[0] for found in ranked for shapes in found} == set(SHAPES)

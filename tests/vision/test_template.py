"""Tests of templates: storage and alignment to a level."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from sheets.rules import parse_level
from sheets.rules.level import Level
from sheets.vision.pads.empty_sheet_reading import EmptySheetReading, read_empty_sheet
from sheets.vision.pads.template import (
    MAX_BYTES,
    Template,
    TemplateError,
    align,
    fits,
    grid_positions,
    make_template,
)
from tests.vision.empty_sheet_shots import take_empty_sheet


@pytest.fixture(scope="module")
def sheet() -> EmptySheetReading:
    """Return the reading of an empty sheet."""
    return read_empty_sheet(take_empty_sheet(3).shot.jpeg)


@pytest.fixture(scope="module")
def template(sheet: EmptySheetReading) -> Template:
    """Return its template."""
    return make_template(sheet)


def level_of(sheet: EmptySheetReading, columns: int = 0, rows: int = 0) -> Level:
    """Return the level of a sheet, with additional columns and rows before all others."""
    digits = {
        (ord(one.name[0]) - 97 + columns, int(one.name[1:]) - 1 + rows): one.digit or "-"
        for one in sheet.fields
    }
    wide, high = (max(at[i] for at in digits) + 1 for i in (0, 1))
    document: dict[str, Any] = {
        "format": "dizzle-level/1",
        "id": "own",
        "name": "Own",
        "grid": [" ".join(str(digits.get((x, y), ".")) for x in range(wide)) for y in range(high)],
    }
    if any(sheet.shifts):
        document["shifts"] = [0.0] * rows + list(sheet.shifts)
    return parse_level(document)


def test_a_template_survives_a_round_trip(template: Template) -> None:
    data, layout = template.to_parts()
    assert len(data) <= MAX_BYTES
    back = Template.from_parts(data, json.loads(json.dumps(layout)))
    assert np.array_equal(back.picture, template.picture)
    assert (back.first, back.field_px, back.inner) == (
        template.first, template.field_px, template.inner,
    )  # fmt: skip
    assert back.digits == template.digits


def test_the_template_shows_each_field_at_its_position(
    sheet: EmptySheetReading, template: Template
) -> None:
    rectified = sheet.rectified
    assert rectified
    for one, position in zip(sheet.fields[::7], sheet.positions[::7], strict=True):
        at = grid_positions(level_of(sheet))[one.name]
        x, y = (round(v - template.field_px / 2) for v in template.centre(at))
        kept = template.picture[y : y + 64, x : x + 64].astype(float)
        assert np.abs(kept - rectified.crop(position)).mean() < 6, "WebP changes that much at most"


@pytest.mark.parametrize(("columns", "rows"), [(0, 0), (1, 0), (0, 1), (2, 3)])
def test_alignment_follows_added_columns_and_rows(
    sheet: EmptySheetReading, template: Template, columns: int, rows: int
) -> None:
    level = level_of(sheet, columns, rows)
    moved = align(template, level)
    assert moved
    assert set(moved.digits) == set(grid_positions(level).values())
    before, after = template.centre((0, 0)), moved.centre((columns, rows))
    assert after == pytest.approx(before)


def test_a_template_does_not_fit_a_level_of_another_shape(template: Template) -> None:
    other = level_of(read_empty_sheet(take_empty_sheet(1).shot.jpeg))
    assert not fits(template, other)


def test_invalid_parts_are_refused(template: Template) -> None:
    data, layout = template.to_parts()
    png = b"\x89PNG\r\n\x1a\n" + bytes(200)
    wrong: list[tuple[bytes, dict[str, Any]]] = [
        (png, layout),
        (data[:200], layout),
        (data[:20], layout),
        (data, layout | {"more": 1}),
        (data, layout | {"field_px": 0}),
        (data, layout | {"first": [float("nan"), 0.0]}),
        (data, layout | {"places": []}),
        (data, layout | {"places": [[0.1, 0, 1]]}),
        (data, layout | {"places": [[0.0, 0, 1], [0.0, 0, 2]]}),
        (data, {name: layout[name] for name in layout if name != "inner"}),
    ]
    for some, what in wrong:
        with pytest.raises(TemplateError):
            Template.from_parts(some, what)

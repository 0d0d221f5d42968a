"""What is kept of a photo of an empty sheet: it comes back whole, and follows the level's names."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from sheets.rules import parse_level
from sheets.rules.level import Level
from sheets.scanning.unknown.reading import NewSheet, read_new
from sheets.scanning.unknown.template import (
    MOST_BYTES,
    Template,
    TemplateError,
    align,
    fits,
    make_template,
    places_of,
)
from tests.scanning.unknown_shots import take_unknown


@pytest.fixture(scope="module")
def sheet() -> NewSheet:
    """An empty sheet, read."""
    return read_new(take_unknown(3).shot.jpeg)


@pytest.fixture(scope="module")
def template(sheet: NewSheet) -> Template:
    """What is kept of it."""
    return make_template(sheet)


def level_of(sheet: NewSheet, columns: int = 0, rows: int = 0) -> Level:
    """The level somebody enters, with so many columns and rows more before all others."""
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


def test_a_template_comes_back_whole(template: Template) -> None:
    data, layout = template.to_parts()
    assert len(data) <= MOST_BYTES
    back = Template.from_parts(data, json.loads(json.dumps(layout)))
    assert np.array_equal(back.picture, template.picture)
    assert (back.first, back.field_px, back.inner) == (
        template.first, template.field_px, template.inner,
    )  # fmt: skip
    assert back.digits == template.digits


def test_each_field_of_the_picture_is_where_it_was_seen(
    sheet: NewSheet, template: Template
) -> None:
    flat = sheet.flat
    assert flat
    for one, place in zip(sheet.fields[::7], sheet.places[::7], strict=True):
        at = places_of(level_of(sheet))[one.name]
        x, y = (round(v - template.field_px / 2) for v in template.middle(at))
        kept = template.picture[y : y + 64, x : x + 64].astype(float)
        assert np.abs(kept - flat.crop(place)).mean() < 6, "WebP changes that much at most"


@pytest.mark.parametrize(("columns", "rows"), [(0, 0), (1, 0), (0, 1), (2, 3)])
def test_names_follow_columns_and_rows_that_somebody_has_added(
    sheet: NewSheet, template: Template, columns: int, rows: int
) -> None:
    level = level_of(sheet, columns, rows)
    moved = align(template, level)
    assert moved
    assert set(moved.digits) == set(places_of(level).values())
    before, after = template.middle((0, 0)), moved.middle((columns, rows))
    assert after == pytest.approx(before)


def test_a_level_of_another_shape_has_another_template(template: Template) -> None:
    other = level_of(read_new(take_unknown(1).shot.jpeg))
    assert not fits(template, other)


def test_what_is_no_template_is_refused(template: Template) -> None:
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

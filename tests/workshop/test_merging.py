"""What a draft looks like without one change, when others have gone on since."""

from __future__ import annotations

from typing import Any

import pytest

from sheets.workshop.merging import merged

GRID = {"grid": ["3 5", "2 4"]}


@pytest.mark.parametrize(
    ("was", "now", "wanted", "found"),
    [
        pytest.param(
            {"lines": [{"row": 1, "points": 5}]},
            {"lines": [{"row": 1, "points": 5}, {"row": 2, "points": 1}]},
            {},
            {"lines": [{"row": 2, "points": 1}]},
            id="an arrow that was added goes",
        ),
        pytest.param(
            {},
            {"lines": [{"row": 1, "points": 9}]},
            {"lines": [{"row": 1, "points": 5}]},
            {"lines": [{"row": 1, "points": 9}]},
            id="somebody else has put an arrow there",
        ),
        pytest.param(
            {"areas": [{"fields": ["a1"], "points": 6}]},
            {"areas": [{"fields": ["a1", "b1"], "points": 6}]},
            {"areas": [{"fields": ["a1"], "points": 5}]},
            {"areas": [{"fields": ["a1", "b1"], "points": 6}]},
            id="an area that was changed since stays",
        ),
        pytest.param(
            {"points": {"gem": {"red": 3}}},
            {"points": {"gem": {"red": 3, "blue": 1}, "bomb": -2}},
            {},
            {"points": {"gem": {"blue": 1}, "bomb": -2}},
            id="amounts one by one",
        ),
        pytest.param(
            {"name": {"en": "Fir"}},
            {"name": {"en": "Fir", "de": "Tanne"}},
            {"name": {"en": "F"}},
            {"name": {"en": "F", "de": "Tanne"}},
            id="texts by language",
        ),
        pytest.param(
            {"shifts": [0.5, 0]},
            {"shifts": [0.5, 0.25]},
            {},
            {"shifts": [0, 0.25]},
            id="moved rows",
        ),
        pytest.param(
            {"walls": [["a1", "b1"]]}, {"walls": [["a1", "b1"]]}, {}, {}, id="nothing else happened"
        ),
        pytest.param(
            {"marks": "tracks"},
            {"marks": "tracks", "tracks": {"a1": "NS"}},
            {},
            {},
            id="tracks go with the rail level",
        ),
    ],
)
def test_what_others_did_stays(
    was: dict[str, Any], now: dict[str, Any], wanted: dict[str, Any], found: dict[str, Any]
) -> None:
    result = merged(GRID | was, GRID | now, GRID | wanted)
    del result["grid"]
    assert result == found


@pytest.mark.parametrize(
    ("was", "now", "wanted", "found"),
    [
        ("3", "3Gy", "6", "6Gy"),
        ("3Gy", "5Gy", "3", "5"),
        ("3x", "3", "3", "3"),
        ("3", "3Gy", ".", "3Gy"),
        ("-V", "-V", "4", "4"),
        ("3", "-V", "4", "-V"),
    ],
)
def test_number_and_symbol_of_a_field_are_two_things(
    was: str, now: str, wanted: str, found: str
) -> None:
    assert merged({"grid": [was]}, {"grid": [now]}, {"grid": [wanted]})["grid"] == [found]

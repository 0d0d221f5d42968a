"""Number tracks of flags and races: the players who reach them, and their numbers."""

from __future__ import annotations

import pytest

from sheets.rules import Level, blank_sheet
from sheets.rules.tracks import NumberTrack
from tests.rules.drawing import level_of, sheet_of

DRAWING = "4x 2Fr 1xFr 5Fg\n3xFb 6 1 2x"
"""A level with flags of three colours, some of them printed crossed."""

KEYS = {
    "areas": [
        {"fields": ["b2"], "points": 3},
        {"fields": ["b2", "c2", "d2"], "race": [8, 4]},
        {"fields": ["a2", "d2"], "race": [5]},
    ],
    "points": {"flag": {"red": [10, 6], "green": [3], "blue": [1], "white": [9]}},
}
"""Areas with and without a race, and the tracks of the flags."""

LEVEL = level_of(DRAWING, **KEYS)
"""The level of most tests."""


def track_of(place: str, **keys: bool) -> NumberTrack:
    return level_of(DRAWING, **KEYS, **keys).number_tracks[place]


def fields_of(level: Level, mask: int) -> str:
    return " ".join(level.names(mask))


def test_level_has_a_track_for_each_flag_colour_and_race_area_on_the_sheet() -> None:
    found = [
        (place, track.numbers, fields_of(LEVEL, track.fields), fields_of(LEVEL, track.unprinted))
        for place, track in LEVEL.number_tracks.items()
    ]
    assert found == [
        ("flag red", (10, 6), "b1 c1", "b1"),
        ("flag green", (3,), "d1", "d1"),
        ("flag blue", (1,), "a2", ""),
        ("race 1", (8, 4), "b2 c2 d2", "b2 c2"),
        ("race 2", (5,), "a2 d2", ""),
    ]
    assert [track.entry for track in LEVEL.number_tracks.values()] == ["flags"] * 3 + ["races"] * 2
    assert [track.area for track in LEVEL.number_tracks.values()] == [-1, -1, -1, 1, 2]


@pytest.mark.parametrize(
    ("place", "drawing", "by"),
    [
        ("flag red", DRAWING, ""),
        ("flag red", "4x 2FrX 1xFr 5Fg\n3xFb 6 1 2x", "b1"),
        ("flag green", "4x 2FrX 1xFr 5Fg\n3xFb 6 1 2x", ""),
        ("flag blue", "4x 2FrX 1xFr 5FgX\n3xFb 6X 1X 2x", ""),
        ("race 1", "4x 2FrX 1xFr 5FgX\n3xFb 6X 1 2x", ""),
        ("race 1", "4x 2Fr 1xFr 5Fg\n3xFb 6X 1X 2x", "b2 c2 d2"),
        ("race 2", "4x 2FrX 1xFr 5FgX\n3xFb 6X 1X 2x", ""),
    ],
)
def test_track_is_reached_by_crossing_one_flag_or_a_whole_area(
    place: str, drawing: str, by: str
) -> None:
    """Printed flags and wholly printed areas are never reached."""
    track, sheet = LEVEL.number_tracks[place], sheet_of(drawing, LEVEL)
    assert track.is_reached(sheet.crosses) == bool(by)
    assert track.takers([blank_sheet(LEVEL), sheet]) == ([1] if by else [])
    if by:
        assert fields_of(LEVEL, track.reached_fields(sheet.crosses)) == by


@pytest.mark.parametrize("place", LEVEL.number_tracks)
def test_circled_number_belongs_to_one_track(place: str) -> None:
    sheet = LEVEL.number_tracks[place].with_circled(blank_sheet(LEVEL), 7)
    found = {other: track.circled(sheet) for other, track in LEVEL.number_tracks.items()}
    assert found == dict.fromkeys(LEVEL.number_tracks) | {place: 7}


@pytest.mark.parametrize("place", ["flag red", "race 1"])
def test_numbers_are_struck_from_the_front_until_none_is_left(place: str) -> None:
    first, second = track_of(place).numbers
    assert [track_of(place).number_after(struck) for struck in range(4)] == [first, second, 0, 0]
    again = track_of(place, repeat_last=True)
    assert [again.number_after(struck) for struck in range(4)] == [first, *[second] * 3]


@pytest.mark.parametrize("place", ["flag red", "race 1"])
def test_number_0_is_possible_only_if_the_track_is_used_up(place: str) -> None:
    first, second = track_of(place).numbers
    possible = track_of(place).possible_numbers
    assert [possible(takers) for takers in (1, 2, 3)] == [(first,), (first, second),
                                                          (first, second, 0)]  # fmt: skip
    assert track_of(place, repeat_last=True).possible_numbers(3) == (first, second)

"""Names of marks: the closed list, its words, and conversion from and to sheets."""

from __future__ import annotations

from random import Random

import pytest

from sheets.rules import Game, Level, RuleViolation, Sheet, blank_sheet
from sheets.rules.documents.game import parse_game
from sheets.rules.level import bits
from sheets.rules.marks import (
    CROSSES,
    DICE,
    MARKS,
    PRINTED,
    STACKS,
    format_marks,
    marks_of,
    parse_marks,
    possible_marks,
    possible_stacks,
    printed_marks,
    read_marks,
)
from tests.rules.drawing import level_of, open_pass_of, sheet_of
from tests.rules.random_games import random_game

RAILS = {"marks": "tracks", "tracks": {"a1": "EW"}}
"""The keys of a rail level's document with a printed track on a1."""

STORED = ("cross", "exploded", "lava", "exploded-lava", "NS", "EW", "NE", "ES", "SW", "NW")
"""The words in stored scorings, and in the queues of phones that are offline."""


def test_every_stack_of_marks_has_a_unique_word_that_parses_back() -> None:
    words = [format_marks(stack) for stack in STACKS]
    assert len(set(words)) == len(words)
    assert [parse_marks(word) for word in words] == list(STACKS)


@pytest.mark.parametrize("word", ["lava-exploded", "cross-lava", "scribble", "track-NS", "die-7"])
def test_unknown_word_is_refused(word: str) -> None:
    with pytest.raises(KeyError):
        parse_marks(word)


def test_stored_words_keep_their_meaning() -> None:
    level = level_of("1x 2B -V")
    on_bomb = [format_marks(stack) for stack in possible_stacks(level, "b1")]
    tracks = [format_marks(stack) for stack in possible_stacks(level_of("1 2", **RAILS), "b1")]
    assert sorted([*on_bomb, *tracks]) == sorted(STORED)
    assert parse_marks("exploded-lava") == ("lava", "exploded")


def test_marks_in_a_stack_lie_in_the_order_of_the_list() -> None:
    for stack in STACKS:
        assert list(stack) == sorted(stack, key=MARKS.index)
    assert {mark for stack in STACKS for mark in stack} == set(MARKS)


@pytest.mark.parametrize(
    ("drawing", "keys", "at", "words"),
    [
        ("1x 2", {}, "b1", "cross"),
        ("1x 2", {}, "a1", ""),
        ("1x 2", {}, "c1", ""),
        ("1x -V", {}, "b1", ""),
        ("1x 2 -V", {}, "b1", "lava cross"),
        ("1x 2B", {}, "b1", "cross exploded"),
        ("1x 2B -V", {}, "b1", "lava cross exploded exploded-lava"),
        ("1 2", RAILS, "a1", ""),
        ("1 2", RAILS, "b1", "NS EW NE ES SW NW"),
        ("1 2B", RAILS, "b1", "NS EW NE ES SW NW exploded"),
    ],
)
def test_possible_marks_of_a_field(drawing: str, keys: dict[str, str], at: str, words: str) -> None:
    level = level_of(drawing, **keys)
    stacks = possible_stacks(level, at)
    assert [format_marks(stack) for stack in stacks] == words.split()
    assert {mark for stack in stacks for mark in stack} <= set(possible_marks(level))


def test_marks_of_a_sheet_are_listed_by_field_without_printed_ones() -> None:
    sheet = sheet_of("4x 2X 3* 5B! 6~\n1 1 1 1 -PX")
    assert marks_of(sheet, {"e2"}) == {
        "b1": ("cross",),
        "c1": ("die-3",),
        "d1": ("exploded",),
        "e1": ("lava",),
        "e2": ("rocket",),
    }
    assert marks_of(sheet)["e2"] == ("cross",)
    assert marks_of(blank_sheet(sheet.level)) == {}
    assert printed_marks(sheet.level) == {"a1": ("printed",)}


def test_a_bomb_under_lava_has_its_scribble_on_top() -> None:
    sheet = sheet_of("4x 2B!", level_of("4x 2B"))
    assert marks_of(sheet._replace(lava=sheet.exploded)) == {"b1": ("lava", "exploded")}


def test_a_die_lies_on_a_rail_level_until_its_track_is_chosen() -> None:
    game = open_pass_of("1 2*", **RAILS)
    level = game.level
    assert printed_marks(level) == {"a1": ("printed-EW",)}
    crossed = game.sheets[0].with_dice_crossed()
    assert marks_of(game.sheets[0]) == marks_of(crossed) == {"b1": ("die-2",)}
    drawn = crossed._replace(tracks={**crossed.tracks, level.index["b1"]: "NW"})
    assert marks_of(drawn) == {"b1": ("NW",)}


def moments(seed: int) -> list[Game]:
    """Return all states of a random game until it breaks a rule."""
    record = parse_game(random_game(Random(seed)))
    games = [record.start()]
    for action in record.actions:
        try:
            games.append(games[-1].apply(action))
        except RuleViolation:
            break
    return games


@pytest.mark.parametrize("seed", range(12))
def test_marks_of_random_games_are_in_the_list_and_agree_with_the_sheet(seed: int) -> None:
    seen: set[tuple[str, ...]] = set()
    for game in moments(seed):
        for sheet in game.sheets:
            marks = marks_of(sheet)
            seen.update(marks.values())
            assert list(marks) == names_of(sheet.level, marked(sheet))
            for at, stack in marks.items():
                bit = 1 << sheet.level.index[at]
                is_die = stack[-1] in DICE
                assert is_die == bool(sheet.dice & bit) or sheet.level.rails
                assert (stack[-1] in CROSSES) == bool(sheet.crosses & bit and not is_die)
                assert ("exploded" in stack) == bool(sheet.exploded & bit)
                assert ("lava" in stack) == bool(sheet.lava & bit)
                assert is_die or stack in possible_stacks(sheet.level, at)
    assert seen <= set(STACKS)
    assert not {mark for stack in seen for mark in stack} & set(PRINTED)


def marked(sheet: Sheet) -> int:
    all_marked = sheet.crosses | sheet.dice | sheet.exploded | sheet.lava
    return all_marked & ~sheet.level.printed


def names_of(level: Level, mask: int) -> list[str]:
    return [level.fields[index].name for index in bits(mask)]


@pytest.mark.parametrize("seed", range(12))
def test_sheet_is_restored_from_its_marks(seed: int) -> None:
    sheets = [sheet for sheet in moments(seed)[-1].sheets if not sheet.dice]
    for sheet in sheets:
        if sheet.level.rails and sheet.crosses != tracks_of(sheet):
            continue  # a track is still owed
        bare = sheet._replace(flags={}, races={}, is_out=False)
        assert read_marks(sheet.level, marks_of(sheet)) == bare


def tracks_of(sheet: Sheet) -> int:
    return sum(1 << index for index in sheet.tracks)

"""Design rules for the shipped levels: each in the series of eight, and in general."""

from __future__ import annotations

from collections import Counter

import pytest

from sheets.bots.loops import rectangular_loops
from sheets.levels import find_level, shipped_levels
from sheets.rules import Level, blank_sheet, format_level, parse_level, score_sheet
from sheets.rules.level import RATINGS, bits
from sheets.text.languages import languages

IDS = [f"level-{number}" for number in range(1, 9)]

every_level = pytest.mark.parametrize("level_id", sorted({*IDS, *shipped_levels()}))


def count(level: Level, symbol: str) -> int:
    return level.by_symbol[symbol].bit_count()


def reach(level: Level, start: int, closed: int = 0) -> int:
    """Return all fields that dice can reach from the start without the closed ones."""
    reached = start
    while True:
        fields = reached | level.touching(reached) & level.numbered & ~closed
        if fields == reached:
            return reached
        reached = fields


def islands(level: Level) -> list[int]:
    """Return the connected components of numbered fields without a printed mark."""
    left = level.numbered & ~reach(level, level.printed)
    groups = []
    while left:
        group = reach(level, left & -left)
        groups.append(group)
        left &= ~group
    return groups


@every_level
class TestEveryLevel:
    def test_has_a_name_and_a_story_in_every_language(self, level_id: str) -> None:
        level = find_level(level_id)
        assert set(level.name) == set(level.about) == set(languages())
        # A name can be the same word in two languages, such as "Tramway" in French.
        assert list(level.about.values()).count(level.about["en"]) == 1
        assert max(map(len, level.name.values())) <= 20
        assert level.author == "Dizzle Companion"
        assert 1 <= level.difficulty <= 5

    def test_fits_the_page_and_a_phone(self, level_id: str) -> None:
        level = find_level(level_id)
        assert level.columns <= 8
        assert level.rows <= 11
        assert 70 <= len(level.fields) <= 88

    def test_can_be_read_from_its_own_document(self, level_id: str) -> None:
        document = format_level(find_level(level_id))
        assert format_level(parse_level(document)) == document

    def test_never_has_equal_numbers_edge_to_edge(self, level_id: str) -> None:
        level = find_level(level_id)
        for number in range(1, 7):
            same = level.with_number[number]
            assert not level.names(same & level.touching(same)), number

    def test_has_every_number_about_equally_often(self, level_id: str) -> None:
        numbers = Counter(f.number for f in find_level(level_id).fields if f.number)
        assert max(numbers.values()) - min(numbers[number] for number in range(1, 7)) <= 3

    def test_can_be_crossed_completely(self, level_id: str) -> None:
        level = find_level(level_id)
        reached = level.printed
        for _ in level.fields:
            keys = level.by_colour["key"]
            closed = sum(
                locks
                for colour, locks in level.by_colour["lock"].items()
                if not keys.get(colour, 0) & reached
            )
            reached = reach(level, reached, closed)
            if reached & level.rockets:
                reached |= level.planets
        assert level.names(level.crossable & ~reached) == []

    def test_has_a_key_to_every_lock_and_a_lock_to_every_key(self, level_id: str) -> None:
        colours = find_level(level_id).by_colour
        assert set(colours["key"]) == set(colours["lock"])

    def test_has_no_destructible_field_in_a_goal(self, level_id: str) -> None:
        """A bomb in a line or area would favour the player who reaches it first: seat 1."""
        level = find_level(level_id)
        for goal in (*level.lines, *level.areas):
            assert not goal.fields & level.by_symbol["bomb"]


@pytest.mark.parametrize("level_id", IDS)
def test_all_but_the_first_have_the_default_ratings(level_id: str) -> None:
    expected = (31, 41, 51, 61, 71, 81) if level_id == "level-1" else RATINGS
    assert find_level(level_id).ratings == expected


@pytest.mark.parametrize("level_id", IDS)
def test_two_sheets_can_be_played_by_six(level_id: str) -> None:
    most = 6 if level_id in ("level-5", "level-6") else 4
    assert find_level(level_id).player_counts == tuple(range(1, most + 1))


BASICS = ["level-1", "level-2", "level-3", "level-4", "level-5", "level-6", "level-7"]


@pytest.mark.parametrize("level_id", BASICS)
def test_gems_arrows_bombs_and_puzzles_are_on_all_but_the_rails(level_id: str) -> None:
    level = find_level(level_id)
    assert list(level.points_by_colour["gem"]) == ["purple", "yellow", "orange"]
    assert set(level.by_colour["gem"]) == set(level.points_by_colour["gem"])
    assert 4 <= len(level.lines) <= 7
    assert 2 <= count(level, "bomb") <= 3
    assert len(level.by_colour["puzzle"]) >= 1


def test_level_1_has_the_basics_only() -> None:
    level = find_level("level-1")
    assert level.printed.bit_count() == 2
    assert level.points_by_colour["gem"] == {"purple": 1, "yellow": 2, "orange": 3}
    assert 4 <= len(level.lines) <= 6
    assert len(level.points_by_colour["puzzle"]) == 1
    others = {"key", "lock", "flag", "heap", "rocket", "planet", "rocket-planet", "volcano", "stop"}
    assert not any(level.by_symbol[symbol] for symbol in others)


@pytest.mark.parametrize("level_id", ["level-2", "level-3", "level-4", "level-6", "level-7"])
def test_keys_flags_heaps_and_a_second_puzzle_come_with_level_2(level_id: str) -> None:
    level = find_level(level_id)
    assert len(level.by_colour["key"]) == (3 if level_id == "level-4" else 2)
    assert len(level.by_colour["puzzle"]) == 2
    assert level.flag_tracks["red"] == (10, 6, 3, 1)
    assert count(level, "heap") >= 2


def test_level_2_has_one_flag() -> None:
    assert count(find_level("level-2"), "flag") == 1


@pytest.mark.parametrize("level_id", ["level-3", "level-4"])
def test_rockets_planets_and_areas_come_with_level_3(level_id: str) -> None:
    level = find_level(level_id)
    assert 2 <= count(level, "rocket") <= 3
    assert count(level, "planet") >= 4
    assert (level.planets & level.with_number[0]).bit_count() == 1
    assert len(level.areas) == 2


def test_level_3_has_three_start_crosses() -> None:
    assert find_level("level-3").printed.bit_count() == 3


def test_level_4_has_two_islands_for_rockets_and_flags_in_two_colours() -> None:
    level = find_level("level-4")
    assert len(islands(level)) == 2
    for island in islands(level):
        assert island.bit_count() >= 5
        assert island & level.planets
        assert island & level.by_symbol["flag"]
    assert set(level.by_colour["flag"]) == {"red", "yellow"}


def test_level_5_is_a_ring_around_an_island() -> None:
    level = find_level("level-5")
    (island,) = islands(level)
    assert level.names(island) == ["d6", "e6"]
    assert not island & ~level.planets
    # After a cut at any place, the other way round the lake remains.
    for name in ("a6", "b6"), ("g6", "h6"), ("d1", "d2", "d3"), ("d9", "d10", "d11"):
        cut = level.mask(name)
        start = level.crossable & ~island & ~cut
        assert reach(level, start & -start, cut) | cut | island == level.crossable


def test_level_6_is_divided_until_a_bridge_is_unlocked() -> None:
    level = find_level("level-6")
    south = level.mask(f.name for f in level.fields if f.row >= 6)
    locks = level.by_symbol["lock"]
    assert not reach(level, level.printed, locks) & south
    for lock in bits(locks):
        assert south & ~locks & ~reach(level, level.printed, locks & ~(1 << lock)) == 0


def test_level_7_has_volcanoes_with_room_around_them() -> None:
    level = find_level("level-7")
    volcanoes = level.by_symbol["volcano"]
    assert volcanoes.bit_count() >= 2
    assert len({level.numbers[field] for field in bits(level.touching(volcanoes))} - {0}) >= 3


def test_level_8_has_rails_and_loops_through_its_stops() -> None:
    level = find_level("level-8")
    assert level.rails
    assert 2 <= len(level.printed_tracks) <= 3
    assert count(level, "stop") >= 4
    assert count(level, "gem") >= 4
    assert len(level.by_colour["key"]) == 2
    assert not level.rockets | level.planets
    loop = max(
        rectangular_loops(level), key=lambda loop: (loop.fields & level.by_symbol["stop"]) > 0
    )
    sheet = blank_sheet(level)._replace(crosses=loop.fields, tracks=loop.shapes)
    score = score_sheet(sheet, solo=True)
    assert score.by_category["tracks"] == 3 * loop.fields.bit_count()
    assert score.by_category["stops"] >= level.points["stop"]

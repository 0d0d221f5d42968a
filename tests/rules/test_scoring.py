"""Points of a sheet by category, the fields they come from, winners and rating."""

from sheets.rules import score_sheet
from sheets.rules.game import decide
from sheets.rules.scoring import Score, find_winners, rate
from tests.rules.drawing import level_of, sheet_of


def amounts(drawing: str, category: str, **keys: object) -> list[tuple[object, ...]]:
    """Return key, points and fields of every item of one category."""
    score = score_sheet(sheet_of(drawing, **keys), solo=False)
    return [
        (item.key, item.points, item.fields) for item in score.items if item.category == category
    ]


def test_each_crossed_gem_pays_by_its_colour() -> None:
    points = {"gem": {"yellow": 3, "purple": 1}}
    assert amounts("1GyX 2Gp 3GyX 4xGp 5Gy", "gems", points=points) == [
        ("yellow", 6, ("a1", "c1")),
        ("purple", 1, ("d1",)),
    ]


def test_line_pays_only_when_every_field_of_it_is_crossed() -> None:
    lines = [{"row": 1, "points": 5}, {"column": "a", "points": 7}, {"fields": ["b2"], "points": 2}]
    drawing = "4x . 2X\n1  3X -V"
    assert amounts(drawing, "lines", lines=lines) == [
        ("row 1", 5, ("a1", "c1")),
        ("column a", 0, ("a1",)),
        ("fields 3", 2, ("b2",)),
    ]


def test_exploded_bomb_and_lava_spoil_a_line_but_a_volcano_is_not_part_of_it() -> None:
    lines = [{"row": 1, "points": 5}, {"row": 2, "points": 5}, {"row": 3, "points": 5}]
    drawing = "4x 2B!\n3X 2~\n1X -V"
    assert [points for _, points, _ in amounts(drawing, "lines", lines=lines)] == [0, 0, 5]


def test_puzzle_pays_when_all_its_pieces_are_crossed() -> None:
    assert amounts("1JgX 2JgX 3Jb 4JbX", "puzzles") == [
        ("green", 10, ("a1", "b1")),
        ("blue", 0, ("d1",)),
    ]


def test_area_pays_when_complete() -> None:
    areas = [{"fields": ["a1", "b1"], "points": 6}, {"fields": ["c1"], "points": 3}]
    assert amounts("1X 2X 3", "areas", areas=areas) == [("1", 6, ("a1", "b1")), ("2", 0, ())]


def test_missing_fields_are_named() -> None:
    score = score_sheet(sheet_of("1JgX 2Jg"), solo=False)
    assert [item.missing for item in score.items] == [("b1",)]


def test_exploded_and_lava_fields_are_spoilt_instead_of_missing() -> None:
    sheet = sheet_of("1JgX 2Jg 3B! 4Jg~ -V", lines=[{"row": 1, "points": 5}])
    found = {item.category: item for item in score_sheet(sheet, solo=False).items}
    assert (found["lines"].missing, found["lines"].spoilt) == (("b1",), ("c1", "d1"))
    assert (found["puzzles"].missing, found["puzzles"].spoilt) == (("b1",), ("d1",))


def test_open_route_pays_1_loops_2_the_longest_3_and_stops_only_on_loops() -> None:
    sheet = sheet_of(
        """
        1  1S 1  1
        1  1  1  1
        1  1  1S 1
        """,
        marks="tracks",
    )
    shapes = {
        **{"a1": "ES", "b1": "SW", "a2": "NE", "b2": "NW"},
        **{"c1": "ES", "d1": "SW", "c2": "NS", "d2": "NS", "c3": "NE", "d3": "NW"},
        **{"a3": "EW", "b3": "EW"},
    }
    index = sheet.level.index
    sheet = sheet._replace(
        crosses=sheet.level.mask(shapes), tracks={index[at]: shape for at, shape in shapes.items()}
    )
    score = score_sheet(sheet, solo=False)
    tracks = {item.key: item.points for item in score.items if item.category == "tracks"}
    assert tracks == {"longest": 18, "loop": 8, "route": 2}
    assert score.by_category["stops"] == 8
    assert score.marks == 12


def test_wall_cuts_a_track() -> None:
    drawing = "1 1\n1 1"
    tracks = {"a1": "ES", "b1": "SW", "a2": "NE", "b2": "NW"}
    loop = level_of(drawing, marks="tracks", tracks=tracks)
    cut = level_of(drawing, marks="tracks", tracks=tracks, walls=[["a1", "b1"]])
    assert score_sheet(sheet_of(drawing, loop), solo=False).by_category["tracks"] == 12
    assert score_sheet(sheet_of(drawing, cut), solo=False).by_category["tracks"] == 4


def score_of(total: int, marks: int) -> Score:
    return Score(total, marks, {}, ())


def test_winner_has_most_points_then_fewer_crosses_then_shares() -> None:
    level = level_of("1x 2")
    cases = [
        ([(5, 9), (7, 30)], (1,), "points"),
        ([(7, 9), (7, 8), (5, 1)], (1,), "crosses"),
        ([(7, 8), (7, 8), (7, 9)], (0, 1), "shared"),
    ]
    for sheets, winners, tie_rule in cases:
        scores = [score_of(*sheet) for sheet in sheets]
        outcome = decide(scores, level.ratings, is_solo=False)
        assert (outcome.winners, outcome.tie_rule) == (winners, tie_rule)
        assert tuple(find_winners(scores)) == winners


def test_rating_is_the_number_of_minimums_reached() -> None:
    assert [rate(total, (41, 51, 61, 71, 81, 91)) for total in (40, 41, 90, 91)] == [0, 1, 5, 6]

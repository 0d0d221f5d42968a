"""Legend of a printed sheet: meanings of symbols, and the labels of the level's author."""

from __future__ import annotations

from typing import Any

import pytest

from sheets.art.render.fonts import face
from sheets.art.render.items import TextLine
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import Frame, PageOptions, make_frame
from sheets.printing.legend import LABEL_SHARE, PLAIN_SIZES, draw_legend, legend_entries
from sheets.rules import parse_level
from sheets.rules.symbols import COLOURS
from tests.fan_levels import ISLES, TREE


def legend_words(document: dict[str, Any]) -> dict[str, str]:
    """Return the words of each entry, by its first drawing."""
    found = legend_entries(parse_level(document))
    return {entry.drawings[0][0] if entry.drawings else "": entry.words for entry in found}


def level(*grid: str, **more: Any) -> dict[str, Any]:
    return {"format": "dizzle-level/1", "id": "a", "name": "A", "grid": list(grid), **more}


def test_labels_are_in_the_entries_of_their_symbols() -> None:
    words = legend_words(TREE)
    assert words["gem-red"] == "small candy cane"
    assert words["gem-white"] == "large candy cane"
    assert words["rocket-planet"] == "bauble: crosses"


def test_rockets_cross_the_kinds_of_planets_that_the_level_has() -> None:
    crossed = {
        grid: next(e.objects for e in legend_entries(parse_level(level(grid))) if e.objects)
        for grid in ("1x -P 2R", "1x -O 2R", "1x -P 2O")
    }
    assert [drawing for drawing, _text in crossed["1x -P 2R"]] == ["planet"]
    assert [drawing for drawing, _text in crossed["1x -O 2R"]] == ["rocket-planet"]
    assert [drawing for drawing, _text in crossed["1x -P 2O"]] == ["planet", "rocket-planet"]


def test_a_key_with_a_label_has_an_entry_of_its_own() -> None:
    labels = {"key red": "star", "bomb": "mouse"}
    words = legend_words(level("1Kr 2Lr 3B", "4Kb 5Lb 6", labels=labels, points={"bomb": -2}))
    assert words["key-red"] == "star: opens"
    assert words["key-blue"] == "opens"
    assert words["bomb"] == "mouse: when exploded"


def drawn_legend(document: dict[str, Any]) -> tuple[Frame, list[TextLine]]:
    """Return the frame of an A5 sheet, and the words of its legend."""
    leaf = make_frame(parse_level(document), PageOptions(paper="a5"), 1)
    items = [item for part in draw_legend(parse_level(document), leaf) for item in part.items]
    return leaf, [item for item in items if isinstance(item, TextLine) and not item.bold]


def test_a_long_label_makes_the_legend_a_little_smaller_and_is_cut_then() -> None:
    labels = {"rocket": "for those who know the way " * 18, "bomb": "mouse"}
    leaf, words = drawn_legend(level("1R 2P 3B", labels=labels, points={"bomb": -2}))
    long = next(item for item in words if "who know" in item.text)
    assert long.text.endswith("…: crosses")
    assert "mouse: when exploded" in [item.text for item in words]
    assert [item.size for item in words] == [pytest.approx(LABEL_SHARE * PLAIN_SIZES.text)] * len(
        words
    )
    right = long.x + face(False).width(long.text) * long.size
    assert right + PLAIN_SIZES.times(LABEL_SHARE).icon <= leaf.legend.x + leaf.legend.width


def test_many_long_labels_are_cut_shorter_and_leave_each_other_alone() -> None:
    gems = " ".join(f"1G{letter}" for letter in COLOURS)
    keys = " ".join(f"1K{letter} 1L{letter}" for letter in list(COLOURS)[:4])
    names = [f"{symbol} {colour}" for symbol in ("gem", "key") for colour in COLOURS.values()]
    points = {"gem": dict.fromkeys(COLOURS.values(), 1)}
    labels = dict.fromkeys(names, "for those who know the way " * 18)
    leaf, words = drawn_legend(
        level(gems, keys, *["1 2 3 4 5 6 1 2"] * 9, labels=labels, points=points)
    )
    assert len(words) == 12
    assert [item.size for item in words] == [pytest.approx(LABEL_SHARE * PLAIN_SIZES.text)] * len(
        words
    )
    for item in words:
        assert leaf.legend.y <= item.y <= leaf.legend.y + leaf.legend.height
        others = [x for x in words if x.y == pytest.approx(item.y) and x.x > item.x]
        room = min([leaf.legend.x + leaf.legend.width, *(other.x for other in others)]) - item.x
        assert face(False).width(item.text) * item.size < room


def test_chains_and_numbers_that_stay_are_explained() -> None:
    assert legend_words(TREE)["sign-chain"] == "all with the same dashes"
    assert "sign-line" not in legend_words(TREE)
    assert legend_words(ISLES)[""] == "last number: for everyone after that, too"
    assert "" not in legend_words(ISLES | {"repeat_last": False})


def test_bridges_and_walls_are_explained() -> None:
    words = legend_words(level("1x . 2", "3  4 5", links=[["a1", "c1"]], walls=[["a2", "b2"]]))
    assert words["sign-link"] == "neighbours, too"
    assert words["sign-wall"] == "no neighbours"
    assert not {"sign-link", "sign-wall"} & legend_words(TREE).keys()


def test_a_level_with_chains_alone_scores_no_arrows() -> None:
    def column(document: dict[str, Any], **more: Any) -> set[str]:
        (page,) = draw_booklet([parse_level(document)], PageOptions(per_page=1, **more))
        return {i.text for part, _x in page.parts for i in part.items if isinstance(i, TextLine)}

    row = {"row": 7, "points": 3}
    for large in (False, True):
        assert {"Chains", "Arrows"} & column(TREE, large=large) == {"Chains"}
        both = TREE | {"lines": [*TREE["lines"], row]}
        assert {"Chains", "Arrows"} & column(both, large=large) == {"Arrows"}

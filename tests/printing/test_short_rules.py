"""Rules page: selection of rules, text sizes and layout on every paper."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from sheets.art.render.items import POINT_MM, DrawnPage, Stamp, TextLine
from sheets.levels import shipped_levels
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import EDGE_MM, PAPERS, PageOptions
from sheets.printing.rule_positions import DICE2_EXAMPLES, DIZZLE_EXAMPLES
from sheets.printing.short_rules import dice2_poster, dizzle_poster, safe_area
from sheets.text.languages import languages
from sheets.text.rulebook.short import dice2_in_short, dizzle_in_short
from tests.printing.shapes_on_paper import covered, touching

LEVELS = shipped_levels()
SIZES = [("a4", 1), ("a4", 2), ("letter", 1), ("letter", 2), ("a5", 1)]
BASE = ["course", "first-die", "next-die", "jump", "reroll", "pass-end"]


def rule_pages(names: list[str], **options: object) -> list[DrawnPage]:
    chosen = PageOptions(rules=True, **options)
    pages = draw_booklet([LEVELS[name] for name in names], chosen)
    return [page for page in pages if is_rules(page)]


def is_rules(page: DrawnPage) -> bool:
    return any(part.tag == "H2" for part, _x in page.parts) and not any(
        part.tag == "TH" for part, _x in page.parts
    )


def items(page: DrawnPage, kind: type) -> list:
    return [item for part, _x in page.parts for item in part.items if isinstance(item, kind)]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["level-1"], ["bombs"]),
        (["level-2"], ["locks", "bombs", "flags"]),
        (["level-3"], ["locks", "bombs", "flags", "rockets"]),
        (["level-5"], ["locks", "bombs", "rockets"]),
        (["level-7"], ["locks", "bombs", "flags", "volcano"]),
        (["level-8"], ["locks", "tracks"]),
        (["level-1", "level-8"], ["locks", "bombs", "tracks"]),
    ],
)
def test_rules_are_those_that_the_levels_need(names: list[str], expected: list[str]) -> None:
    rules = dizzle_in_short([LEVELS[name] for name in names])
    assert [rule.name for rule in rules] == [*BASE, *expected, "points", "solo"]
    assert ("Nothing explodes" in rules[-1].text) is ("bombs" in expected)


def test_every_example_belongs_to_a_rule_and_is_described() -> None:
    for rules, examples in (
        (dizzle_in_short(list(LEVELS.values())), DIZZLE_EXAMPLES),
        (dice2_in_short(), DICE2_EXAMPLES),
    ):
        described = {rule.name for rule in rules if rule.description}
        assert described == set(examples)


@pytest.mark.parametrize(("paper", "per_page"), SIZES)
@pytest.mark.parametrize("lang", languages())
def test_rules_lie_in_the_safe_area_and_can_be_read(paper: str, per_page: int, lang: str) -> None:
    faults = []
    for names in (["level-1"], ["level-3"], ["level-7"], ["level-8"], list(LEVELS)):
        pages = rule_pages(names, paper=paper, per_page=per_page, lang=lang, dice2=True)
        for page in pages:
            left, top, width, height = safe_area(page.width_mm, page.height_mm)
            right, bottom = left + width, top + height
            texts = items(page, TextLine)
            if min(item.size for item in texts) < 7 * POINT_MM - 1e-6:
                faults.append((names, "small text"))
            faults += [(names, *found) for found in touching(page, 0.05)]
            for found in covered(page, has_field_marks=True):
                box, half = found.box, 0.3  # frames and capitals reach over the edge of the area
                if box[0] < left - half or box[1] < top - half:
                    faults.append((names, found.name, box))
                if box[2] > right + half or box[3] > bottom + half:
                    faults.append((names, found.name, box))
    assert faults == []


@pytest.mark.parametrize("lang", languages())
def test_rules_of_a_level_fit_one_page(lang: str) -> None:
    for paper, per_page in SIZES[:-1]:
        for name in LEVELS:
            assert len(rule_pages([name], paper=paper, per_page=per_page, lang=lang)) == 1
        assert len(rule_pages(list(LEVELS), paper=paper, per_page=per_page, lang=lang)) == 1
    assert len(rule_pages(["level-1"], paper="a5", lang=lang)) == 1


def test_text_is_as_large_as_the_page_allows() -> None:
    def size(*names: str, paper: str = "a4") -> float:
        (page,) = rule_pages(list(names), paper=paper, per_page=1)
        texts = [part.items[0].size for part, _x in page.parts if part.tag == "P"]
        return texts[-1] / POINT_MM

    assert size("level-1") >= 11
    assert size(*LEVELS) >= 8.5
    assert size("level-1", paper="a5") < size("level-1") > size(*LEVELS)


def test_a4_and_letter_have_the_same_room() -> None:
    for turned in (False, True):
        areas = []
        for paper in ("a4", "letter"):
            width, height = PAPERS[paper][::-1] if turned else PAPERS[paper]
            left, top, across, down = safe_area(width, height)
            assert min(left, top) >= EDGE_MM
            assert (2 * left + across, 2 * top + down) == pytest.approx((width, height))
            areas.append((across, down))
        assert areas[0] == pytest.approx(areas[1])


@pytest.mark.parametrize("lang", languages())
def test_headings_and_descriptions_are_read_in_the_order_of_the_rules(lang: str) -> None:
    dizzle, dice2 = rule_pages(["level-3"], lang=lang, dice2=True)
    with override(lang):
        posters = (dizzle_poster([LEVELS["level-3"]]), dice2_poster())
    for page, poster in zip((dizzle, dice2), posters, strict=True):
        parts = [part for part, _x in page.parts]
        assert [part.items[0].text for part in parts if part.tag == "H1"] == [poster.title]
        said = [part.items[0].text for part in parts if part.tag == "H2"]
        assert said == [rule.heading for rule in poster.rules]
        seen = [part.alt for part in parts if part.tag == "Figure"]
        assert seen == [rule.description for rule in poster.rules if rule.description]


def test_frames_and_bars_lie_on_the_fields_of_the_positions() -> None:
    dizzle, dice2 = rule_pages(list(LEVELS), dice2=True)
    rows = [row for name in DIZZLE_EXAMPLES for row in DIZZLE_EXAMPLES[name]()]
    shown = [position for row in rows for position in row.positions]
    boards = [DICE2_EXAMPLES[name]() for name in DICE2_EXAMPLES]
    for page, positions in ((dizzle, shown), (dice2, boards)):
        drawn = [item.id for item in items(page, Stamp)]
        # The heading explains one of each.
        assert drawn.count("may-go") == 1 + sum(len(found.allowed) for found in positions)
        assert drawn.count("may-not-go") == 1 + sum(len(found.refused) for found in positions)
        places = {(i.x, i.y) for i in items(page, Stamp) if i.id.startswith("field-")}
        signs = {(i.x, i.y) for i in items(page, Stamp) if i.id.startswith("may-")}
        assert len(signs - places) == 2


def test_marks_of_the_examples_are_drawn() -> None:
    (page,) = rule_pages(list(LEVELS))
    drawn = {item.id for item in items(page, Stamp)}
    assert {"cross-print", "cross-rocket", "lava", "struck", "track-ES", "flag-red"} <= drawn
    assert any(id.startswith("scribble-") for id in drawn)


def test_lines_of_dice2_are_joined() -> None:
    (page,) = rule_pages([], dice2=True)
    links = [item.id for item in items(page, Stamp) if item.id.startswith("link-")]
    # Three lines of four and a diagonal, and a row of five.
    assert len(links) == 3 * 3 + 3 + 4

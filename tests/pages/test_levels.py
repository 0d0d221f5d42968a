"""Gallery of levels, and page of a level."""

import json
import re

import pytest
from django.test import Client
from django.utils import translation

from sheets.levels import shipped_levels
from sheets.levels.legend import legend, legend_areas, legend_lines
from sheets.rules import Level, parse_level
from sheets.text.symbols import in_language

LEVELS = list(shipped_levels().values())
each_level = pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.id)


def tiny(**more: object) -> Level:
    return parse_level(
        {
            "id": "tiny",
            "name": {"de": "Winzig", "en": "Tiny"},
            "grid": ["4x 2Gy 5Gy 3Jg", "1B 2Fr 6Kr 1Lr", "3H -P 5R -V"],
            "lines": [{"row": 1, "points": 8}, {"fields": ["a1", "b2"], "points": -1}],
            "areas": [{"fields": ["a2", "b2"], "points": 6}, {"fields": ["c2"], "race": [8, 4]}],
            "points": {
                "gem": {"yellow": 2},
                "puzzle": {"green": 10},
                "flag": {"red": [10, 6, 3, 1]},
                "bomb": -2,
                "heap": -3,
            },
            **more,
        }
    )


@pytest.mark.parametrize("language", ["de", "en"])
def test_gallery_shows_every_level_by_its_name(client: Client, language: str) -> None:
    page = client.get("/levels/", headers={"accept-language": language}).content.decode()
    with translation.override(language):
        for level in LEVELS:
            assert f">{in_language(level.name)}<" in page
            assert f'href="/levels/{level.id}/"' in page
    assert page.count('class="silhouette"') == len(LEVELS)


@each_level
@pytest.mark.parametrize("language", ["de", "en"])
def test_level_page_explains_exactly_its_symbols(
    client: Client, level: Level, language: str
) -> None:
    response = client.get(f"/levels/{level.id}/", headers={"accept-language": language})
    page = response.content.decode()
    shown = {entry.drawing for entry in response.context["legend"]}
    on_sheet = {
        f"{field.symbol}-{field.colour}" if field.colour else field.symbol
        for field in level.fields
        if field.symbol
    }
    assert {drawing for drawing in shown if not drawing.endswith("-print")} == on_sheet
    for drawing in shown:
        assert f'id="art-{drawing}"' in page
    assert f'href="/score/new/{level.id}/"' in page
    assert 'class="art-names"' in page


@each_level
def test_level_page_has_every_drawing_it_refers_to(client: Client, level: Level) -> None:
    page = client.get(f"/levels/{level.id}/").content.decode()
    used = {part.split('"')[0] for part in page.split('href="#art-')[1:]}
    assert used
    assert [name for name in used if f'id="art-{name}"' not in page] == []


@each_level
def test_level_document_can_be_downloaded_and_read_again(client: Client, level: Level) -> None:
    response = client.get(f"/levels/{level.id}.json")
    assert "attachment" in response.headers["Content-Disposition"]
    again = parse_level(json.loads(response.content))
    assert again.fields == level.fields


def test_unknown_level_is_not_found(client: Client) -> None:
    for path in ("/levels/level-99/", "/levels/level-99.json", "/levels/LEVEL_1/"):
        assert client.get(path).status_code == 404


def test_legend_has_the_points_of_everything() -> None:
    said = {entry.name: (entry.amount, entry.sentence) for entry in legend(tiny())}
    assert said["printed cross"][0] == 1
    assert said["yellow gem"] == (2, "2 points each")
    assert said["green puzzle piece"] == (1, "10 points when it is crossed")
    assert said["red flag"] == (1, "10-6-3-1 points: the sooner, the more")
    assert said["bomb"][1].startswith("−2 points when it explodes")
    assert said["heap"] == (1, "−3 points when crossed")
    assert {"red key", "red lock", "planet", "rocket", "volcano"} <= said.keys()


def test_legend_is_translated() -> None:
    with translation.override("de"):
        said = {entry.name: entry.sentence for entry in legend(tiny())}
    assert said["gelber Edelstein"] == "je 2 Punkte"
    assert "roter Schlüssel" in said


def test_legend_uses_the_levels_own_words() -> None:
    level = tiny(labels={"gem yellow": {"de": "Stern", "en": "star"}, "heap": "mud"})
    names = {entry.name for entry in legend(level)}
    assert {"star", "mud"} <= names


def test_lines_and_areas_say_where_they_are() -> None:
    level = tiny()
    assert legend_lines(level) == [
        ("Row 1", "8 points", 0),
        ("a1, b2", "−1 point", level.mask(["a1", "b2"])),
    ]
    assert legend_areas(level) == [
        ("a2, b2", "6 points", level.mask(["a2", "b2"])),
        ("c2", "a race for 8-4", level.mask(["c2"])),
    ]


def test_lines_are_listed_in_reading_order() -> None:
    places = (("column", "d"), ("fields", ["a1", "b2"]), ("row", 3), ("column", "b"), ("row", 1))
    level = tiny(lines=[{kind: which, "points": 2} for kind, which in places])
    names = [pay.name for pay in legend_lines(level)]
    assert names == ["Row 1", "Row 3", "Column b", "Column d", "a1, b2"]


def test_areas_are_drawn_and_named_for_screen_readers_only(client: Client) -> None:
    page = client.get("/levels/level-6/").content.decode()
    areas = page[page.index('id="areas"') : page.index('id="set-ups"')]
    named = [pay.name for pay in legend_areas(shipped_levels()["level-6"])]
    assert re.findall(r'</svg><span class="for-ears">([^<]+)</span>', areas) == named
    assert areas.count('class="where"') == len(named) > 0


def test_a_last_number_that_stays_is_followed_by_dots() -> None:
    said = {entry.name: entry.sentence for entry in legend(tiny(repeat_last=True))}
    assert said["red flag"] == "10-6-3-1-… points: the sooner, the more"
    assert legend_areas(tiny(repeat_last=True))[1][:2] == ("c2", "a race for 8-4-…")


def test_text_in_one_language_is_the_fallback_for_all() -> None:
    assert in_language({"": "Garden"}) == "Garden"
    with translation.override("de"):
        assert in_language({"en": "Garden"}) == "Garden"
        assert in_language({"xx": "Jardin"}) == "Jardin"


def test_legend_has_bridges_and_walls_if_the_level_has() -> None:
    level = tiny(links=[["a1", "d3"], ["a2", "d2"]], walls=[["b1", "c1"]])
    said = {entry.name: (entry.drawing, entry.amount) for entry in legend(level)}
    assert said["bridge"] == ("sign-link", 2)
    assert said["wall"] == ("sign-wall", 1)
    assert not {"bridge", "wall"} & {entry.name for entry in legend(tiny())}

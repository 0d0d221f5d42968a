"""All stacks of marks on a field: drawings, prints, names, and data for scripts."""

from __future__ import annotations

import html
import json
import re
from io import BytesIO
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from PIL import Image

from sheets.art import svg
from sheets.art.drawings import drawings
from sheets.art.marks import LAYERS, MARK_IDS, all_marks, mark_id
from sheets.art.render.items import Stamp
from sheets.art.sheet_svg import draw_marked_sheet
from sheets.levels import find_level
from sheets.printing.booklet import draw_booklet
from sheets.printing.geometry import PageOptions
from sheets.printing.pictures.sheet import draw_sheet
from sheets.printing.sheet import Writing, spoken_marks
from sheets.rules import parse_level
from sheets.rules.marks import (
    DICE,
    MARKS,
    PRINTED,
    STACKS,
    format_marks,
    possible_stacks,
    printed_marks,
)
from sheets.scoring.marks import PENS, next_value, tap_values
from sheets.templatetags.sheet_tags import known_marks
from sheets.text.symbols import marks_name
from tests.printing.printed import print_pdf
from tests.score_levels import GARDEN, RAILS, VOLCANO
from tests.scoring.scoring_pages import begin
from tests.table_games import SPACE, sit_down

LEVEL = parse_level({"id": "marks", "name": "Marks", "grid": ["1 2B 3"], "points": {"bomb": -2}})
BY_PLAYERS = [stack for stack in STACKS if stack and not set(stack) & set(PRINTED)]
AT = "b1"
RAILS_WITH_BOMB = RAILS | {"grid": ["1 2 3", "4S 5B 6", "1 2 3"], "points": {"stop": 4, "bomb": -2}}


def ids_of(stack: tuple[str, ...]) -> list[str]:
    return [mark_id(AT, mark) for mark in stack]


def test_each_mark_has_drawings_and_a_layer_and_nothing_else_does() -> None:
    assert set(MARK_IDS) == set(LAYERS) == set(MARKS)
    ids = [id for mark in MARKS for id in MARK_IDS[mark]]
    assert len(set(ids)) == len(ids)
    assert set(ids) == {drawing.id for drawing in all_marks()} <= set(drawings())


def test_marks_of_a_stack_lie_in_rising_layers() -> None:
    order = ["under", "over", "top"]
    for stack in STACKS:
        layers = [order.index(LAYERS[mark]) for mark in stack]
        assert all(lower < upper for lower, upper in pairwise(layers)), stack


def test_every_stack_is_drawn_on_pages() -> None:
    """In both drawings of a sheet, with each mark in a layer that scripts can change."""
    bare = svg.draw_sheet(LEVEL)
    wrong = []
    for stack in STACKS:
        drawn, marked = svg.draw_sheet(LEVEL, {AT: stack}), draw_marked_sheet(LEVEL, {AT: stack})
        for kind, sheet in (("drawn", drawn), ("marked", marked)):
            shown = [id for id in re.findall(r'href="#art-([^"]+)"', sheet) if id in ids_of(stack)]
            if shown != ids_of(stack):
                wrong.append((format_marks(stack), kind, shown))
        if (drawn == bare) != (not stack):
            wrong.append((format_marks(stack), "compared with the bare sheet"))
        field = marked[marked.index(f'data-field="{AT}"') :]
        for mark in stack:
            layer = f'<g class="{LAYERS[mark]}">'
            begins = f'{layer}<use href="#art-{mark_id(AT, mark)}"'
            if not field[field.index(layer) :].startswith(begins):
                wrong.append((format_marks(stack), mark, "not in its layer"))
    assert wrong == []


def test_every_stack_is_in_the_picture() -> None:
    def picture(stack: tuple[str, ...]) -> bytes:
        drawn = draw_sheet(LEVEL, {AT: stack}, title="")
        return Image.open(BytesIO(drawn)).convert("RGB").tobytes()

    shown = {stack: picture(stack) for stack in STACKS}
    bare = picture(())
    assert [stack for stack in STACKS if (shown[stack] == bare) != (not stack)] == []
    for stack in (stack for stack in STACKS if len(stack) > 1):
        assert all(shown[stack] != shown[mark,] for mark in stack), f"all of {stack} can be seen"


def test_every_stack_of_players_is_printed_with_its_name() -> None:
    writings = [Writing("Ana", marks={AT: stack}) for stack in BY_PLAYERS]
    wrong = []
    for stack, writing in zip(BY_PLAYERS, writings, strict=True):
        (page,) = draw_booklet([LEVEL], PageOptions(per_page=1), [writing])
        (figure,) = (part for part, _x in page.parts if part.tag == "Figure")
        shown = [item.id for item in figure.items if isinstance(item, Stamp)]
        said = list(spoken_marks(writing.marks))
        if [id for id in shown if id in ids_of(stack)] != ids_of(stack):
            wrong.append((format_marks(stack), "printed", shown))
        if len(said) != len(stack) or not all(AT in one and one in figure.alt for one in said):
            wrong.append((format_marks(stack), "said", said, figure.alt))
    assert wrong == []
    assert print_pdf([LEVEL], PageOptions(), writings).startswith(b"%PDF")


def test_every_stack_has_a_name_in_both_languages() -> None:
    said: dict[str, list[str]] = {}
    for language in ("en", "de"):
        with translation.override(language):
            said[language] = [marks_name(stack) for stack in STACKS]
    assert all(english and german for english, german in zip(*said.values(), strict=True))
    assert not set(said["en"]) & set(said["de"])
    # Dice of all numbers share a name, and so do all printed tracks.
    assert len(set(said["en"])) == len(STACKS) - (len(DICE) - 1) - (len(PRINTED) - 2)


def script_data(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="known-marks" type="application/json">(.*?)</script>', page)
    assert found
    known: dict[str, Any] = json.loads(found[1])
    return known


def drawn_of(known: dict[str, Any], word: str, own: dict[str, str]) -> list[str]:
    """Return the drawings of lib/marks.js for a word on a field with its own drawings."""
    return [own.get(mark, mark) for marks in known[word]["drawn"].values() for mark in marks]


def test_scripts_get_the_drawings_and_names_of_every_stack() -> None:
    own = {mark: mark_id(AT, mark) for mark in MARKS if len(MARK_IDS[mark]) > 1}
    known = known_marks()
    assert list(known) == [format_marks(stack) for stack in STACKS]
    for stack in STACKS:
        word = format_marks(stack)
        assert drawn_of(known, word, own) == ids_of(stack)
        assert list(known[word]["drawn"]) == [LAYERS[mark] for mark in stack]
        assert known[word]["said"] == marks_name(stack)
    few = {word: one for word, one in known.items() if "track" not in one["said"]}
    assert known_marks(find_level("level-4")) == few
    assert known_marks(find_level("level-8")) == known
    crossed = {word for word, one in known.items() if one["crossed"]}
    assert crossed == {format_marks(stack) for stack in STACKS} - {
        *("", "lava", "exploded", "exploded-lava", *DICE)
    }


def buttons(page: str) -> dict[str, dict[str, str]]:
    """Return the data attributes of the buttons by field, for scripts."""
    found = (
        dict(re.findall(r'data-([a-z-]+)="([^"]*)"', button))
        for button in re.findall(r"<button\b[^>]*>", page)
    )
    return {own["at"]: own for own in found if "at" in own}


def check_page(page: str, document: dict[str, Any], more: tuple[str, ...] = ()) -> None:
    """Assert that a page has drawings and words for all stacks that players can put on a field."""
    level = parse_level(document)
    known, sprite = script_data(page), set(re.findall(r'<symbol id="art-([^"]+)"', page))
    for at, own in buttons(page).items():
        for stack in (*possible_stacks(level, at), *((mark,) for mark in more)):
            word = format_marks(stack)
            ids = drawn_of(known, word, own)
            assert ids == [mark_id(at, mark) for mark in stack]
            assert set(ids) <= sprite, word
            assert known[word]["said"]
        assert own.get("printed", "") == "".join(printed_marks(level).get(at, ()))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "document",
    [GARDEN, VOLCANO, RAILS, RAILS_WITH_BOMB],
    ids=["garden", "volcano", "rails", "both"],
)
def test_a_page_for_scoring_has_every_stack_of_its_fields(
    client: Client, document: dict[str, Any]
) -> None:
    url = begin(client, document)
    page = client.get(f"{url}1/").content.decode()
    assert len(buttons(page)) == len(parse_level(document).fields)
    check_page(page, document)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "document", [SPACE, VOLCANO, RAILS_WITH_BOMB], ids=["space", "volcano", "rails"]
)
def test_a_page_of_a_table_has_every_stack_of_its_fields(
    client: Client, document: dict[str, Any]
) -> None:
    party = sit_down(level=document)
    page = html.unescape(client.get(f"/table/{party.code}/").content.decode())
    check_page(page, document, ("rocket", *DICE))
    level = parse_level(document)
    for field in level.fields:
        leaves = f"die-{field.number}" if field.number else ""
        own = buttons(page)[field.name]
        assert own.get("leaves", "") == ("" if "printed" in own else leaves)


@pytest.mark.parametrize("is_solo", [True, False])
@pytest.mark.parametrize("document", [GARDEN, VOLCANO], ids=["garden", "volcano"])
def test_scripts_get_the_effect_of_a_tap_on_every_field(
    document: dict[str, Any], is_solo: bool
) -> None:
    level = parse_level(document)
    taps = tap_values(level, is_solo=is_solo)
    pens = {"cross"} | ({"lava"} if level.by_symbol["volcano"] else set())
    values = ("", *PENS["cross"], *PENS["lava"])
    for field in level.fields:
        if possible_stacks(level, field.name):
            assert taps[field.symbol] == {
                pen: {
                    value: next_value(level, field.name, value, lava=pen == "lava", is_solo=is_solo)
                    for value in values
                }
                for pen in pens
            }
    assert tap_values(parse_level(RAILS), is_solo=is_solo) == {}

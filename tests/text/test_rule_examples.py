"""Examples of rules, compared with the rules engine."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import translation

from sheets.rules import RULES, Sheet, score_sheet, targets
from sheets.rules.marks import DICE, read_marks
from sheets.rules.placement import free_fields, is_boxed_in
from sheets.rules.volcano import lava_candidates
from sheets.scoring.sentences import GRADES
from sheets.text.rulebook import DICE2_CHAPTERS, DIZZLE_CHAPTERS
from sheets.text.rulebook.examples import EXAMPLES, example_level
from sheets.text.rulebook.short import describe_examples

NOTES = [rule for chapter in DIZZLE_CHAPTERS for rule in chapter.rules if rule.is_note]
CHAPTERS = (*DIZZLE_CHAPTERS, *DICE2_CHAPTERS)
ALSO_ON_THE_PAGE = {"first-die", "next-die", "jump", "volcano", "tracks"}
"""Printed examples that show the same as an example of the page."""
PLACING = ("first-die", "next-die", "boxed-in", "not-boxed-in", "joined")


def sheet_of(name: str) -> Sheet:
    """Return the sheet of an example; its dice have the numbers of their fields."""
    level, marks = example_level(name), EXAMPLES[name].marks
    sheet = read_marks(level, {at: stack for at, stack in marks.items() if stack[0] not in DICE})
    for at, stack in marks.items():
        if stack[0] in DICE:
            assert stack[0] == f"die-{level.fields[level.index[at]].number}"
            sheet = sheet.with_die(level.index[at])
    return sheet


@pytest.mark.parametrize("name", PLACING)
def test_ringed_fields_are_where_the_next_die_goes(name: str) -> None:
    sheet = sheet_of(name)
    assert tuple(sheet.level.names(targets(sheet))) == EXAMPLES[name].ringed


def test_one_die_is_boxed_in_and_one_is_not() -> None:
    assert is_boxed_in(sheet_of("boxed-in"))
    assert not is_boxed_in(sheet_of("not-boxed-in"))


def test_only_ringed_fields_are_free() -> None:
    sheet = sheet_of("free")
    assert tuple(sheet.level.names(free_fields(sheet))) == EXAMPLES["free"].ringed


def test_lava_flows_to_the_ringed_fields() -> None:
    sheet = sheet_of("lava")
    assert tuple(sheet.level.names(lava_candidates(sheet, 3))) == EXAMPLES["lava"].ringed


def test_the_closed_loop_pays_the_points_in_its_caption() -> None:
    score = score_sheet(sheet_of("loop"), solo=False)
    assert sorted(item.points for item in score.items) == [2, 18]


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_example_has_a_drawing_and_a_description(client: Client, language: str) -> None:
    page = client.get("/rules/", headers={"accept-language": language}).content.decode()
    with translation.override(language):
        for example in EXAMPLES.values():
            assert f'aria-label="{example.description}"' in page
            assert f"<figcaption>{example.caption}</figcaption>" in page
        printed = describe_examples()
        used = {rule.example for chapter in CHAPTERS for rule in chapter.rules if rule.example}
        assert used - EXAMPLES.keys() == printed.keys() - ALSO_ON_THE_PAGE
        for name in used - EXAMPLES.keys():
            assert f"<figcaption>{printed[name]}</figcaption>" in page
    assert page.count('<figure class="example') == len(used)
    used = set(re.findall(r'<use[^>]* href="#([\w-]+)"', page))
    assert used <= set(re.findall(r' id="([\w-]+)"', page))


def test_examples_and_notes_are_translated() -> None:
    texts = [text for one in EXAMPLES.values() for text in (one.caption, one.description)]
    texts += [text for note in NOTES for text in (note.title, note.text)]
    for text in texts:
        with translation.override("en"):
            english = str(text)
        with translation.override("de"):
            assert str(text) != english


def test_notes_are_no_rules_and_refusals_of_the_app_have_their_own_chapter(client: Client) -> None:
    assert NOTES
    assert not {note.name for note in NOTES} & set(RULES)
    (app,) = (chapter for chapter in DIZZLE_CHAPTERS if chapter.name == "app")
    assert {rule.name for rule in app.rules} == {"no-such-die", "bad-dice", "not-now", "return"}


def test_every_chapter_is_folded_and_contains_its_link_targets(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    folds = re.findall(r"<details.*?</details>", page, re.DOTALL)
    opened = [fold.startswith('<details class="chapter card" open>') for fold in folds]
    assert opened == [True] + [False] * (len(folds) - 1)
    inside = "".join(fold.partition("</summary>")[2] for fold in folds)
    ids = re.findall(r'id="([a-z0-9-]+)"', page[page.index("<h1") : page.index("</main>")])
    outside = [one for one in ids if f'id="{one}"' not in inside]
    assert outside == ["rule-query", "open-all"]


def test_grades_have_their_names_among_the_rules(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    rating = page[page.index('id="rating"') :]
    assert [grade.title for grade in GRADES] == re.findall(r'<th scope="row">([^<]+)<', rating)
    assert re.findall(r"<td>([^<]+)</td>", rating) == ["–", "41", "51", "61", "71", "81", "91"]

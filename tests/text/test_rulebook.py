"""Explanation of every rule and refusal, in both languages."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from sheets.rules import RULES, RuleViolation
from sheets.rules.dice2 import KINDS
from sheets.rules.dice2.game import RULES as DICE2_RULES
from sheets.rules.effect_list import STORY_RULES
from sheets.rules.symbols import COLOURS
from sheets.rules.violations import REFUSALS
from sheets.text.dice2.refusals import SENTENCES, explain_dice2
from sheets.text.refusals import explain
from sheets.text.rulebook import DICE2_CHAPTERS, DIZZLE_CHAPTERS

PHASES = (
    *("erupt", "lava", "roll", "turn", "return", "extra", "marking", "open", "finished"),
    "unheard-of",
)
FACTS: dict[str, list[dict[str, str | int]]] = {
    "not-now": [{"do": do, "phase": phase} for do in ("place", "rocket") for phase in PHASES],
    "not-your-turn": [{"player": 0, "turn": 1}],
    "dropped-out": [{"player": 0}],
    "must-place": [{"player": 0}],
    "must-return": [{"player": 0}],
    "bad-dice": [{"count": 8, "given": 7}, {"count": 1, "given": 2}],
    "no-field": [{"at": "c4"}],
    "field-taken": [{"at": "c4"}],
    "no-number": [{"at": "c4"}],
    "exploded": [{"at": "c4"}],
    "lava": [{"at": "c4"}],
    "locked": [{"at": "c4", "colour": colour} for colour in COLOURS.values()],
    "not-a-choice": [{"at": "c4", "do": do} for do in ("lava", "rocket", "track")],
    "not-next-to-cross": [{"at": "c4"}],
    "not-next-to-die": [{"at": "c4"}],
    "wrong-number": [{"at": "c4", "die": 3, "number": 6}],
    "no-such-die": [{"at": "c4"}, {"at": "c4", "die": 3}],
}
"""Facts of each refusal, as `sheets.rules` raises them."""


def test_every_rule_is_in_the_document() -> None:
    text = (settings.BASE_DIR / "docs" / "rules.md").read_text("utf-8")
    headings = Counter(re.findall(r"^### `([a-z-]+)`$", text, re.MULTILINE))
    assert headings == Counter([*RULES, *DICE2_RULES])
    # Rules that Dice² shares with Dizzle are explained there, and listed again.
    dice2 = text[text.index("## Dice²") :]
    assert {rule for rule in SENTENCES if f"`{rule}`" not in dice2} == set()
    assert {name for name in (*KINDS, "relay") if f"`{name}`" not in dice2} == set()


def test_the_end_of_a_pass_has_the_same_order_everywhere(client: Client) -> None:
    text = (settings.BASE_DIR / "docs" / "rules.md").read_text("utf-8")
    section = text[text.index("## The end of a pass") : text.index("## Scoring")]
    (chapter,) = (chapter for chapter in DIZZLE_CHAPTERS if chapter.name == "pass-end")
    names = [rule.name for rule in chapter.rules]
    assert re.findall(r"^### `([a-z-]+)`$", section, re.MULTILINE) == names
    assert [name for name in STORY_RULES if name in names] == [
        name for name in names if name in STORY_RULES
    ]
    page = client.get("/rules/").content.decode()
    steps = [
        name for name in STORY_RULES if name in names and name not in ("full-sheet", "game-end")
    ]
    assert re.findall(r'<a href="#([a-z-]+)">(\d)\. ', page) == [
        (name, str(number)) for number, name in enumerate(steps, start=1)
    ]


def test_document_links_lead_to_headings_of_its_own() -> None:
    text = (settings.BASE_DIR / "docs" / "rules.md").read_text("utf-8")
    titles = {title.lower().replace(" ", "-") for title in re.findall(r"^## (.+)$", text, re.M)}
    assert set(re.findall(r"\]\(#([a-z-]+)\)", text)) <= titles


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_rule_has_its_anchor_on_the_page(client: Client, language: str) -> None:
    page = client.get("/rules/", headers={"accept-language": language}).content.decode()
    anchors = Counter(re.findall(r'class="rule" id="([a-z-]+)"', page))
    assert anchors == Counter([*RULES, *DICE2_RULES, *KINDS, "relay"])


def test_every_rule_is_translated() -> None:
    chapters = (*DIZZLE_CHAPTERS, *DICE2_CHAPTERS)
    rules = [rule for chapter in chapters for rule in chapter.rules]
    told = [text for rule in rules for text in (rule.title, rule.text)]
    told += [text for chapter in chapters for text in (chapter.title, chapter.intro)]
    with translation.override("en"):
        english = [str(text) for text in told]
    with translation.override("de"):
        german = [str(text) for text in told]
    same = {a for a, b in zip(english, german, strict=True) if a == b}
    assert same <= {"Puzzles", "Lava", "Square Dice", "4 Dice Wins", "Last Man Dice", "Major Dice"}


DICE2_FACTS: dict[str, list[dict[str, str | int]]] = {
    "not-now": [{"do": "place"}, {"do": "begin"}],
    "not-your-turn": [{"player": 0, "turn": 1}],
    "start-order": [{"player": 0, "turn": 1, "shared": shared} for shared in (False, True)],
    "must-place": [{"die": 3, "at": "c4"}],
    "row-order": [{"at": "c4", "die": die, "low": 3, "high": 4, "by": "b4"} for die in (2, 5)],
    "column-order": [{"at": "c4", "die": die, "low": 3, "high": 4, "by": "c3"} for die in (2, 5)],
    "square-bounds": [
        {"at": "c4", "what": what, "count": 5, "by": "c8"} for what in ("rows", "columns")
    ],
    "six-in-a-row": [{"at": "c4", "count": 6, "by": "d4 e4 f4 g4 h4"}],
}
"""Facts of each refusal of Dice²; the others have a field only."""


@pytest.mark.parametrize("rule", SENTENCES)
def test_every_refusal_of_dice2_has_a_sentence_in_both_languages(rule: str) -> None:
    for facts in DICE2_FACTS.get(rule, [{"at": "c4"}]):
        sentences = []
        for language in ("en", "de"):
            with translation.override(language):
                sentences.append(explain_dice2(RuleViolation(rule, **facts), ["Ana", "Ben"]))
        assert sentences[0] != sentences[1]
        for sentence in sentences:
            assert sentence.endswith(".")
            assert "%(" not in sentence
            assert all(at in sentence for at in str(facts.get("by", "")).split())


@pytest.mark.parametrize("rule", REFUSALS)
def test_every_refusal_has_a_sentence_in_both_languages(rule: str) -> None:
    for facts in FACTS[rule]:
        sentences = []
        for language in ("en", "de"):
            with translation.override(language):
                sentences.append(explain(RuleViolation(rule, **facts), ["Ana", "Ben"]))
        assert sentences[0] != sentences[1]
        for sentence in sentences:
            assert sentence.endswith(".")
            assert "%(" not in sentence
            if "at" in facts and "die" not in facts:
                assert "c4" in sentence


def test_sentence_of_a_lock_names_the_field_and_the_key() -> None:
    violation = RuleViolation("locked", at="c4", colour="red")
    assert explain(violation) == (
        "c4 is a closed lock: the red key must be crossed in an earlier pass."
    )
    with translation.override("de"):
        assert explain(violation) == (
            "c4 ist ein geschlossenes Schloss: Erst muss der rote Schlüssel in einem früheren "
            "Durchgang angekreuzt sein."
        )


def test_sentence_on_a_turn_names_its_player() -> None:
    violation = RuleViolation("not-your-turn", player=0, turn=1)
    assert explain(violation, ["Ana", "Ben"]) == "Not yet: it is Ben’s turn."
    assert "Player 2" in explain(violation)


def test_sentence_on_a_choice_that_is_not_owed_does_not_ask_to_wait() -> None:
    nothing = "There is nothing left for you to choose here."
    assert explain(RuleViolation("not-now", do="track", phase="marking")) == nothing
    assert explain(RuleViolation("not-now", do="track", phase="turn")) != nothing


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            {
                "square": ("four rows and four columns", "consecutive", "read either way"),
                "last-man": ("four rows and four columns", "each of yours touches"),
                "major": ("six or more", "one of them whose last die"),
            },
        ),
        (
            "de",
            {
                "square": ("vier Zeilen und vier Spalten", "aufeinanderfolgende", "Richtungen"),
                "last-man": ("vier Zeilen und vier Spalten", "einen anderen eigenen"),
                "major": ("sechs oder mehr", "wer von ihnen"),
            },
        ),
    ],
)
def test_paragraph_of_each_game_names_all_its_restrictions(
    language: str, told: dict[str, tuple[str, ...]]
) -> None:
    with translation.override(language):
        games = next(chapter for chapter in DICE2_CHAPTERS if chapter.name == "dice2-games")
        texts = {rule.name: str(rule.text) for rule in games.rules}
        for name, words in told.items():
            assert [word for word in words if word not in texts[name]] == [], name
        assert all(count in str(games.intro) for count in ("48", "18", "16", "6"))

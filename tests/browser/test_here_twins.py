"""Scores that a browser adds up without a network, compared with the engine's.

The scripts know only how each way of paying counts; what a level's rows are, `score_column` tells
them. Here both score the same sheets, of all levels and of random ones, and the final sheets of the
games whose scores an independent implementation has given.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from sheets.levels import find_level, shipped_levels
from sheets.rules import Level, parse_level
from sheets.rules.column import score_column
from sheets.rules.documents.sheets import parse_sheets
from sheets.rules.paper import Paper, score_paper
from sheets.rules.symbols import CATEGORIES, SYMBOLS
from tests.conformance.test_dizzle import NUMBERS, load
from tests.rules.random_games import random_level
from tests.rules.random_sheets import random_sheets
from tests.score_levels import STREETS
from tests.symbol_levels import level_with

Facts = dict[str, Any]

OF_SHIPPED: Final = 60
RANDOM_LEVELS: Final = 400
OF_EACH: Final = 3

SCRIPT: Final = """async (text) => {
    const { scorePaper } = await import("/static/sheets/here/paper.js");
    return JSON.stringify(JSON.parse(text).map(([column, documents]) =>
        documents.map((document) => {
            const { scores, unclear, outcome } = scorePaper(column, document);
            return { scores, unclear, outcome };
        })));
}"""


def engine_says(paper: Paper) -> Facts:
    """What the engine makes of sheets, as the script tells it."""
    result = score_paper(paper)
    winners, tie_rule, rating = result.outcome
    return {
        "scores": [
            {
                "total": score.total,
                "marks": score.marks,
                "by": {
                    c: score.by[c] for c in score.by if any(i.category == c for i in score.items)
                },
                "items": [
                    item._asdict()
                    | {"fields": [*item.fields]}
                    | {"missing": [*item.missing], "spoilt": [*item.spoilt]}
                    for item in score.items
                ],
            }
            for score in result.scores
        ],
        "unclear": [
            {"player": one.player, "place": one.track.place, "choices": [*one.choices]}
            for one in paper.unclear
        ],
        "outcome": {"winners": [*winners], "tieRule": tie_rule, "rating": rating},
    }


def script_says(page: Page, asked: list[tuple[Facts, list[Facts]]]) -> list[list[Facts]]:
    # As text: Playwright takes ten times as long over so many objects.
    return json.loads(page.evaluate(SCRIPT, json.dumps(asked)))  # type: ignore[no-any-return]


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page("/score/", "desktop")


def levels() -> list[tuple[Level, str | Facts, int]]:
    """Levels as documents refer to them, and how many games of each are scored."""
    random = Random(0)
    own = [
        STREETS,
        *map(level_with, SYMBOLS),
        *(random_level(random) for _ in range(RANDOM_LEVELS)),
    ]
    return [
        *((level, level.id, OF_SHIPPED) for level in shipped_levels().values()),
        *((parse_level(document), document, OF_EACH) for document in own),
    ]


def test_script_scores_as_the_engine_does(page: Page) -> None:
    random = Random(1)
    asked, expected = [], []
    for level, reference, count in levels():
        documents = [random_sheets(random, level, reference) for _ in range(count)]
        asked.append((score_column(level), documents))
        expected.append([engine_says(parse_sheets(one, find_level)) for one in documents])
    for (_, documents), says, answers in zip(
        asked, expected, script_says(page, asked), strict=True
    ):
        for document, wanted, answer in zip(documents, says, answers, strict=True):
            assert answer == wanted, document
    # They were about something.
    games = [game for says in expected for game in says]
    scores = [score for game in games for score in game["scores"]]
    paid = Counter(
        item["category"] for score in scores for item in score["items"] if item["points"]
    )
    keys = {item["key"] for score in scores for item in score["items"]}
    assert len(scores) > 3000
    assert set(paid) == set(CATEGORIES)
    assert {"longest", "loop", "route"} < keys
    assert {game["outcome"]["tieRule"] for game in games} == {"points", "crosses", "shared"}
    assert any(game["unclear"] for game in games)


def test_script_scores_as_an_independent_implementation_does(page: Page) -> None:
    asked, wanted = [], []
    for number in NUMBERS:
        game, expected = load(number, "game"), load(number, "expected")
        if not expected["finished"]:  # somebody may still wait for a number to circle
            continue
        reference = game["level"]
        level = find_level(reference) if isinstance(reference, str) else parse_level(reference)
        asked.append((score_column(level), [{"sheets": expected["sheets"]}]))
        wanted.append(expected)
    assert sum(len(one["sheets"]) for one in wanted) > 100
    for expected, (answer,) in zip(wanted, script_says(page, asked), strict=True):
        for score, sheet in zip(answer["scores"], expected["scores"], strict=True):
            assert score["total"] == sheet["total"]
            assert score["marks"] == sheet["marks"]
            assert score["by"] == {c: n for c, n in sheet["by"].items() if c in score["by"]}
        assert answer["outcome"]["winners"] == expected["winners"]
        assert answer["outcome"]["rating"] == expected["rating"]

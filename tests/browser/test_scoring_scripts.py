"""Scores computed by the scripts without a network, compared with those of the engine.

The scripts know how each kind of category scores; `score_column` provides the categories of a
level. Both score the same sheets of shipped and random levels, and the final sheets of games scored
by an independent implementation.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from sheets.levels import find_level, shipped_levels
from sheets.rules import Level, parse_level
from sheets.rules.documents.sheets import parse_sheets
from sheets.rules.paper_scoring import Paper, score_paper
from sheets.rules.score_column import score_column
from sheets.rules.symbols import CATEGORIES, SYMBOLS
from tests.browser.conftest import OpenPage
from tests.conformance.test_dizzle import NUMBERS, load
from tests.rules.random_games import random_level
from tests.rules.random_sheets import random_sheets
from tests.score_levels import STREETS
from tests.symbol_levels import level_with

Facts = dict[str, Any]
"""Part of a document."""

GAMES_PER_SHIPPED_LEVEL: Final = 60
"""Number of scored games of each shipped level."""

RANDOM_LEVELS: Final = 400
"""Number of random levels."""

GAMES_PER_RANDOM_LEVEL: Final = 3
"""Number of scored games of each random level."""

SCRIPT: Final = """async (text) => {
    const { scorePaper } = await import("/static/sheets/offline_scoring/paper_scoring.js");
    return JSON.stringify(JSON.parse(text).map(([column, documents]) =>
        documents.map((document) => {
            const { scores, unclear, outcome } = scorePaper(column, document);
            return { scores, unclear, outcome };
        })));
}"""
"""Script that scores documents, passed and returned as JSON."""


def engine_scores(paper: Paper) -> Facts:
    """Return the engine's scores of sheets in the format of the script."""
    result = score_paper(paper)
    winners, tie_rule, rating = result.outcome
    return {
        "scores": [
            {
                "total": score.total,
                "marks": score.marks,
                "by": {
                    c: score.by_category[c]
                    for c in score.by_category
                    if any(i.category == c for i in score.items)
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


def script_scores(page: Page, asked: list[tuple[Facts, list[Facts]]]) -> list[list[Facts]]:
    # As JSON: Playwright takes ten times as long to pass objects.
    return json.loads(page.evaluate(SCRIPT, json.dumps(asked)))  # type: ignore[no-any-return]


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page("/score/", "desktop")


def levels() -> list[tuple[Level, str | Facts, int]]:
    """Return levels, their references in documents, and the number of scored games of each."""
    random = Random(0)
    own = [
        STREETS,
        *map(level_with, SYMBOLS),
        *(random_level(random) for _ in range(RANDOM_LEVELS)),
    ]
    return [
        *((level, level.id, GAMES_PER_SHIPPED_LEVEL) for level in shipped_levels().values()),
        *((parse_level(document), document, GAMES_PER_RANDOM_LEVEL) for document in own),
    ]


def test_script_scores_as_the_engine_does(page: Page) -> None:
    random = Random(1)
    asked, expected = [], []
    for level, reference, count in levels():
        documents = [random_sheets(random, level, reference) for _ in range(count)]
        asked.append((score_column(level), documents))
        expected.append([engine_scores(parse_sheets(one, find_level)) for one in documents])
    for (_, documents), says, answers in zip(
        asked, expected, script_scores(page, asked), strict=True
    ):
        for document, wanted, answer in zip(documents, says, answers, strict=True):
            assert answer == wanted, document
    # The sheets covered every kind of score.
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
        if not expected["finished"]:  # a circled number may still be missing
            continue
        reference = game["level"]
        level = find_level(reference) if isinstance(reference, str) else parse_level(reference)
        asked.append((score_column(level), [{"sheets": expected["sheets"]}]))
        wanted.append(expected)
    assert sum(len(one["sheets"]) for one in wanted) > 100
    for expected, (answer,) in zip(wanted, script_scores(page, asked), strict=True):
        for score, sheet in zip(answer["scores"], expected["scores"], strict=True):
            assert score["total"] == sheet["total"]
            assert score["marks"] == sheet["marks"]
            assert score["by"] == {c: n for c, n in sheet["by"].items() if c in score["by"]}
        assert answer["outcome"]["winners"] == expected["winners"]
        assert answer["outcome"]["rating"] == expected["rating"]
